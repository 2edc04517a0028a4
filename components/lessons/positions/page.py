"""The page of the lesson on positions: the figure, the table and its columns, layouts, the shuffle, and padding."""

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st
import torch
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import LAYOUTS, Settings
from components.base.text_format import numbered, percent, pluralize
from components.caches.tables import positions, tokens
from components.caches.trained import gpt2_positions
from components.charts.heatmap import NORMAL_BOUND, heatmap, shared_bound
from components.downloads.gpt2 import RowFile, row_file
from components.embedding.gpt2 import Helix, cosine_by_distance, helix
from components.embedding.norm_ratio import expected_norm
from components.embedding.order import change_by_order, shuffled_order
from components.embedding.positions import (
    error_past_the_end,
    rates,
    similarity,
    sinusoidal_positions,
    tensor2tensor_rates,
)
from components.figures.cells import FULL_COLOR, amount, full_color, number
from components.figures.drawing import Figure
from components.lessons.positions.charts import wave_chart
from components.lessons.positions.choices import SHOWN
from components.lessons.positions.figure import Kind, compared_with, kinds_of, pair_columns, positions_figure
from components.lessons.positions.figure_trained import helix_figure
from components.programs.lesson_values import batch_values
from components.ui.batch import batch_or_show_error, row_label
from components.ui.blocks import index_field, notice, show_chart, show_shape, show_table
from components.ui.download_registry import register
from components.ui.error_lab_links import offer_experiment
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice
from components.ui.trained_table import offer_trained

WITHOUT_POSITIONS = """Without positions nothing is added to the token embedding. Attention without a mask then does \
not depend on the order of the tokens; with a causal mask an output still depends on which tokens come before it."""
MODELS = """The original Transformer added sinusoidal rows, GPT-2 adds learned ones, and most recent models have no \
position embedding table: they rotate queries and keys (RoPE)."""
ROWS, COLUMNS = 24, 48
WAVE_POSITIONS = 64  # of a formula, which has no end
MAX_POINTS = 256
NAMES_SHOWN = 16
RATES_SHOWN = 4
program_values = batch_values
SHOWS_POSITIONS = True
FAR = 50  # positions apart
CLEARLY = 0.05  # a difference of cosine similarities
EVERY = 8  # positions between those of the images


def render(state: State) -> None:
    settings = state.settings
    position = positions(settings)
    question = first_question()
    if position is None:
        st.info("Position embeddings are off: a token has the same vector at every position.", icon=":material/block:")
    else:
        kinds = kinds_of(settings)
        masked = is_masked(question, about=["alike", "trained_alike"])
        show_figure(positions_figure(kinds, settings, state.choices.at, masked, state.choices.position_column))
        register(lambda: {"P": NamedArray(positions(settings).numpy(), ("t", "d"))})
    predict(question)
    notice([WITHOUT_POSITIONS] if position is None else observations(kinds, state, masked))
    add_sections(state, position)


def observations(kinds: dict[str, Kind], state: State, masked: bool) -> list[str]:
    settings, at = state.settings, state.choices.at
    D, T = settings.dim, settings.context_length
    first = number(kinds["sinusoidal"].rows[at, 0].item(), 3)
    begins = f", of which the first is {first}" if D > 1 else f", {first}"
    hands = "It is the sine of a clock hand that turns once in 6.28 positions"
    if D == 2:
        hands = "The two columns are the sine and cosine of a clock hand that turns once in 6.28 positions"
    elif D > 2:
        hands = "Each pair of columns is the sine and cosine of a clock hand: the first turns once in 6.28 positions"
        hands += f", each later one more slowly{'; as D is odd, the last sine has no cosine' * (D % 2)}"
    if settings.trained or settings.position == "learned":
        hands += "; the stripes and the similarities below them show the learned rows too"
        hands += f", those past T = {T} from a longer table" * (not settings.trained and T < SHOWN)
    used = "" if settings.position == "sinusoidal" else "here it is one of the learned table; "
    sentences = [
        f"Added to a token embedding, the row of its position makes the sum depend on the position: {used}in the "
        f"sinusoidal encoding that of position {at} has D = {pluralize(D, 'number')}{begins}.",
        f"{hands}.",
    ]
    learned = "while a learned table is random until it is trained"
    if settings.trained:
        rows = kinds["learned"].rows
        learned = "and of GPT-2's " + alike_in_words(
            cosine_by_distance(rows, 1), cosine_by_distance(rows, FAR), "first 128 rows"
        )
    if masked:
        table = f"The learned table has T = {pluralize(T, 'row')}"
        if settings.trained:
            table = f"GPT-2's learned table has {len(gpt2_positions()):,} rows"
        sentences.append(f"{table}; the formula has a row for any position.")
    else:
        next_one, third, _, far_one = compared_with(at)
        fixed, learned_ones = (kinds[name].cosines[at].tolist() for name in ("sinusoidal", "learned"))
        pairs = ((each[next_one], each[far_one]) for each in (fixed, learned_ones))
        (near, far), (near_learned, far_learned) = ((number(one, 3), number(other, 3)) for one, other in pairs)
        is_longer = not settings.trained and max(at, next_one, far_one) >= T
        table = "the learned table" + f" continued to {SHOWN} rows" * is_longer
        why = f"by the formula nearby positions are alike, {learned}"
        if fixed[third] < fixed[far_one]:
            why = f"by the formula neighbors are alike, though not always more than positions far apart, {learned}"
        if fixed[next_one] < fixed[far_one]:
            hands = "one hand" if D == 2 else "few hands"
            why = f"with {hands}, positions almost a whole number of turns apart are alike, near or not, {learned}"
        if D == 1:
            why = "between rows of one number it is 1 or −1, and 0 if one of the numbers is 0"
        sentences.append(
            f"In the sinusoidal encoding the cosine similarity of {at} and {next_one} is {near}, and that of {at} and "
            f"{far_one} is {far}; in {table} they are {near_learned} and {far_learned}: {why}."
        )
    return sentences


def add_sections(state: State, position: Tensor | None) -> None:
    """Add the sections below the figure; `position` is [T, D]."""
    settings = state.settings
    if position is not None:

        def columns() -> None:
            show_wave(position, state)
            show_norms(position, settings)

        section("**The table**, number by number", show_position_table, position, settings)
        section("**One column**, and the norm of each row", columns)
    if settings.position == "learned":
        table = gpt2_positions() if settings.trained else position
        section("**Past the end** of a learned table", show_row_past_the_end, table, state)
    if settings.trained:
        section("**All learned positions** of GPT-2: a helix?", show_all_learned)
    else:
        offer_trained()
    if settings.position == "sinusoidal":
        section("**Layouts**, and another formula", show_layouts, settings.dim)
    ids = batch_or_show_error(state)
    if ids is None:
        return

    def shuffle() -> None:
        token = tokens(settings, ids)(ids[0]).detach()  # [T, D]
        show_shuffle(state, ids[0].tolist(), token, None if position is None else position[: len(token)])

    def padding() -> None:
        show_padding([row_label(state, i) for i in ids[0].tolist()])

    if len(ids[0]) > 1:
        section("**Shuffle the tokens**", shuffle)
    section("**Padding** at the left", padding)


def show_position_table(position: Tensor, settings: Settings) -> None:
    T, D = position.shape
    show_shape("position", position.shape, "position", "[T, D]: one row per position, shared by all sequences")
    column = index_field("First column", "position_column", max(1, D - COLUMNS + 1), step=COLUMNS)
    part = position[:ROWS, column : column + COLUMNS].numpy()
    full = full_color(settings.trained, position)
    bound = 1.0 if settings.position == "sinusoidal" else NORMAL_BOUND * full / FULL_COLOR
    rows = range(len(part))
    show_chart(
        heatmap(part, [f"t = {t}" for t in rows], rows, bound, "P[{row}, {column}]", column),
        f"{numbered('Position', 0, len(part) - 1)} of {T:,}, "
        f"{numbered('column', column, column + part.shape[1] - 1)} of {D:,}. "
        f"P[0, {column}] = {number(part[0, 0], 4)}.",
    )


def show_wave(position: Tensor, state: State) -> None:
    settings = state.settings
    T, D = position.shape
    column = index_field("Column", "wave", D)
    beyond = ""
    if settings.position == "sinusoidal" and T < WAVE_POSITIONS:
        position = sinusoidal_positions(WAVE_POSITIONS, D, settings.layout)
        beyond = f" The formula also works beyond T = {T}; {WAVE_POSITIONS} positions are shown."
    elif T > MAX_POINTS:
        beyond = f" The first {MAX_POINTS} of {T:,} positions are shown."
    values = position[:MAX_POINTS, column].numpy()
    low, high = number(values.min(), 4), number(values.max(), 4)
    goes = f"goes from {low} to {high}"
    if low == high:  # of one position, or of a hand that hardly turns
        goes = f"is {low} at {pluralize(len(values), 'position')}{', up to rounding' * (len(values) > 1)}"
    show_chart(wave_chart(values, column), f"Column {column} {goes}.{beyond}")


def show_norms(position: Tensor, settings: Settings) -> None:
    D = position.shape[1]
    norms, expected = position.norm(dim=1), expected_norm(D, settings.position)
    low, high = (f"{each:.4f}" for each in (norms.min(), norms.max()))
    formula = "√(D/2)" if settings.position == "sinusoidal" else "√D"
    meaning = "is the norm of every row, exactly"
    if settings.position == "learned":
        meaning = "is the root-mean-square norm of rows sampled from N(0, 1)"
    elif D % 2:
        meaning = "is the norm for even D only: here the last sine has no cosine"
    st.markdown(
        f"**Norm of each row**: {low if low == high else f'from {low} to {high}'}; {formula} = **{expected:.4f}** "
        f"{meaning}."
    )


def show_row_past_the_end(position: Tensor, state: State) -> None:
    T = len(position)
    st.markdown(
        f"**Past the end.** The learned table ends at row {T - 1:,}. Row {T:,} raises "
        f"`{error_past_the_end(position)}`: the message of an out-of-range token ID, but here the position embedding "
        f"table is too short. The formula has a row for any position. {MODELS}"
    )
    offer_experiment(state, "past_position_table", "See a sequence longer than the table")


def show_shuffle(state: State, ids: list[int], token: Tensor, position: Tensor | None) -> None:
    st.slider("Shuffle seed", 0, 99, **bind_choice("shuffle_seed"))
    order = shuffled_order(len(token), state.choices.shuffle_seed)
    names = [row_label(state, i) for i in ids]
    moved_names = [f":blue-background[{escape_markdown(names[i])}]" for i in order[:NAMES_SHOWN]]
    st.markdown("Order now: " + " → ".join([*moved_names, *["…"] * (len(order) > NAMES_SHOWN)]))
    added = 0 if position is None else position
    change = change_by_order(lambda tokens: tokens + added, token, order)  # [T, D]
    part = change[:ROWS, :COLUMNS].numpy()
    moved = sum(t != i for t, i in enumerate(order))
    part_shown = f"The first {ROWS} are shown. " if len(order) > ROWS else ""
    show_chart(
        heatmap(part, names[: len(part)], range(len(part)), shared_bound(part), "change[{row}, {column}]"),
        f"The change of each token's combined embedding after the shuffle: {moved:,} of {len(order):,} tokens moved; "
        f"the largest change is {amount(change.abs().max().item(), 4)}. {part_shown}"
        + ("Without positions at most the order of the rows differs." if position is None else ""),
    )


def show_layouts(D: int) -> None:
    paper, other = rates(D), tensor2tensor_rates(D)
    shown = sorted({*range(len(paper))[: RATES_SHOWN - 1], len(paper) - 1})
    rows = [
        {
            "pair i": str(i),
            **{layout: ", ".join(map(str, pair_columns(i, D, layout))) for layout in LAYOUTS},
            "rate, the paper": f"{paper[i]:.6g}",
            "rate, tensor2tensor": f"{other[i]:.6g}" if i < len(other) else "none",
        }
        for i in shown
    ]
    if len(shown) < len(paper):
        rows.insert(-1, dict.fromkeys(rows[0], "…"))
    show_table(rows)
    st.markdown(
        "Pair i is sin(rate · t) and cos(rate · t) of position t: 2i and 2i + 1 count columns, not tokens. The two "
        "layouts have exactly equal columns, from D = 3 on in another order. tensor2tensor, the code published with "
        "the paper, has the halves layout and, from D = 4 on, different rates, 10000^(−i / (⌊D/2⌋ − 1)) instead of "
        "10000^(−2i / D): the last is exactly 1/10000. An odd D raises no error: in this app the last sine has no "
        f"cosine, in tensor2tensor the last column is 0. {MODELS}"
    )


def show_padding(names: Sequence[str]) -> None:
    """Show which positions the tokens of a sequence get after two tokens of padding."""
    mask = torch.tensor([0, 0] + [1] * len(names))
    counted, corrected = torch.arange(len(mask)), (mask.cumsum(0) - 1).masked_fill(mask == 0, 0)
    show_table(
        {"token": name, "mask": str(m), "counted from the left": str(a), "by the mask": str(b)}
        for name, m, a, b in zip(
            ["<pad>", "<pad>", *names][:ROWS], mask.tolist(), counted.tolist(), corrected.tolist(), strict=False
        )
    )
    if len(mask) > ROWS:
        st.caption(f"{numbered('Position', 0, ROWS - 1)} of {len(mask):,}.")
    st.markdown(
        "Positions start at 0, and padding counts too: with two tokens of padding at the left, "
        f"{escape_markdown(names[0])} is at position 2 instead of 0. The `forward` of GPT-2 in transformers counts "
        "from the left whatever the mask is; its `generate` computes positions from the mask, as in the last column "
        "(padding gets position 0 there, in older releases 1, and is masked in attention)."
    )


def show_all_learned() -> None:
    figure, sentences = _learned(row_file())
    show_figure(figure, "_helix")
    st.markdown(sentences)


@lru_cache(1)
def _learned(file: RowFile) -> tuple[Figure, str]:
    P = gpt2_positions()  # [T, D]
    S = sinusoidal_positions(*P.shape)
    found = helix(P[1:])
    alike = [similarity(rows[::EVERY]).numpy() for rows in (P, S)]
    figure = helix_figure(found, alike, len(P))
    learned, formula = ([cosine_by_distance(rows, n) for n in (1, FAR)] for rows in (P, S))
    band = alike_in_words(*learned, f"these {len(P):,} rows")
    return figure, (
        f"{winding_in_words(found)} Position 0 is left out of this projection. Cosine similarities: of {band}. The "
        f"sinusoidal encoding has {number(formula[0], 3)} and {number(formula[1], 3)}, by its formula."
    )


def winding_in_words(found: Helix) -> str:
    shares = ", ".join(percent(share, 1) for share in found.shares)
    first, second = (component + 1 for component in found.plane)
    plane = f"in the plane of components {first} and {second}"
    about = f"The first three principal components explain {shares} of the variance."
    if found.winds:
        return (
            f"{about} In them the positions form a helix, with {found.turns:.1f} turns {plane}; training has made it."
        )
    return (
        f"{about} They do not wind: {plane}, {percent(found.steady)} of the steps turn in the same direction, "
        f"{found.turns:.1f} turns in all. This table has no helix."
    )


def alike_in_words(near: float, far: float, rows: str) -> str:
    """Return in words whether neighbors are more alike than rows far apart in a trained table, by mean similarities."""
    means = f"{rows} neighbors have a mean cosine similarity of {number(near, 3)}, rows {FAR} apart {number(far, 3)}"
    if near > far + CLEARLY:
        return f"{means}: that neighbors are alike was learned"
    return f"{means}: in this table nearby positions are not more alike"
