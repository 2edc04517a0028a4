"""An untrained head that reads the learner's text: weights or clock hands, a shuffle, the vectors, both pairings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
import torch
from torch import Tensor
from torch.nn import functional as F

from components.base.export import NamedArray
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import ids_if_any, token_ids
from components.caches.tables import tables
from components.charts.heatmap import heatmap, shared_bound
from components.embedding.one_hot import largest_difference
from components.figures.cells import full_color, number
from components.figures.drawing import Slider
from components.lessons.attention.choices import KINDS, MAX_TOKENS, VIEWS, Choices
from components.lessons.attention.figure import POSITIONS, weights_figure
from components.lessons.attention.hands import hands_figure, signed_offset, three_pairs
from components.lessons.attention.reading import (
    Reading,
    changes,
    last_first,
    order_of,
    read,
    scores_by_pairing,
    sequence_if_any,
    sequence_of,
)
from components.questions.quiz import Question
from components.text.token_ids import out_of_range
from components.text.window_counts import typed_batch
from components.ui.batch import ids_or_show_error, token_names
from components.ui.blocks import notice, option_buttons, show_chart, show_shape, show_table
from components.ui.download_registry import register
from components.ui.figure import show_figure, show_widened
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.sections import section
from components.ui.session import current
from components.ui.state import bind_choice, change_choices, register_widget

ADDED = """GPT-2 and the original Transformer add positions; most recent models have no position embedding table: they \
rotate queries and keys (RoPE)."""
OFF = "Position embeddings are off in All settings, so nothing is added."
MASK_ALONE = (
    "With a causal mask alone an output depends on which tokens come before it, in one layer not on their order."
)
SAME = 1e-6  # weights that differ by less are equal up to rounding
VECTORS = {"q": "Queries", "k": "Keys", "v": "Values"}
ROPE = "[RoPE, Su et al. (2021)](https://arxiv.org/abs/2104.09864)"
ALIBI = "[ALiBi, Press et al. (2021)](https://arxiv.org/abs/2108.12409)"
MODELS = f"""
| what is done with the position | in | models |
| --- | --- | --- |
| a row is added to the token embedding | the input | the original Transformer (sinusoidal), GPT-2 (learned) |
| queries and keys are rotated: {ROPE} | every layer and head | Llama, GPT-J, GPT-NeoX, most recent models |
| scores are lowered with the distance: {ALIBI} | every layer and head | BLOOM, MPT |
"""


def text_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program. Raises ValueError if there is no sequence, or one with IDs out of range."""
    sequence = sequence_of(token_ids, state.settings, state.choices.first_token)
    if problem := out_of_range(sequence, state.settings.vocab_size):
        raise ValueError(problem)
    query, key = state.choices.pair(len(sequence))
    typed = {"typed_ids": typed_batch(state.settings)} if state.settings.typed else {}
    return {"query": query, "key": key, **typed}


def show_text(state: State) -> None:
    """Show what an untrained head makes of up to nine tokens of the text, or why it cannot."""
    settings, choices = state.settings, state.choices
    ids = sequence_or_show_error(state)
    if ids is None:
        return
    longer = replace(settings, context_length=max(settings.context_length, len(ids)), batch_size=1)
    reading = read(ids, tables(longer, ids), settings, choices)
    names = names_of(state, reading.ids)
    asked, case = ("rotary", "hands") if choices.shows_hands else ("shuffle", "text")
    question = first_question(asked)
    masked = is_masked(question, case, about=[asked])
    if choices.shows_hands:
        show_hands(reading, names, state, question, masked)
    else:
        show_weights(reading, names, state, question, masked)
    register(lambda: export(reading))
    if len(names) > 1:
        title = "**Shuffle the words**, with and without mask and positions"
        section(title, show_shuffles, reading, names, choices, masked)
    title = "**Queries, keys and values**, and the same by PyTorch in one call"
    section(title, show_vectors, reading, names, choices.causal)
    section("**Both pairings of RoPE**, and what newer models do", show_pairings, reading, names, choices)


def sequence_or_show_error(state: State) -> Tensor | None:
    """Return the IDs [n] that the heads read; or show an error with a fix and return None."""
    settings, first = state.settings, state.choices.first_token
    ids = ids_or_show_error(state, lambda tokens: torch.tensor([sequence_of(tokens, settings, first)]))
    return None if ids is None else ids[0]


def names_of(state: State, ids: Tensor) -> list[str]:
    return [f"ID {i}" for i in ids.tolist()] if state.settings.typed else token_names(state, ids)


def first_token_slider(state: State) -> Slider | None:
    """Return the slider for the first token that is read; None if the heads read all."""
    last = 0 if state.settings.typed else last_first(len(token_ids(state.settings.tokenizer, state.text)))
    return Slider("first_token", "First token", min(state.choices.first_token, last), last) if last else None


def tokens_read(state: State, slider: Slider | None, n: int) -> str:
    """Return which tokens are the n that the heads read; `slider` is that for the first one."""
    if state.settings.typed:
        return f"The first sequence: {'its first ' * (n == MAX_TOKENS)}{pluralize(n, 'ID')}"
    if slider:
        return f"Tokens {slider.value:,} to {slider.value + n - 1:,} of {slider.high + n:,}"
    return f"The whole text: {pluralize(n, 'token')}"


def text_controls(choices: Choices) -> None:
    option_buttons("Positions", "attention_positions", KINDS, label_visibility="collapsed")
    if choices.attention_positions == "rotary":
        option_buttons("View", "attention_view", VIEWS, label_visibility="collapsed")
    if not choices.shows_hands:
        st.toggle("Causal mask", width="content", **bind_choice("causal"))
        st.toggle("Shuffle", width="content", **bind_order("shuffled"))


def bind_order(name: str) -> dict[str, Any]:
    """Register a widget of a choice that orders the tokens: those that are query and key stay the same."""
    learner = current()
    lesson = learner.page

    def change(entry: Any) -> None:
        before = learner.state.lesson(lesson)
        change_choices(**{name: entry})
        if n := len(sequence_if_any(before, ids_if_any(before.settings, before.text))):
            order, reordered = (order_of(n, each.choices) for each in (before, learner.state.lesson(lesson)))
            query, key = (reordered.index(order[position]) for position in before.choices.pair(n))
            change_choices(query=query, key=key)

    return register_widget(f"{lesson}_{name}", getattr(learner.state.lessons[lesson], name), change)


def show_weights(reading: Reading, names: list[str], state: State, question: Question | None, masked: bool) -> None:
    choices, query = state.choices, min(state.choices.query, len(names) - 1)
    shuffled = changes_by_shuffle(reading, choices)
    slider, n = first_token_slider(state), len(names)
    which = f"{tokens_read(state, slider, n)}, read by an untrained head"
    full = full_color(state.settings.trained, reading.steps.v)
    change = shuffled and shuffled[1]
    off = choices.attention_positions == "added" and reading.position is None
    used = replace(choices, attention_positions="none") if off else choices
    show_widened(weights_figure, names, reading.steps, used, query, which, change, masked, slider, full)
    predict(question, case="text")
    kind, n_read = choices.attention_positions, query + 1 if choices.causal else n
    read = reading.steps.weights[query, :n_read]
    rows = f"{n_read} of the {n}" if n_read < n else "both" if n == 2 else f"all {n}"
    largest = (read > read.max() - SAME).nonzero().flatten().tolist()  # several for copies of one token
    at = f"“{names[largest[0]]}” at position{'s' * (len(largest) > 1)} {', '.join(map(str, largest))}"
    mixture = f"a mixture of {rows} value rows, with the largest weight, {read.max():.2f}, on {at}; "
    mixture += "the head is random, so its weights mean nothing."
    if n_read == 1:
        mixture = "its own value row, with a weight of 1: there is no other token that it may read."
    elif len(largest) == n_read:
        mixture = f"a mixture of {rows} value rows, each with a weight of {read.max():.2f}."
    sentences = [f"The output of “{names[query]}” at position {query} is {mixture}"]
    plain = (kind == "none" or off) and not choices.causal
    if n > 1 and reading.shuffled == [*range(n)]:
        sentences.append(f"Shuffle seed {choices.order_seed} leaves every token at its position: no output changes.")
    elif shuffled and not masked:
        by = "less than 0.0000001" if shuffled[0] < 1e-7 else f"at most {shuffled[0]:.7f}"
        sentences.append(
            f"Shuffling changes the outputs by {by} without mask and positions, a rounding error"
            + ("." if plain else f"; with your settings, by up to {shuffled[1]:.4f}.")
        )
    if off:
        sentences.append(OFF)
    elif kind != "none":
        sentences.append(ADDED)
    elif choices.causal:
        sentences.append(MASK_ALONE)
    notice(sentences)


def changes_by_shuffle(reading: Reading, choices: Choices) -> tuple[float, float] | None:
    """Return the largest change of an output if the tokens are shuffled: without mask and positions, and as chosen."""
    if len(reading.ids) < 2:
        return None
    plain = changes(reading, "none", False, reading.shuffled)
    chosen = changes(reading, choices.attention_positions, choices.causal, reading.shuffled)
    return plain.max().item(), chosen.max().item()


def show_hands(reading: Reading, names: list[str], state: State, question: Question | None, masked: bool) -> None:
    m, n = state.choices.pair(len(names))
    query, key = reading.x[m] @ reading.head.query, reading.x[n] @ reading.head.key  # [d], [d]
    now, later, exchanged = placed = three_pairs(query, key, m, n)
    show_figure(hands_figure(names, placed, query, key, first_token_slider(state), masked))
    predict(question, case="hands")
    scores = [number(each.terms.sum().item(), 4) for each in placed]
    pair = f"A query at {now.m} and a key at {now.n} have the score {scores[0]}"
    if masked:
        return notice([f"{pair}. Its scores at other positions are still hidden."])
    turned = f" Exchanged, the offset is {signed_offset(exchanged.n - exchanged.m)} and the score {scores[2]}."
    notice(
        [
            f"{pair}, at {later.m} and {later.n} the score {scores[1]}: it depends on the signed offset "
            f"{signed_offset(now.n - now.m)} alone.{turned * (m != n)}",
            "With a causal mask no query reads a later key, so only offsets up to 0 occur.",
        ]
    )


def show_shuffles(reading: Reading, names: list[str], choices: Choices, masked: bool) -> None:
    st.slider("Shuffle seed", 0, 99, **bind_order("order_seed"))
    n, order = len(names), reading.shuffled
    st.markdown(f"Order: {', '.join(map(str, order))}. The largest change of any token's output:")
    off = " (off in All settings)" if reading.position is None else ""
    show_table(
        {"positions": name + (off if kind == "added" else "")}
        | {
            title: "?" if masked else f"{changes(reading, kind, causal, order).max():.7f}"
            for title, causal in (("without a mask", False), ("with a causal mask", True))
        }
        for kind, name in POSITIONS.items()
    )
    if masked:
        answer_first()
    exchanged = changes(reading, "none", True, [1, 0, *range(2, n)]).tolist()
    at = [order.index(t) if choices.shuffled else t for t in range(n)]
    alike, in_text = reading.ids[at[0]] == reading.ids[at[1]], [names[each] for each in at]
    st.markdown("No positions, causal mask, and only the tokens at positions 0 and 1 are exchanged:")
    show_table(
        {"position": str(t), "token": name, "change of its output": f"{change:.7f}"}
        for t, (name, change) in enumerate(zip(in_text, exchanged, strict=True))
    )
    st.markdown(
        "With a causal mask an output depends on its token and on which tokens are before it, not on their order."
        + " Here the exchanged tokens are equal, so nothing changes." * alike
        + " Here later tokens read the same ones, so their outputs are the same up to rounding; in a second layer they "
        "would change as well." * (n > 2 and not alike)
    )


def show_vectors(reading: Reading, names: list[str], causal: bool) -> None:
    """Show queries, keys and values [n, d] as heatmaps on one scale, and the outputs by the one call of torch."""
    steps, (n, D) = reading.steps, reading.x.shape
    d = steps.q.shape[1]
    show_shape("x", (n, D), "combined", "[n, D]: what the head reads, one row for each token")
    st.markdown(
        "The head reads up to nine tokens as one sequence, whatever T is: as many as the figure has room for. Three "
        f"random matrices [D, d] = [{D}, {d}], sampled from N(0, 1) and divided by √D, turn x into queries, keys "
        f"and values [n, d] = [{n}, {d}] (d = D, one more if D is odd, at most 64 as in GPT-2). In a trained model "
        "they are what is learned."
    )
    shown = {name: getattr(steps, name).numpy() for name in VECTORS}
    bound = shared_bound(*shown.values())
    keys = [str(t) for t in range(n)]
    for name, title in VECTORS.items():
        show_chart(
            heatmap(shown[name], names, keys, bound, f"{name}[{{row}}, {{column}}]"),
            f"{title} [{n}, {d}]; {name}[0, 0] = {number(shown[name][0, 0].item(), 4)}.",
        )
    st.code(f"torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal={causal})")
    by_torch = F.scaled_dot_product_attention(steps.q, steps.k, steps.v, is_causal=causal)
    st.markdown(
        f"Its outputs [{n}, {d}] differ from those of the figure by at most "
        f"{largest_difference(by_torch, steps.out):.7f}."
    )


def show_pairings(reading: Reading, names: list[str], choices: Choices) -> None:
    m, n = choices.pair(len(names))
    found = scores_by_pairing(reading.rows, reading.head)
    d = reading.steps.q.shape[1]
    titles = {
        "neighbors": ("RoFormer, GPT-J, Meta's Llama", "0, 1"),
        "halves": ("GPT-NeoX, Llama in transformers", f"0, {d // 2}"),
        "halves, permuted": ("the same, weights permuted to match", f"0, {d // 2}"),
    }
    show_table(
        {
            "pairing": name,
            "where": where,
            "first pair": columns,
            f"score of query {m}, key {n}": number(found[name][m, n].item(), 4),
            "largest difference from neighbors": f"{largest_difference(found[name], found['neighbors']):.7f}",
        }
        for name, (where, columns) in titles.items()
    )
    st.markdown(
        "The same query and key weights, no positions added, no mask. Which two columns are a pair is a convention: "
        "transformers permutes the columns of Llama's query and key weights, and then the scores agree up to rounding. "
        "Weights that are used with the other pairing and not permuted give different scores from d = 4 on, unless "
        "query and key are at the same position, and no error is raised."
    )
    st.markdown(MODELS)
    st.markdown(
        "Without any of these a causal model still depends on order, by the mask alone: in one layer an output depends "
        "on which tokens come before it; from the second layer on, also on their order."
    )


def export(reading: Reading) -> dict[str, NamedArray]:
    steps = reading.steps
    return {
        "sequence": NamedArray(reading.ids.numpy(), ("t",)),
        "x": NamedArray(reading.x.numpy(), ("t", "d")),
        **{name: NamedArray(getattr(steps, name).numpy(), ("t", "d")) for name in ("q", "k", "v", "out")},
        "weights": NamedArray(steps.weights.numpy(), ("query", "key")),
    }
