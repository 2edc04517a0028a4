"""The page of the lesson on the embedding lookup: the IDs, the token embedding table, and the rows copied from it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import numbered, pluralize
from components.caches.encoding import gpt2_token
from components.caches.tables import tokens
from components.caches.trained import batch_rows, mapped, table_norms
from components.charts.heatmap import NORMAL_BOUND, heatmap
from components.downloads.gpt2 import TOKENS
from components.downloads.gpt2_offers import WholeTable
from components.embedding.gpt2 import UNUSED_IDS, Near, cosines_to, mean_cosine, near_unused, nearest_rows, rank_of
from components.figures.cells import FULL_COLOR, full_color, number
from components.figures.columns import shown_rows
from components.lessons.lookup.charts import norms_chart
from components.lessons.lookup.choices import DTYPES, Choices
from components.lessons.lookup.figure import MAX_TOKENS, lookup_figure
from components.programs.lesson_values import batch_values
from components.text.token_ids import repeated_ids
from components.text.tokenizers import get_tokenizer
from components.ui.batch import batch_or_show_error, token_names
from components.ui.blocks import index_field, notice, option_buttons, show_chart, show_shape, show_table
from components.ui.download_registry import register
from components.ui.figure import show_widened
from components.ui.markdown import escape_markdown
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice
from components.ui.trained_table import is_here, offer_trained

ROWS, COLUMNS = 12, 16
SHOWN = 8
FEW = 10  # ranks up to here are near
MERGES = range(256, 50_256)  # IDs in the order of the merges: the more frequent a token, the earlier it was merged
GROUP = 1_000  # tokens at either end of them
LONGER, TOGETHER = 1.05, 0.02  # how many times as long, and by how much more alike, is more than chance
# As Land and Bartolo (2024) list them for GPT-2 small.
UNDERTRAINED = (40_241, 30_905, 39_752, 36_173, 30_212)
AMONG = 100  # the rows nearest to unused ones that these are looked for in
MAGIKARP = 43_453  # " SolidGoldMagikarp"


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program that are not in the state; `input` is a function of Python."""
    return batch_values(state, token_ids) | {"input_shape": state.choices.input}


def rows_shown(state: State, token_ids: np.ndarray) -> list[int]:
    """Return the rows of the table that this page reads: those of the batch, and those listed from a chosen one on."""
    used, choices, V = batch_rows(state.settings, token_ids), state.choices, state.settings.vocab_size
    first = min(choices.row, max(0, V - ROWS))
    return used if choices.rows_in_use and used else [*used, *range(first, first + ROWS)]


def render(state: State) -> None:
    settings, choices = state.settings, state.choices
    batch = batch_or_show_error(state)
    table = tokens(settings).weight.detach()
    used: set[int] = set()
    if batch is not None:
        ids = shaped(batch, choices)
        used = set(ids.flatten().tolist())
        question = first_question()
        masked, shown = is_masked(question), shown_rows(ids.numel(), choices.lookup_token, MAX_TOKENS)
        full = full_color(settings.trained, table[ids])
        names = token_names(state, ids, shown)
        show_widened(lookup_figure, ids, names, shown, table, choices.column, masked, full)
        predict(question)
        notice(observations(ids, settings))
        register(lambda: lookup_export(ids, settings))

    def show_rows() -> None:
        bound = NORMAL_BOUND * full_color(settings.trained, table[sorted(used)]) / FULL_COLOR
        show_token_table(table, used, choices, bound)

    section("**The table**, row by row", show_rows)
    if not settings.trained:
        offer_trained()
    elif batch is not None:
        title = "**The whole table**: nearest rows, norms, under-trained tokens"
        section(title, show_whole_table, batch.flatten().tolist(), choices)
    if batch is not None:
        section("**Other inputs**: a sequence, a single ID, int32", choose_input, ids, settings.dim, masked)


def shaped(ids: Tensor, choices: Choices) -> Tensor:
    """Return the IDs of a batch [B, T] in the chosen shape and dtype."""
    ids = ids.int() if choices.dtype == "int32" else ids.long()
    return {"batch": ids, "sequence": ids[0], "single": ids[0, 0]}[choices.input]


def observations(ids: Tensor, settings: Settings) -> list[str]:
    flat = ids.flatten().tolist()
    rows = len(set(flat))
    select = "select" if len(flat) > 1 else "selects"
    sentences = [
        f"{pluralize(len(flat), 'ID')} {select} {rows:,} of the table's V = {pluralize(settings.vocab_size, 'row')}."
    ]
    if repeated := repeated_ids(flat):
        sentences.append(f"ID {repeated[0][0]} occurs more than once: every copy is the same row.")
    alone = "A token embedding does not depend on the tokens around it"
    if settings.trained and WholeTable().ready:
        alone += "; which rows are nearest to it is in the section “The whole table” below"
    return [*sentences, f"{alone}."]


def choose_input(ids: Tensor, D: int, masked: bool) -> None:
    shapes = {"batch": "Batch [B, T]", "sequence": "Sequence [T]", "single": "Single ID [ ]"}
    left, right = st.columns([3, 2])
    with left:
        option_buttons("Input", "input", shapes)
    right.segmented_control("dtype of the IDs", DTYPES, required=True, **bind_choice("dtype", default="default"))
    value = f"torch.tensor({ids.tolist()}, dtype={ids.dtype})" if ids.numel() <= 32 else f"...  # {list(ids.shape)}"
    st.code(f"ids = {value}\ntoken_table(ids)")
    if masked:
        answer_first()
    else:
        letters = f"the shape of the IDs, {list(ids.shape)}, and D = {D:,} after it"
        show_shape("token_table(ids)", (*ids.shape, D), "token", letters)


def lookup_export(ids: Tensor, settings: Settings) -> dict[str, NamedArray]:
    vectors = tokens(settings)(ids).detach()
    axes = ("b", "t")[2 - ids.dim() :]
    return {"input_ids": NamedArray(ids.numpy(), axes), "vectors": NamedArray(vectors.numpy(), (*axes, "d"))}


def show_token_table(table: Tensor, used: set[int], choices: Choices, bound: float) -> None:
    V, D = table.shape
    show_shape("token_table.weight", table.shape, "token", "[V, D]")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = choose_rows(V, used, choices)
        column = index_field("First column", "column", max(1, D - COLUMNS + 1), step=COLUMNS)
    part = table[rows, column : column + COLUMNS].numpy()
    names = [f"▶ {row}" if row in used else str(row) for row in rows]
    framed = [i for i, row in enumerate(rows) if row in used]
    n = len(rows)
    drawn = f"{n} of {V:,} rows, from {rows[0]:,} to {rows[-1]:,}" if n > 1 else f"Row {rows[0]:,} of {V:,}"
    show_chart(
        heatmap(part, names, rows, bound, "W[{row}, {column}]", column, framed),
        f"{drawn}; {numbered('column', column, min(column + COLUMNS, D) - 1)} of {D:,}. In use: "
        f"{pluralize(len(used), 'row')}; framed here: {len(framed)}. "
        f"W[{rows[0]}, {column}] = {number(table[rows[0], column], 4)}.",
    )


def choose_rows(V: int, used: set[int], choices: Choices) -> list[int]:
    """Render the controls for the rows of the table; return the rows, from the first chosen or those in use."""
    if V <= ROWS:
        return list(range(V))
    st.toggle("Only rows in use", disabled=not used, **bind_choice("rows_in_use"))
    if choices.rows_in_use and used:
        return sorted(used)[:ROWS]
    first = index_field("First row", "row", V - ROWS + 1, step=ROWS)
    return list(range(first, first + ROWS))


def show_whole_table(ids: list[int], choices: Choices) -> None:
    if is_here(WholeTable(), "With it a row can be compared with all 50,257."):
        show_nearest(ids, choices)
        show_norms(ids)
        show_untrained()


def near_table(found: list[Near]) -> None:
    show_table([{"token": gpt2_token(i), "ID": f"{i}", "cosine similarity": number(cosine, 4)} for i, cosine in found])


def show_nearest(ids: list[int], choices: Choices) -> None:
    """Show the rows nearest to that of a token of the text, and how near its other variant is."""
    table, norms = mapped(TOKENS), table_norms()
    token_id = ids[index_field("Token", "near_token", len(ids))]
    cosines = cosines_to(table[token_id], table, norms)
    name = escape_markdown(gpt2_token(token_id))
    st.markdown(f"Row {token_id}, {name}, has a norm of {norms[token_id]:.4f}. Of all other rows these are nearest:")
    near_table(nearest_rows(cosines, SHOWN, [token_id]))
    for each in dict.fromkeys((token_id, get_tokenizer("gpt2").encode(" can")[0])):
        st.markdown(escape_markdown(variants(each, table, norms)))


def variants(token_id: int, table: Tensor, norms: Tensor) -> str:
    """Return how near a token's row is to that of the same letters with or without a space before them."""
    gpt2 = get_tokenizer("gpt2").encoding
    token = gpt2.decode_single_token_bytes(token_id)
    spaced = token.startswith(b" ")
    try:
        other = gpt2.encode_single_token(token[1:] if spaced else b" " + token)
    except KeyError:
        return f"{'Without' if spaced else 'With'} a space before it, {gpt2_token(token_id)} is not one token."
    cosines = cosines_to(table[token_id], table, norms)
    rank, cosine = rank_of(other, cosines) - 1, cosines[other].item()  # the row itself is nearest
    both = f"{gpt2_token(token_id)} ({token_id}) and {gpt2_token(other)} ({other}) are two rows"
    ranked = f"with a cosine similarity of {number(cosine, 4)}, rank {rank:,} of {len(table) - 1:,}"
    if rank <= FEW:
        return f"{both}, {ranked}: training has made them similar."
    return f"{both}, {ranked}: in this table they are not similar."


def show_norms(used: list[int]) -> None:
    norms, table = table_norms(), mapped(TOKENS)
    shortest, longest = int(norms.argmin()), int(norms.argmax())
    show_chart(
        norms_chart(norms.numpy(), [(gpt2_token(i), norms[i].item()) for i in dict.fromkeys(used)][:SHOWN]),
        f"The norms of all {len(norms):,} rows go from {norms.min():.4f} ({gpt2_token(shortest)}) to "
        f"{norms.max():.4f} ({gpt2_token(longest)}), with a mean of {norms.mean():.4f}. Rows of {table.shape[1]:,} "
        f"numbers from N(0, 1) would have norms of about {table.shape[1] ** 0.5:.1f}; with the initial standard "
        f"deviation of 0.02, about {0.02 * table.shape[1] ** 0.5:.2f}.",
    )
    if len(norms) >= MERGES.stop:
        st.markdown(frequent_and_rare(table, norms))


def frequent_and_rare(table: Tensor, norms: Tensor) -> str:
    """Return how the tokens that were merged first, the most frequent ones, differ from those merged last."""
    first, last = slice(MERGES.start, MERGES.start + GROUP), slice(MERGES.stop - GROUP, MERGES.stop)
    early, late = norms[first].mean().item(), norms[last].mean().item()
    alike, unlike = mean_cosine(table[first], norms[first]), mean_cosine(table[last], norms[last])
    norm = "about the same norms as"
    if late > LONGER * early:
        norm = "smaller norms than"
    elif early > LONGER * late:
        norm = "larger norms than"
    together = "more alike" if alike > unlike + TOGETHER else "not more alike"
    if unlike > alike + TOGETHER:
        together = "less alike"
    return (
        f"The {GROUP:,} tokens merged first (frequent) have a mean norm of {early:.4f}, the {GROUP:,} merged last "
        f"(rare) {late:.4f}: the rows of frequent tokens have {norm} those of rare ones. Two frequent "
        f"tokens have a mean cosine similarity of {number(alike, 4)}, two rare ones of {number(unlike, 4)}: in this "
        f"table frequent tokens are {together}."
    )


def show_untrained() -> None:
    table, norms = mapped(TOKENS), table_norms()
    found = near_unused(table, norms, AMONG)
    st.markdown(
        f"IDs {UNUSED_IDS.start} to {UNUSED_IDS.stop - 1} are bytes that occur in no UTF-8 text, so their rows "
        "were never looked up. Nearest to the mean of these, and so perhaps under-trained as well (a simple form of "
        "the method of [Land and Bartolo 2024](https://arxiv.org/abs/2405.05417)):"
    )
    near_table(found[:SHOWN])
    st.markdown(escape_markdown(known_untrained(found)))


def known_untrained(found: list[Near]) -> str:
    """Return which tokens that are published as under-trained are among the rows found."""
    ranks = {near.row: rank for rank, near in enumerate(found, start=1)}
    among = [f"{gpt2_token(i)} (rank {ranks[i]})" for i in UNDERTRAINED if i in ranks]
    listed = f"these are among the first {AMONG}: {', '.join(among)}" if among else f"none is among the first {AMONG}"
    famous = f"has rank {ranks[MAGIKARP]}" if MAGIKARP in ranks else f"is not among the first {AMONG}"
    return (
        f"Of the {len(UNDERTRAINED)} tokens that the paper lists for GPT-2 small, {listed}. The famous "
        f"{gpt2_token(MAGIKARP)} {famous}."
    )
