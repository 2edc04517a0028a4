"""The section of the lesson on the sum with GPT-2's whole table: does a token stay recognizable in it?"""

from collections.abc import Mapping
from functools import partial

import streamlit as st
from torch import Tensor

from components.base.learner_text import visible
from components.base.settings import Settings
from components.caches.trained import mapped, table_norms
from components.downloads.gpt2 import TOKENS
from components.downloads.gpt2_offers import WholeTable
from components.embedding.gpt2 import cosines_to, nearest_rows, rank_of
from components.text.tokenizers import get_tokenizer
from components.ui.blocks import show_table
from components.ui.sections import section
from components.ui.trained_table import is_here, offer_trained

WHOLE = "It makes possible to compare a sum with all 50,257 rows: is the token still the nearest one?"


def add_trained_section(settings: Settings, steps: Mapping[str, Tensor], b: int, shown: range) -> None:
    """Add which rows of the table are nearest to the sums of sequence b; with the random table, what to choose."""
    if not settings.trained:
        offer_trained()
    elif "position" in steps:
        nearest = partial(show_nearest_sums, steps, b, shown)
        section("**Nearest rows to a sum**: is the token recognizable?", nearest)


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
                "cosine of sum and token": f"{cosines[token_id]:.4f}",
                "rank of the token": f"{ranks[-1]:,}",
                "row nearest to the sum": f"{visible(name(nearest.row))} ({nearest.cosine:.4f})",
            }
        )
    show_table(rows)
    st.markdown(recognizable(ranks, len(table)))


def recognizable(ranks: list[int], V: int) -> str:
    """Return what the ranks of tokens, by their cosine similarity to their sums, say.

    >>> recognizable([1, 3], 50_257)
    'In 1 of 2 sums the row of the token is still the nearest of 50,257; the worst rank is 3.'
    """
    nearest = ranks.count(1)
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
