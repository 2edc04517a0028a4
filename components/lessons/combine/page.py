"""The page of the lesson on the combined embedding: the sum block by block, and what follows from it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import streamlit as st
import torch
from torch import Tensor

from components.base.learner_text import visible
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import true_minus
from components.caches.tables import positions, tables
from components.caches.trained import mapped, table_norms
from components.downloads.gpt2 import TOKENS
from components.downloads.gpt2_offers import WholeTable
from components.embedding.gpt2 import cosines_to, nearest_rows, rank_of
from components.embedding.norm_ratio import NormRatio, norm_ratio
from components.embedding.walkthrough import walk
from components.figures.cells import FULL_COLOR, amount, full_color, number
from components.figures.columns import shown_rows
from components.lessons.combine.choices import INIT_STDS, Choices
from components.lessons.combine.figure import combine_figure
from components.lessons.combine.figure_move import move_figure
from components.programs.handout import cells
from components.programs.lesson_values import batch_values
from components.text.token_ids import same_id_elsewhere
from components.text.tokenizers import get_tokenizer
from components.ui.batch import batch_or_show_error, token_names
from components.ui.blocks import index_field, notice, option_buttons, show_shape, show_table
from components.ui.figure import show_widened
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.session import current
from components.ui.state import bind_choice
from components.ui.trained_table import is_here, offer_trained

PROGRAM = Path(__file__).with_name("program.py")
# The shape of each step, its color, and the title of its cell in the program.
STEPS = {
    "ids": ("[B, T]", "neutral", ""),
    "token": ("[B, T, D]", "token", "Token embeddings [B, T, D]"),
    "scaled": ("[B, T, D]", "token", "Times √D"),
    "position": ("[T, D]", "position", "Position embeddings [T, D]"),
    "position_unsqueezed": ("[1, T, D]", "position", "Broadcasting [T, D] to [B, T, D]"),
    "position_broadcast": ("[B, T, D]", "position", "Broadcasting [T, D] to [B, T, D]"),
    "combined": ("[B, T, D]", "combined", "The sum [B, T, D]"),
}
HEADINGS = ("token norm", "position norm", "token / position", "cosine of sum and token")  # of a NormRatio
CLEARLY, STILL = 1.1, 0.3  # times as long; a cosine from which on the token is in the sum
MANY = 8  # columns; the cosine of fewer may be large by chance
CLOSE = 0.995  # a cosine that two digits write as 1
OTHER_WAYS = """GPT-2 and the original Transformer add position embeddings. Most recent models add nothing: \
they rotate queries and keys by angles that depend on the position (RoPE, Su et al. 2021). A few add to each attention \
score a number that depends on the distance (ALiBi, Press et al. 2021: BLOOM, MPT). In none of them does the token \
embedding table have columns for positions."""
INIT_STD_NAMES = {
    "1": "1 (nn.Embedding)",
    "D^-0.5": "1/√D (original Transformer)",
    "0.02": "0.02 tokens, 0.01 positions (GPT-2)",
}
program_values = batch_values
SHOWS_POSITIONS = True
WHOLE = "With it a sum can be compared with all 50,257 rows: is the token still the nearest one?"


def render(state: State) -> None:
    settings, choices = state.settings, state.choices
    ids = batch_or_show_error(state)
    if ids is None:
        return
    steps = walk(ids, settings, tables(settings, ids))
    (B, T), D = ids.shape, settings.dim
    b, t, d = at = min(choices.b, B - 1), min(choices.t, T - 1), min(choices.d, D - 1)
    rows = shown_rows(T, t)
    names = token_names(state, ids, range(b * T + rows.start, b * T + rows.stop))
    question = first_question()
    masked = is_masked(question)
    full = full_color(settings.trained, steps["token"])
    show_widened(combine_figure, steps, names, at, masked, full=full)
    predict(question)
    moves = "position" in steps and T > 1 and not masked  # the sums have the shape that is asked for
    second = [partial(show_two_positions, state, steps, b, d)] if moves else []
    notice(observations(steps, masked), *second)
    section("**Step by step**, from IDs to the sum", show_steps, state, steps, names, at, masked)
    if moves:
        fields = ("Token at position", "move", T), ("To position", "to", T)
        section("**Two other positions** for a token", index_fields, *fields)
    if T * D > 1:
        fields = ("Position t", "t", T), ("Column d", "d", D)
        section("**Another element**: any position, any column", index_fields, *fields)
    if not settings.trained:
        offer_trained()
    elif "position" in steps:
        section("**Nearest rows to a sum**: is the token recognizable?", show_nearest_sums, steps, b, rows)
    section("**Scaling by √D**, and what other models do", norm_comparison, steps["token"], settings, choices)


def index_fields(*fields: tuple[str, str, int]) -> None:
    for column, field in zip(st.columns(len(fields)), fields, strict=True):
        with column:
            index_field(*field)


def observations(steps: Mapping[str, Tensor], masked: bool) -> list[str]:
    token, combined = steps.get("scaled", steps["token"]), steps["combined"]
    B, T, D = combined.shape
    sentences = []
    for token_id, (b1, t1), (b2, t2) in same_id_elsewhere(steps["ids"].tolist())[:1]:
        one, other = combined[b1, t1], combined[b2, t2]
        cosine = torch.cosine_similarity(one, other, dim=0).item()
        where = f"at positions {t1} and {t2} of sequence {b1}"
        if b1 != b2:
            where = f"at position {t1} of sequence {b1} and position {t2} of sequence {b2}"
        largest = (one - other).abs().max().item()
        similar = number(cosine, 2 if cosine < CLOSE else 4)
        change = f"differ by up to {amount(largest)} in a column, with a cosine similarity of {similar}"
        if not largest:
            change = "are equal"
        sentences.append(f"ID {token_id} has the same token embedding {where}; its two combined embeddings {change}.")
    if "position" not in steps:
        times = " times √D" * ("scaled" in steps)
        sentences.append(f"Positions are off: each combined embedding is a token embedding{times}.")
    else:
        cosine = torch.cosine_similarity(combined, token, dim=-1).mean().item()
        still = "The token is still in the sum: combined" if cosine > STILL and D >= MANY else "Combined"
        alone = " With D = 1 the cosine similarity of two vectors can only be 1 or −1." * (D == 1)
        sentences.append(f"{still} and token embeddings have a mean cosine similarity of {number(cosine, 4)}.{alone}")
        if B > 1 and not masked:
            sentences.append(f"The same {T:,} × {D:,} position numbers are added to each of the B = {B:,} sequences.")
    return sentences


def show_steps(
    state: State, steps: Mapping[str, Tensor], names: Sequence[str], at: Sequence[int], masked: bool
) -> None:
    """Show one step: its shape, its lines of PyTorch, and the figure up to it; the sum only once it is not `masked`."""
    order = list(steps)[:-1] if masked else list(steps)
    index = min(state.choices.step, len(order) - 1)
    labels, bound = [each.replace("_", " ") for each in order], bind_choice("step", len(order), "default")
    look = {"format_func": labels.__getitem__, "label_visibility": "collapsed"}
    st.segmented_control("Step", list(range(len(order))), required=True, **look, **bound)
    name = order[index]
    shape, color, title = STEPS[name]
    show_shape(name, tuple(steps[name].shape), color, f"{shape} · step {index + 1} of {len(order)}")
    if name != "ids":
        st.code(cells(PROGRAM)[title], wrap_lines=True)
    full = full_color(state.settings.trained, steps["token"])
    show_widened(combine_figure, steps, names, at, stage=name, full=full, name="_steps")


def show_two_positions(state: State, steps: Mapping[str, Tensor], b: int, d: int) -> None:
    T, D = steps["position"].shape
    start, to = min(state.choices.move, T - 1), min(state.choices.to, T - 1)
    token_id, position = int(steps["ids"][b, start]), steps["position"]
    token = steps.get("scaled", steps["token"])[b, start]
    before, after = token + position[[start, to]]  # [D], [D]
    name = f"W[{token_id}]" + (f" × √{D}" if "scaled" in steps else "")
    root = math.sqrt(D) if "scaled" in steps else 1.0
    root *= full_color(state.settings.trained, steps["token"]) / FULL_COLOR
    show_widened(move_figure, name, token, position, (start, to), d, root, name="_move")
    if start == to:
        st.caption(f"Both positions are {start}, so the sums are equal. In the section below, choose two that differ.")
        return
    largest = amount((after - before).abs().max().item(), 4)
    largest = f"over all {D:,} columns the largest change is {largest}, and " * (D > 1)
    one, other = (number(each[d].item(), 4) for each in (before, after))
    changes = f"changes from {one} to {other}" if one != other else f"is {one} at both positions, up to rounding"
    cosine = torch.cosine_similarity(before, after, dim=0).item()
    st.caption(
        f"ID {token_id} of sequence {b}: one term of its sum changes; the token embedding is the same. Column "
        f"{d} of the sum {changes}; {largest}the two sums have a cosine similarity of {number(cosine, 4)}."
    )


def trained_norms(trained: NormRatio, random: NormRatio) -> str:
    larger = "about the same norms as"
    if not 1 / CLEARLY < trained.ratio < CLEARLY:
        larger = "larger norms than" if trained.ratio > 1 else "smaller norms than"
    kept = "as much"
    if abs(trained.cosine - random.cosine) > 0.02:
        kept = "more" if trained.cosine > random.cosine else "less"
    return (
        f"Trained, the token embeddings of this batch have {larger} their position embeddings "
        f"({trained.token:.4f} and {trained.position:.4f}), and the sum has a cosine similarity of "
        f"{number(trained.cosine, 4)} to the token (random rows: {number(random.cosine, 4)}): {kept} of the token is "
        "left in it."
    )


def norm_comparison(token: Tensor, settings: Settings, choices: Choices) -> None:
    """Show norms and cosines for each scale and position type; `token` is the batch [B, T, D]."""
    st.markdown("Scaling multiplies the token embeddings by √D before the sum. Does it balance token and position?")
    option_buttons("Standard deviations of the initial weights", "init_std", INIT_STD_NAMES)
    token_std, learned_std = INIT_STDS[choices.init_std](settings.dim)
    trained = settings.trained
    learned, sinusoidal = (
        positions(replace(settings, position=kind))[: token.shape[1]] for kind in ("learned", "sinusoidal")
    )
    sampled, sampled_learned = token, learned
    if trained:  # the initial standard deviations are about random rows, the same in every run
        sampled = torch.randn(token.shape, generator=torch.Generator().manual_seed(0))
        sampled_learned = torch.randn(learned.shape, generator=torch.Generator().manual_seed(1))
    cases = {
        "learned": (sampled, sampled_learned, token_std, learned_std),
        "sinusoidal": (sampled, sinusoidal, token_std),
    }
    if trained:
        cases["GPT-2's, trained"] = (token, learned)
        in_use = "GPT-2's, trained" if settings.position == "learned" else ""
    else:
        in_use = settings.position if choices.init_std == "1" else ""  # as the tables of the other pages
    rows = []
    for kind, scale in product(cases, (False, True)):
        tokens = ("times √D" if scale else "as they are") + " (now)" * ((kind, scale) == (in_use, settings.scale))
        numbers = [true_minus(f"{value:z.4f}").replace("inf", "∞") for value in norm_ratio(*cases[kind], scale=scale)]
        rows.append({"positions": kind, "tokens": tokens} | dict(zip(HEADINGS, numbers, strict=True)))
    show_table(rows)
    if trained:
        st.markdown(trained_norms(norm_ratio(token, learned), norm_ratio(sampled, sampled_learned)))
    if any("∞" in row.values() for row in rows):
        st.caption("∞: the only position is 0, and its encoding of one number is sin(0) = 0.")
    st.caption(
        f"Means over your batch, before any training{', except in the last two rows' * trained}. With many "
        "columns, a cosine similarity near 1 means that the token dominates the sum, and near 0 that the position "
        "does. Whether √D balances the two norms depends on the initial weights: the original Transformer "
        "multiplied by √D, GPT-2 did not. A sinusoidal encoding has no weights to initialize. The lessons "
        "Training and Word2vec show how random rows come to mean something."
    )
    st.markdown(OTHER_WAYS)
    st.markdown("In a trained model both terms count: attention weights depend on what a token is and on its position.")
    path = current().lessons["attention"].path
    st.page_link(path, label="See a head being trained: Attention", icon=":material/school:")


def show_nearest_sums(steps: Mapping[str, Tensor], b: int, shown: range) -> None:
    if not is_here(WholeTable(), WHOLE):
        return
    table, norms, name = mapped(TOKENS), table_norms(), get_tokenizer("gpt2").token_bytes
    rows, ranks = [], []
    for t in shown:
        token_id, total = int(steps["ids"][b, t]), steps["combined"][b, t]  # [D]
        cosines = cosines_to(total, table, norms)
        (nearest,) = nearest_rows(cosines, 1)
        ranks.append(rank_of(token_id, cosines))
        rows.append(
            {
                "position": str(t),
                "token": visible(name(token_id)),
                "cosine of sum and token": number(cosines[token_id], 4),
                "rank of the token": f"{ranks[-1]:,}",
                "row nearest to the sum": f"{visible(name(nearest.row))} ({nearest.cosine:.4f})",
            }
        )
    show_table(rows)
    st.markdown(recognizable(ranks, len(table)))


def recognizable(ranks: list[int], V: int) -> str:
    """Return in words which ranks tokens have by their cosine similarity to their sums.

    >>> recognizable([1, 3], 50_257)
    'In 1 of 2 sums the row of the token is still the nearest of 50,257; the worst rank is 3.'
    >>> recognizable([1], 50_257)
    'The row of the token is still the nearest of 50,257 to the sum: it is recognizable.'
    >>> recognizable([7], 50_257)
    'The row of the token is not the nearest of 50,257 to the sum: ... Its rank is 7.'
    >>> recognizable([1, 1], 50_257)
    'In each of the 2 sums the row of the token is still the nearest of 50,257: it is recognizable.'
    >>> recognizable([9, 7], 50_257)
    'In none of 2 sums is the row of the token the nearest of 50,257: ... The best rank is 7.'
    """
    nearest = ranks.count(1)
    if ranks == [1]:
        return f"The row of the token is still the nearest of {V:,} to the sum: it is recognizable."
    if len(ranks) == 1:
        return (
            f"The row of the token is not the nearest of {V:,} to the sum: the position has changed the direction too "
            f"much. Its rank is {ranks[0]:,}."
        )
    if nearest == len(ranks):
        return (
            f"In each of the {len(ranks)} sums the row of the token is still the nearest of {V:,}: it is recognizable."
        )
    if not nearest:
        return (
            f"In none of {len(ranks)} sums is the row of the token the nearest of {V:,}: the position has changed the "
            f"direction too much. The best rank is {min(ranks):,}."
        )
    return (
        f"In {nearest} of {len(ranks)} sums the row of the token is still the nearest of {V:,}; the worst rank is "
        f"{max(ranks):,}."
    )
