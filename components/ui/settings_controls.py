"""The shared settings as controls: sliders and choices for the row, exact fields for the panel of all settings."""

from functools import partial

import streamlit as st

from components.base.limits import MAX_SEED, MAX_TABLE_CELLS, table_bytes
from components.base.link import preset_of
from components.base.presets import PRESETS
from components.base.settings import LAYOUTS, POSITIONS, TOKENIZERS, Settings
from components.base.text_format import readable_bytes
from components.ui.presentation import enlarged
from components.ui.state import bind_options, bind_setting, bind_widget, change_preset, change_settings

# A slider goes through values worth trying; the exact field beside it takes any value.
V_STEPS = [*range(1, 13), 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 32_000]
V_STEPS += [50_257, 100_277, 200_019]
D_STEPS = [*range(1, 9), 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1_024]
SEED_STEPS = list(range(201))

TOKENIZER_NAMES = {
    "words": "Words of your text",
    "gpt2": "GPT-2 (BPE)",
    "cl100k_base": "cl100k_base (GPT-4)",
    "o200k_base": "o200k_base (GPT-4o)",
}
CUSTOM = "Custom"
SLIDERS = {
    "vocab_size": ("V", V_STEPS, "Vocabulary size: number of rows of the token embedding table."),
    "dim": ("D", D_STEPS, "Embedding dimension: how many numbers each row has."),
    "seed": ("Seed", SEED_STEPS, f"Random seed, 0 to {MAX_SEED:,}. The same seed gives the same tables."),
}
FIELDS = {
    "context_length": ("T", "Context length: tokens in one window."),
    "stride": ("Stride", "Number of tokens from the start of one window to the next."),
    "batch_size": ("B", "Batch size: windows in one batch."),
}
SLIDER_WIDTH, KIND_WIDTH, FIELD_WIDTH, CHOICE_WIDTH = 130, 120, 112, 216  # pixels


def slider(name: str, settings: Settings, area: str) -> None:
    """Render a slider through values of V, D or the seed that are worth trying."""
    label, steps, about = SLIDERS[name]
    value = getattr(settings, name)
    nearest = max((step for step in steps if step <= value), default=steps[0])
    bound = bind_widget(f"{area}_{name}", nearest, lambda entry: change_settings(**{name: entry}))
    st.select_slider(
        label, steps, help=about, format_func=lambda step: f"{step:,}", width=enlarged(SLIDER_WIDTH), **bound
    )


def field(name: str, settings: Settings, area: str) -> None:
    """Render the field for the exact value of T, the stride or B."""
    label, about = FIELDS[name]
    st.number_input(label, step=1, help=about, width=enlarged(FIELD_WIDTH), **bind_setting(name, area))


def tokenizer_choice(settings: Settings, area: str) -> None:
    """Render the choice of the tokenizer."""
    bound = bind_options(TOKENIZERS, bind_setting("tokenizer", area))
    st.selectbox(
        "Tokenizer", TOKENIZERS, format_func=TOKENIZER_NAMES.__getitem__, width=enlarged(CHOICE_WIDTH), **bound
    )


def position_choice(settings: Settings, area: str) -> None:
    """Render the choice of the position embeddings."""
    bound = bind_options(POSITIONS, bind_setting("position", area))
    st.selectbox("Positions", POSITIONS, width=enlarged(KIND_WIDTH), **bound)


def layout_choice(settings: Settings, area: str) -> None:
    """Render the choice of the sinusoidal layout, if the positions are sinusoidal."""
    if settings.position == "sinusoidal":
        about = "Interleaved: sin, cos, sin, cos. Halves: all sines, then all cosines."
        bound = bind_options(LAYOUTS, bind_setting("layout", area))
        st.selectbox("Layout", LAYOUTS, help=about, width=enlarged(KIND_WIDTH), **bound)


CONTROLS = {
    **{name: partial(slider, name) for name in SLIDERS},
    **{name: partial(field, name) for name in FIELDS},
    "tokenizer": tokenizer_choice,
    "position": position_choice,
    "layout": layout_choice,
}


def all_settings(settings: Settings) -> None:
    """Render every shared setting; V, D and the seed also as fields for exact values."""
    preset = preset_of(settings)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        names = [CUSTOM, *PRESETS]
        bound = bind_options(names, bind_widget("preset", preset or CUSTOM, change_preset))
        about = "A starting point: settings, and in some presets IDs. Your text stays."
        st.selectbox("Preset", names, help=about, width=enlarged(CHOICE_WIDTH), **bound)
        for name, (label, _, about) in SLIDERS.items():
            CONTROLS[name](settings, "all")
            bound = bind_setting(name, "exact")
            st.number_input(f"{label}, exact", step=1, help=about, width=enlarged(FIELD_WIDTH), **bound)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for name in ("tokenizer", *FIELDS, "position", "layout"):
            CONTROLS[name](settings, "all")
        about = "Multiply token embeddings by sqrt(D) before the sum."
        st.toggle("Scale tokens by √D", help=about, **bind_setting("scale", "all"))
    cells = settings.vocab_size * settings.dim
    note = PRESETS[preset].note if preset else "Custom settings. Choosing a preset replaces them."
    st.caption(
        f"{note} Token table: {settings.vocab_size:,} × {settings.dim:,} × 4 bytes = "
        f"**{readable_bytes(table_bytes(cells, 1))}** (limit {readable_bytes(table_bytes(MAX_TABLE_CELLS, 1))})"
    )
