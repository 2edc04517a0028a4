"""Scaling by sqrt(D): norms of token and position embeddings, their ratio, the cosine to the sum; what others do."""

from dataclasses import replace
from math import isinf

import streamlit as st
from torch import Tensor

from components.base.settings import Settings
from components.embedding.norm_ratio import INIT_STDS, norm_ratio
from components.lessons.combine.choices import Choices
from components.ui.blocks import show_table
from components.ui.state import bind_choice
from components.ui.tables import tables

QUANTITIES = {
    "token norm": "token",
    "position norm": "position",
    "token / position": "ratio",
    "cosine of sum and token": "cosine",
}
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
    names = INIT_STD_NAMES.__getitem__
    st.segmented_control(
        "Standard deviations of the initial weights",
        list(INIT_STDS),
        format_func=names,
        required=True,
        **bind_choice("spread", default="default"),
    )
    for column, position_type in zip(st.columns(2), ("learned", "sinusoidal"), strict=True):
        position = tables(replace(settings, position=position_type)).position[: token.shape[1]]
        results = {
            scale: norm_ratio(token, position, choices.spread, scale, position_type == "learned")
            for scale in (False, True)
        }
        heads = {False: "tokens as they are", True: "tokens × √D"}
        if position_type == settings.position and choices.spread == "1":  # the tables of the other pages
            heads[settings.scale] += " (now)"
        with column:
            st.markdown(f"**{position_type.capitalize()} positions**")
            show_table(
                [
                    {
                        "mean": name,
                        **{heads[scale]: format_number(getattr(result, field)) for scale, result in results.items()},
                    }
                    for name, field in QUANTITIES.items()
                ]
            )
            if isinf(results[False].ratio):
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
