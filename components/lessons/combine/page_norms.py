"""Scaling by sqrt(D): norms of token and position embeddings, their ratio, the cosine to the sum; what others do."""

from dataclasses import replace
from math import isinf

import streamlit as st
from torch import Tensor

from components.base.settings import Settings
from components.caches.tables import tables
from components.embedding.norm_ratio import INIT_STDS, norm_ratio
from components.lessons.combine.choices import Choices
from components.ui.blocks import show_table
from components.ui.state import bind_choice

HEADINGS = ("token norm", "position norm", "token / position", "cosine of sum and token")  # of a NormRatio
OTHER_WAYS = """GPT-2 and the original Transformer add position embeddings, as here. Most recent models add nothing: \
they rotate queries and keys by angles that depend on the position (RoPE, Su et al. 2021). A few add to each attention \
score a number that depends on the distance (ALiBi, Press et al. 2021: BLOOM, MPT). In none of them does the token \
embedding table have columns for positions."""
INIT_STD_NAMES = {
    "1": "1 (nn.Embedding)",
    "D^-0.5": "1/√D (original Transformer)",
    "0.02": "0.02 tokens, 0.01 positions (GPT-2)",
}


def norm_comparison(token: Tensor, settings: Settings, choices: Choices) -> None:
    """Show norms and cosines for each scale and position type; `token` is the batch [B, T, D]."""
    st.markdown("Scaling multiplies the token embeddings by √D before the sum. Does it balance token and position?")
    st.segmented_control(
        "Standard deviations of the initial weights",
        list(INIT_STDS),
        format_func=INIT_STD_NAMES.get,
        required=True,
        **bind_choice("init_std", default="default"),
    )
    rows = []
    for kind in ("learned", "sinusoidal"):
        position = tables(replace(settings, position=kind)).position[: token.shape[1]]
        for scale in (False, True):
            result = norm_ratio(token, position, choices.init_std, scale, kind == "learned")
            # The tables of the other pages have a standard deviation of 1.
            now = " (now)" if (kind, scale, choices.init_std) == (settings.position, settings.scale, "1") else ""
            row = {"positions": kind, "tokens": ("times √D" if scale else "as they are") + now}
            rows.append(row | dict(zip(HEADINGS, map(format_number, result), strict=True)))
    show_table(rows)
    if isinf(result.ratio):
        st.caption("∞: position 0 of one dimension is sin(0) = 0, and there is no other position.")
    st.caption(
        "Means over your batch, before any training. Cosine similarity near 1: the token dominates the sum; near 0: "
        "the position does. Whether √D balances the two norms depends on the initial weights: the original Transformer "
        "multiplied by √D, GPT-2 did not. A sinusoidal encoding has no weights to initialize."
    )
    st.markdown(OTHER_WAYS)


def format_number(value: float) -> str:
    """Return a number to 4 decimals, or the sign of infinity."""
    return "∞" if isinf(value) else f"{value:.4f}"
