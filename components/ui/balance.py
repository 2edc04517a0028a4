"""The sqrt(D) laboratory: who is louder in the sum, token or position, and on what that depends."""

from dataclasses import replace

import streamlit as st
from torch import Tensor

from components.core.balance import SPREADS, balance
from components.core.choices import Choices
from components.core.settings import Settings
from components.ui.blocks import predict, table_of
from components.ui.state import choice
from components.ui.tables import tables

SPREAD_NAMES = {"1": "1 (nn.Embedding)", "D^-0.5": "1/√D (first Transformer)", "0.02": "0.02 (GPT-2)"}


def laboratory(token: Tensor, settings: Settings, choices: Choices) -> None:
    """Draw the balance for each scale and position type at the chosen spread; `token` is the batch [B, T, D]."""
    st.subheader("The √D laboratory", anchor=False)
    predict(
        "Does multiplying the token vectors by √D balance token and position?",
        "It depends on the spread of the initial weights. From N(0, 1) a token row has a length near √D already, so "
        "scaling drowns the position; from N(0, 1/D) its length is near 1, and scaling lifts it to √D, beside a "
        "sinusoidal row of √(D/2).",
    )
    names = SPREAD_NAMES.__getitem__
    st.segmented_control(
        "Spread of the initial weights", list(SPREADS), format_func=names, required=True, **choice("spread")
    )
    rows = []
    for kind in ("learned", "sinusoidal"):
        position = tables(replace(settings, position=kind)).position[: token.shape[1]]
        for scale in (False, True):
            result = balance(token, position, choices.spread, scale, learned=kind == "learned")
            now = (kind, scale) == (settings.position, settings.scale)
            rows.append(
                {
                    "positions": kind,
                    "tokens × √D": "yes" if scale else "no",
                    "token length": f"{result.token:.4f}",
                    "position length": f"{result.position:.4f}",
                    "token / position": f"{result.ratio:.4f}",
                    "cosine of sum and token": f"{result.cosine:.4f}",
                    "": "◀ your settings" if now else "",
                }
            )
    table_of(rows)
    st.caption(
        "Means over your batch, before any training. A cosine near 1 says that the sum is nearly the token alone; near "
        "0, that the position drowns it. A learned position table is drawn with the same spread as the token table."
    )
