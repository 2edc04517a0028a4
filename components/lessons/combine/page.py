"""The page of the lesson on the combined embedding: the sum block by block, and what follows from it."""

import math
from collections.abc import Mapping

import streamlit as st
import torch
from torch import Tensor

from components.base.link import State
from components.caches.tables import tables
from components.embedding.norm_ratio import move_token
from components.embedding.walkthrough import walk
from components.figures.pager import shown_rows
from components.lessons.combine.figure import combine_figure
from components.lessons.combine.figure_move import move_figure
from components.lessons.combine.page_norms import norm_comparison
from components.lessons.combine.page_steps import show_steps
from components.programs.lesson_values import batch_values
from components.text.token_ids import same_id_elsewhere
from components.ui.batch import journey_batch, row_label, token_names
from components.ui.blocks import index_field, notice, section
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict

program_values = batch_values


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    ids = journey_batch(state)
    if ids is None:
        return
    steps = walk(ids, settings, tables(settings))
    (B, T), D = ids.shape, settings.dim
    b, t, d = at = min(choices.b, B - 1), min(choices.t, T - 1), min(choices.d, D - 1)
    rows = shown_rows(T, t)
    names = token_names(state, ids, range(b * T + rows.start, b * T + rows.stop))
    question = first_question()
    masked = is_masked(question)
    show_figure(combine_figure(steps, names, at, masked))
    predict(question)
    notice(observations(steps, masked))
    if part := section("**Step by step**, from IDs to the sum", "steps"):
        with part:
            show_steps(state, steps, names, at, masked)
    if "position" in steps and T > 1 and (part := section("**Move a token** to another position", "move")):
        with part:
            show_moved_token(state, steps, b, d)
    if T * D > 1 and (part := section("**Another element**: any position, any column", "window")):
        with part:
            left, right = st.columns(2)
            with left:
                index_field("Position t", "t", T)
            with right:
                index_field("Column d", "d", D)
    if part := section("**Scaling by √D**, and what other models do", "norms"):
        with part:
            norm_comparison(steps["token"], settings, choices)


def observations(steps: Mapping[str, Tensor], masked: bool) -> list[str]:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    token, combined = steps.get("scaled", steps["token"]), steps["combined"]
    B, T, D = combined.shape
    sentences = []
    for token_id, (b1, t1), (b2, t2) in same_id_elsewhere(steps["ids"].tolist())[:1]:
        one, other = combined[b1, t1], combined[b2, t2]
        sentences.append(
            f"ID {token_id:,} has the same token embedding at positions {t1} (b = {b1}) and {t2} (b = {b2}); its two "
            f"combined embeddings differ by up to {(one - other).abs().max():.2f}, with a cosine similarity of "
            f"{torch.cosine_similarity(one, other, dim=0):.2f}."
        )
    if "position" not in steps:
        sentences.append(f"Positions are off: each of the {B * T:,} combined embeddings is a token embedding alone.")
    else:
        cosine = torch.cosine_similarity(combined, token, dim=-1).mean()
        sentences.append(
            "The token is still in the sum: combined and token embeddings have a mean cosine similarity of "
            f"{cosine:.2f}."
        )
        if B > 1 and not masked:
            sentences.append(f"The same {T:,} × {D:,} position numbers are added to each of the B = {B:,} sequences.")
    return sentences


def show_moved_token(state: State, steps: Mapping[str, Tensor], b: int, d: int) -> None:
    """Show how the combined embedding of a token changes at another position, in column d above all."""
    T, D = steps["position"].shape
    left, right = st.columns(2)
    with left:
        start = index_field("Token at position", "move", T)
    with right:
        to = index_field("To position", "to", T)
    token_id, position = int(steps["ids"][b, start]), steps["position"]
    token = steps.get("scaled", steps["token"])[b, start]
    moved = move_token(token, position, start, to)
    name = f"W[{token_id}]" + (f" × √{D}" if "scaled" in steps else "")
    root = math.sqrt(D) if "scaled" in steps else 1.0
    show_figure(move_figure(name, token, position, (start, to), moved, d, root), "_move")
    st.caption(
        f"{escape_markdown(row_label(state, token_id))} of sequence {b}: one term changes, the token embedding is the "
        f"same. Column {d} changes from {moved.before[d]:.4f} to {moved.after[d]:.4f}; over all {D:,} columns the "
        f"largest change is {moved.largest:.4f}, and the two sums have a cosine similarity of {moved.cosine:.4f}."
    )
