"""The settings in the sidebar: the same on every page, with one meaning everywhere."""

import streamlit as st

from components.core.limits import MAX_SEED, MAX_TABLE_CELLS, readable_bytes, table_bytes
from components.core.link import PRESETS, State, preset_of
from components.core.settings import LAYOUTS, POSITIONS, TOKENIZERS
from components.ui.state import among, bound, change_preset, change_settings, setting

# A slider goes through values worth trying; the entry beside it takes any value.
V_STEPS = [*range(1, 13), 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 32_000]
V_STEPS += [50_257, 100_277, 200_019]
D_STEPS = [*range(1, 9), 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1_024]
SEED_STEPS = list(range(201))

TOKENIZER_NAMES = {
    "words": "Words of your text",
    "gpt2": "GPT-2 (byte pairs)",
    "cl100k_base": "cl100k_base (GPT-4)",
    "o200k_base": "o200k_base (GPT-4o)",
}
OWN = "Own settings"


def slider_and_entry(label: str, name: str, value: int, steps: list[int], about: str) -> None:
    """Draw a slider through `steps` and an entry for exact values, both for the shared setting `name`."""
    nearest = max((step for step in steps if step <= value), default=steps[0])
    with st.container(horizontal=True, wrap=False, vertical_alignment="bottom", gap="small"):
        tied = bound(f"slider_{name}", nearest, change_settings, name)
        st.select_slider(label, steps, help=about, format_func=lambda step: f"{step:,}", **tied)
        st.number_input(f"{label}, exact", step=1, label_visibility="collapsed", width=104, **setting(name))


def settings_panel(state: State) -> None:
    """Draw every shared setting, and under the table's own the memory that it takes."""
    settings = state.settings
    preset = preset_of(state)
    names = [OWN, *PRESETS]
    tied = bound("preset", preset or OWN, lambda name: name == OWN or change_preset(name))
    about = "A starting point: settings, and in some presets IDs. Your text stays."
    st.selectbox("Preset", names, help=about, **among(names, tied))
    st.caption(PRESETS[preset].note if preset else "Settings of your own; a preset would replace them.")
    slider_and_entry("V", "vocab_size", settings.vocab_size, V_STEPS, "Vocabulary size: the rows of the token table.")
    slider_and_entry("D", "dim", settings.dim, D_STEPS, "Embedding dimension: how many numbers each row holds.")
    seed_help = f"The start of the random numbers, 0 to {MAX_SEED:,}: the same seed gives the same tables."
    slider_and_entry("Seed", "seed", settings.seed, SEED_STEPS, seed_help)
    cells = settings.vocab_size * settings.dim
    st.caption(
        f"Token table: {settings.vocab_size:,} × {settings.dim:,} × 4 bytes = "
        f"**{readable_bytes(table_bytes(cells, 1))}** (limit {readable_bytes(table_bytes(MAX_TABLE_CELLS, 1))})"
    )
    with st.container(horizontal=True, wrap=False, gap="xsmall"):
        st.number_input("T", step=1, help="Context length: tokens in one window.", **setting("context_length"))
        st.number_input("Stride", step=1, help="How far the window moves each time.", **setting("stride"))
        st.number_input("B", step=1, help="Batch size: windows in one batch.", **setting("batch_size"))
    tied = among(TOKENIZERS, setting("tokenizer"))
    st.selectbox("Tokenizer", TOKENIZERS, format_func=TOKENIZER_NAMES.__getitem__, **tied)
    st.segmented_control("Positions", POSITIONS, required=True, **setting("position", "default"))
    st.toggle("Scale tokens by √D", help="Multiply token vectors by sqrt(D) before the sum.", **setting("scale"))
    if settings.position == "sinusoidal":
        about = "Interleaved: sin, cos, sin, cos. Halves: all sines, then all cosines."
        st.segmented_control("Sinusoidal layout", LAYOUTS, required=True, help=about, **setting("layout", "default"))
