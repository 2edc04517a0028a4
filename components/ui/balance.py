"""The sqrt(D) laboratory: who is louder in the sum, token or position, and on what that depends."""

from dataclasses import replace
from math import isinf

import streamlit as st
from torch import Tensor

from components.core.balance import SPREADS, balance
from components.core.choices import Choices
from components.core.settings import Settings
from components.ui.blocks import table_of
from components.ui.state import choice
from components.ui.tables import tables

QUANTITIES = {
    "token length": "token",
    "position length": "position",
    "token / position": "ratio",
    "cosine of sum and token": "cosine",
}
SPREAD_NAMES = {"1": "1 (nn.Embedding)", "D^-0.5": "1/√D (first Transformer)", "0.02": "0.02 (GPT-2's tokens)"}


def laboratory(token: Tensor, settings: Settings, choices: Choices) -> None:
    """Draw the balance for each scale and position type at the chosen spread; `token` is the batch [B, T, D]."""
    st.header("The √D laboratory", anchor=False)
    st.caption("Scaling multiplies the token vectors by √D before the sum. Does it balance token and position?")
    names = SPREAD_NAMES.__getitem__
    st.segmented_control(
        "Spread of the initial weights",
        list(SPREADS),
        format_func=names,
        required=True,
        **choice("spread", default="default"),
    )
    for column, kind in zip(st.columns(2), ("learned", "sinusoidal"), strict=True):
        position = tables(replace(settings, position=kind)).position[: token.shape[1]]
        results = {scale: balance(token, position, choices.spread, scale, kind == "learned") for scale in (False, True)}
        heads = {False: "tokens as they are", True: "tokens × √D"}
        if kind == settings.position and choices.spread == "1":  # the tables of the other pages
            heads[settings.scale] += " (now)"
        with column:
            st.markdown(f"**{kind.capitalize()} positions**")
            table_of(
                [
                    {
                        "mean": name,
                        **{heads[scale]: _written(getattr(result, field)) for scale, result in results.items()},
                    }
                    for name, field in QUANTITIES.items()
                ]
            )
            if isinf(results[False].ratio):
                st.caption("∞: place 0 of one dimension is sin(0) = 0, and there is no other place.")
    st.caption(
        "Means over your batch, before any training. A cosine near 1 says that the sum is nearly the token alone; near "
        "0, that the position drowns it. A learned position table is drawn with the same spread as the token table."
    )


def _written(value: float) -> str:
    return "∞" if isinf(value) else f"{value:.4f}"
