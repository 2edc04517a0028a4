"""The section of the lesson on positions with GPT-2's learned table: a helix, and which positions are alike.

Every sentence is computed from the rows, and has a variant for each outcome: another table gives other sentences.
"""

from functools import lru_cache

import streamlit as st

from components.base.settings import Settings
from components.caches.trained import gpt2_positions
from components.downloads.gpt2 import RowFile, row_file
from components.embedding.gpt2 import Helix, cosine_by_distance, helix
from components.embedding.positions import similarity, sinusoidal_positions
from components.figures.cells import number
from components.figures.drawing import Figure
from components.lessons.positions.figure_trained import helix_figure
from components.ui.figure import show_figure
from components.ui.sections import section
from components.ui.trained_table import offer_trained

FAR = 50  # positions apart
CLEARLY = 0.05  # a difference of cosine similarities
EVERY = 8  # positions between those of the images


def add_trained_section(settings: Settings) -> None:
    """Add all learned positions of GPT-2 beside sinusoidal ones; with the random table, what there is to choose."""
    if not settings.trained:
        offer_trained()
    else:
        section("**All learned positions** of GPT-2: a helix?", show_all_learned)


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
    shares = ", ".join(f"{100 * share:.1f} %" for share in found.shares)
    first, second = (component + 1 for component in found.plane)
    plane = f"in the plane of components {first} and {second}"
    about = f"The first three principal components explain {shares} of the variance."
    if found.winds:
        return (
            f"{about} In them the positions form a helix, with {found.turns:.1f} turns {plane}; training has made it."
        )
    return (
        f"{about} They do not wind: {plane}, {100 * found.steady:.0f} % of the steps turn in the same direction, "
        f"{found.turns:.1f} turns in all. This table has no helix."
    )


def alike_in_words(near: float, far: float, rows: str) -> str:
    """Return what the mean cosine similarities of neighbors and of rows far apart say about a trained table."""
    means = f"{rows} neighbors have a mean of {number(near, 3)}, rows {FAR} apart one of {number(far, 3)}"
    if near > far + CLEARLY:
        return f"{means}: that neighbors are alike was learned"
    return f"{means}: in this table nearby positions are not more alike"
