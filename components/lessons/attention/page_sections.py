"""What is below the figure on attention: shuffles, vectors, both pairings of rotary positions, and newer models."""

import streamlit as st
from torch.nn import functional as F

from components.charts.heatmap import heatmap, shared_bound
from components.embedding.norm_ratio import shuffled_order
from components.embedding.one_hot import largest_difference
from components.lessons.attention.choices import Choices
from components.lessons.attention.figure import KINDS
from components.lessons.attention.pairings import scores_by_pairing
from components.lessons.attention.reading import Reading, changes
from components.ui.blocks import section, show_chart, show_shape, show_table
from components.ui.state import bind_choice

VECTORS = {"q": "Queries", "k": "Keys", "v": "Values"}
ROPE = "[RoPE, Su et al. (2021)](https://arxiv.org/abs/2104.09864)"
ALIBI = "[ALiBi, Press et al. (2021)](https://arxiv.org/abs/2108.12409)"
MODELS = f"""
| what is done with the position | in | models |
| --- | --- | --- |
| a row is added to the token embedding | the input | the first Transformer (sinusoidal), GPT-2 (learned) |
| queries and keys are rotated: {ROPE} | every layer and head | Llama, GPT-J, GPT-NeoX, most recent models |
| scores are lowered with the distance: {ALIBI} | every layer and head | BLOOM, MPT |
"""
MASK_ALONE = "Without any of these a causal model still depends on order: from its second layer on, by the mask alone."


def show_sections(reading: Reading, names: list[str], choices: Choices, masked: bool) -> None:
    """Show the sections below the figure, of which those that are closed are not built.

    What a shuffle changes is masked until the learner has predicted it.
    """
    n = len(names)
    if n > 1 and (part := section("**Shuffle the words**, with and without mask and positions", "shuffle")):
        with part:
            show_shuffles(reading, names, choices, masked)
    if part := section("**Queries, keys and values**, and the same by PyTorch in one call", "vectors"):
        with part:
            show_vectors(reading, names)
            show_call(reading, choices.causal)
    if part := section("**Both pairings of RoPE**, and what newer models do", "pairings"):
        with part:
            show_pairings(reading, names, choices)
            st.markdown(MODELS)
            st.markdown(MASK_ALONE)


def show_shuffles(reading: Reading, names: list[str], choices: Choices, masked: bool) -> None:
    """Show the largest change of an output by a shuffle, for all positions and masks, and what an exchange changes."""
    st.slider("Shuffle seed", 0, 99, **bind_choice("order_seed"))
    n = len(names)
    order = shuffled_order(n, choices.order_seed)
    st.markdown(f"Order: {', '.join(map(str, order))}. The largest change of any token's output:")
    off = " (off in All settings)" if reading.position is None else ""
    show_table(
        [
            {"positions": name + (off if kind == "added" else "")}
            | {
                title: "?" if masked else f"{changes(reading, kind, causal, order).max():.7f}"
                for title, causal in (("without a mask", False), ("with a causal mask", True))
            }
            for kind, name in KINDS.items()
        ]
    )
    if masked:
        st.caption("Answer the question below the figure to see the numbers.")
    exchanged = changes(reading, "none", True, [1, 0, *range(2, n)]).tolist()
    in_text = [names[order.index(t)] for t in range(n)] if choices.shuffled else names
    st.markdown("No positions, causal mask, and only the tokens at positions 0 and 1 are exchanged:")
    show_table(
        [
            {"position": str(t), "token": name, "change of its output": f"{change:.7f}"}
            for t, (name, change) in enumerate(zip(in_text, exchanged, strict=True))
        ]
    )
    st.markdown(
        "With a causal mask an output depends on the set of tokens before it. Here later tokens read the same set, so "
        "their outputs are the same up to rounding; in a second layer they would change as well."
    )


def show_vectors(reading: Reading, names: list[str]) -> None:
    """Show queries, keys and values [n, d] as heatmaps on one scale."""
    n, D = reading.x.shape
    d = reading.steps.q.shape[1]
    show_shape("x", (n, D), "combined", "[n, D]: what the head reads, one row for each token")
    st.markdown(
        "The head reads up to nine tokens as one sequence, whatever T is: as many as the figure has room for. "
        f"Three random matrices [D, d] = [{D:,}, {d}], sampled from N(0, 1) and divided by √D, make queries, keys and "
        f"values [n, d] = [{n}, {d}] of it (d = D, one more if D is odd, at most 64 as in GPT-2). In a trained model "
        "they are what is learned."
    )
    shown = {name: getattr(reading.steps, name).numpy() for name in VECTORS}
    bound = shared_bound(*shown.values())
    keys = [str(t) for t in range(n)]
    for name, title in VECTORS.items():
        show_chart(
            heatmap(shown[name], names, keys, bound, f"{name}[{{row}}, {{column}}]"),
            f"{title} [{n}, {d}]; {name}[0, 0] = {shown[name][0, 0]:.4f}.",
        )


def show_pairings(reading: Reading, names: list[str], choices: Choices) -> None:
    """Show the scores of rotary positions by both pairings, and by halves with permuted columns."""
    m, n = min(choices.query, len(names) - 1), min(choices.key, len(names) - 1)
    found = scores_by_pairing(reading.rows, reading.head)
    d = reading.steps.q.shape[1]
    titles = {
        "neighbors": ("RoFormer, GPT-J, Meta's Llama", "0, 1"),
        "halves": ("GPT-NeoX, Llama in transformers", f"0, {d // 2}"),
        "halves, permuted": ("the same, weights permuted to match", f"0, {d // 2}"),
    }
    show_table(
        [
            {
                "pairing": name,
                "where": where,
                "first pair": columns,
                f"score of query {m}, key {n}": f"{found[name][m, n]:.4f}",
                "largest difference to neighbors": f"{largest_difference(found[name], found['neighbors']):.7f}",
            }
            for name, (where, columns) in titles.items()
        ]
    )
    st.markdown(
        "The same query and key weights, no positions added, no mask. Which two columns are a pair is a convention: "
        "transformers permutes the columns of Llama's query and key weights, and then the scores agree. Weights used "
        "with the other pairing without that give other scores, and no error."
    )


def show_call(reading: Reading, causal: bool) -> None:
    """Show the one call of torch that computes the outputs, and how far it differs."""
    steps = reading.steps
    st.code(f"torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal={causal})")
    by_torch = F.scaled_dot_product_attention(steps.q, steps.k, steps.v, is_causal=causal)
    st.markdown(
        f"Its outputs [{steps.out.shape[0]}, {steps.out.shape[1]}] differ from those of the figure by at most "
        f"{largest_difference(by_torch, steps.out):.7f}."
    )
