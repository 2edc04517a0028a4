"""GPT-2's own heads: its first layer reads the learner's text, and numbers show where each head puts its weights."""

from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.caches.trained import first_layer, gpt2_positions, mapped
from components.downloads.gpt2 import TOKENS, RowFile, row_file
from components.downloads.gpt2_offers import FirstLayerOffer
from components.embedding.attention_head import HeadSteps
from components.embedding.gpt2 import Shares, run_first_layer, shares
from components.figures.cells import full_color
from components.figures.drawing import Figure, Slider
from components.figures.raster import raster
from components.lessons.attention.choices import Choices
from components.lessons.attention.figure import weights_figure
from components.lessons.attention.gpt2_figure import heads_figure
from components.lessons.attention.page_text import (
    first_token_slider,
    names_of,
    sequence_or_show_error,
    text_values,
    tokens_read,
)
from components.ui.blocks import notice, option_list, show_table
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.quiz import first_question, predict
from components.ui.sections import section
from components.ui.state import bind_choice
from components.ui.trained_table import is_here

MAX_READ = 32  # sequences, and figures of them, all sessions together: 0.15 MB each
WANG = (1, 10)  # of the first layer
NAMES = {"same": "earlier copies of the same token", "previous": "the token before", "first": "the first token"}


def gpt2_values(state: State, ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program. Raises ValueError if the page shows no numbers."""
    if not state.settings.trained or not FirstLayerOffer().ready:
        raise ValueError("GPT-2's first layer has not been fetched.")
    return text_values(state, ids)


def gpt2_controls(choices: Choices) -> None:
    layer = first_layer()
    if layer is None:
        return
    count = len(layer.norm_weight) // 64
    option_list("Head", range(count), bind_choice("gpt2_head", count), format_func="Head {}".format, width=130)


def show_gpt2(state: State) -> None:
    if not state.settings.trained:
        st.info("GPT-2's heads need its rows, which are not here. The other heads work without them.")
        return
    if not is_here(FirstLayerOffer(), "Its heads read your text: they need nothing but embeddings."):
        return
    ids = sequence_or_show_error(state)
    if ids is None:
        return
    file, sequence = row_file(), tuple(ids.tolist())
    heads, found, _ = read(file, sequence)
    head = min(state.choices.gpt2_head, len(heads.weights) - 1)
    names = names_of(state, ids)
    query = min(state.choices.query, len(names) - 1)
    slider = first_token_slider(state)
    which = tokens_read(state, slider, len(names))
    weights, maps = drawn(file, sequence, tuple(names), head, query, slider, which)
    show_figure(weights)
    predict(first_question(), case="gpt2")
    notice(observations(found, head))
    show_figure(maps, "_heads")
    section("**Where the heads put their weights**, in numbers", show_shares, found)
    register(lambda: export(ids, heads))


@lru_cache(MAX_READ)
def read(file: RowFile, ids: tuple[int, ...]) -> tuple[HeadSteps, list[Shares], list[tuple[str, ...]]]:
    """Return what the heads in a file make of a sequence, where each puts its weights, and these as images."""
    sequence = torch.tensor(ids)
    heads = run_first_layer(mapped(TOKENS)[sequence] + gpt2_positions()[: len(ids)], first_layer())
    found = [shares(weights, sequence) for weights in heads.weights]
    return heads, found, [raster(weights.numpy(), 1.0) for weights in heads.weights]


@lru_cache(MAX_READ)
def drawn(
    file: RowFile,
    ids: tuple[int, ...],
    names: tuple[str, ...],
    head: int,
    query: int,
    slider: Slider | None,
    which: str,
) -> tuple[Figure, Figure]:
    """Return the figures of one head and of all: most reruns change neither."""
    heads, found, images = read(file, ids)
    steps = HeadSteps(*(tensor[head] for tensor in heads))
    which += f", read by GPT-2's head {head}"
    choices, full = Choices(causal=True, attention_positions="added"), full_color(True, steps.v)
    return (
        weights_figure(names, steps, choices, query, which, None, False, slider, full),
        heads_figure(images, found, head),
    )


def observations(found: Sequence[Shares], head: int) -> list[str]:
    sentences = []
    for name in ("same", "previous"):
        weights = [getattr(each, name) for each in found]
        if not any(map(isnan, weights)):
            best = weights.index(max(weights))
            also = " (the one shown)" if best == head else ""
            sentences.append(
                f"Head {best}{also} gives the most weight to {NAMES[name]}: {weights[best]:.2f} on average."
            )
        elif name == "same":
            sentences.append("No token occurs twice here, so no head can read an earlier copy.")
    return [*sentences, known_heads(found)]


def known_heads(found: Sequence[Shares]) -> str:
    """Return whether the heads that are published as reading earlier copies do so among these tokens."""
    ranked = sorted(range(len(found)), key=lambda head: -found[head].same)
    if any(isnan(each.same) for each in found):
        return "Wang et al. (2022) find that heads 1 and 10 of this layer read earlier copies: repeat a word to see."
    ranks = [ranked.index(head) + 1 for head in WANG]
    agree = "as here" if max(ranks) <= 3 else "here other heads do so more"
    if min(ranks) <= 3 < max(ranks):
        agree = f"here {min(zip(ranks, WANG, strict=True))[1]} alone is among the first three"
    return (
        f"Wang et al. (2022) find that heads 1 and 10 of this layer read earlier copies: {agree} "
        f"(ranks {ranks[0]} and {ranks[1]} of {len(found)})."
    )


def show_shares(found: Sequence[Shares]) -> None:
    show_table(
        {"head": str(head)}
        | {
            f"on {NAMES[name]}": f"{value:.4f}" if value == value else "–"
            for name, value in zip(NAMES, each, strict=True)
        }
        for head, each in enumerate(found)
    )
    st.markdown(
        "Each number is a mean over the queries that have such a key; the weight of a token on itself is not counted. "
        "The input of the layer is token + position embedding after a layer norm; head h has columns 64 h to 64 h + "
        "63 of queries, keys and values. That heads 1 and 10 read earlier copies of the same token is a finding of "
        "[Wang et al. (2022)](https://arxiv.org/abs/2211.00593)."
    )


def export(ids: Tensor, heads: HeadSteps) -> dict[str, NamedArray]:
    return {
        "sequence": NamedArray(ids.numpy(), ("t",)),
        **{name: NamedArray(getattr(heads, name).contiguous().numpy(), ("head", "t", "d")) for name in ("q", "k", "v")},
        "weights": NamedArray(heads.weights.numpy(), ("head", "query", "key")),
        "out": NamedArray(heads.out.numpy(), ("head", "t", "d")),
    }
