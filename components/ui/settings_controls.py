"""The shared settings as controls: sliders, fields and choices in the row; all settings in the panel."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from components.base.limits import MAX_SEED, MAX_TABLE_CELLS, MAX_VOCAB_SIZE, table_bytes
from components.base.link import preset_of
from components.base.presets import PRESETS
from components.base.settings import (
    LAYOUTS,
    POSITIONS,
    TABLES,
    TOKENIZERS,
    Settings,
    batch_problem,
    with_trained_table,
)
from components.base.text_format import readable_bytes
from components.ui.blocks import option_list, whole_number
from components.ui.presentation import enlarged
from components.ui.state import bind_setting, change_preset, change_settings, register_widget
from components.ui.trained_table import LICENSE

# A slider goes through values worth trying; the exact field in the panel takes any value.
V_STEPS = [*range(1, 13), 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 32_000]
V_STEPS += [50_257, 100_277, MAX_VOCAB_SIZE]
D_STEPS = [*range(1, 9), 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1_024]
SEED_STEPS = list(range(201))

CUSTOM = "Custom"
SLIDERS = {
    "vocab_size": ("V", V_STEPS, "Vocabulary size: number of rows of the token embedding table."),
    "dim": ("D", D_STEPS, "Embedding dimension: how many numbers each row has."),
    "seed": ("Seed", SEED_STEPS, f"Random seed, 0 to {MAX_SEED:,}. The same seed and sizes give the same tables."),
}
FIELDS = {
    "context_length": ("T", "Context length: tokens in one window."),
    "stride": ("Stride", "Number of tokens from the start of one window to the next."),
    "batch_size": ("B", "Batch size: windows in one batch."),
}
SLIDER_WIDTH, KIND_WIDTH, FIELD_WIDTH, CHOICE_WIDTH, TABLE_WIDTH = 120, 120, 112, 216, 150  # pixels
CHOICES = {
    "table": (
        "Table",
        tuple(TABLES),
        TABLE_WIDTH,
        "Home, Lookup, Positions, Combine and Attention: embeddings sampled from the seed, or GPT-2's trained ones "
        "(OpenAI, Modified MIT License), of which the rows of your text are downloaded, 3 kB each, "
        "and 3 MB of learned positions.",
    ),
    "tokenizer": ("Tokenizer", tuple(TOKENIZERS), CHOICE_WIDTH, None),
    "position": ("Positions", POSITIONS, KIND_WIDTH, None),
    "layout": ("Layout", LAYOUTS, KIND_WIDTH, "Interleaved: sin, cos, sin, cos. Halves: all sines, then all cosines."),
}


def row_of(controls: Sequence[str], settings: Settings, trained: bool, random: bool) -> list[str]:
    """Return the names of the controls in the row; a lesson with a trained table has that choice as well.

    V and D are left out, since the trained table has its own, unless tables are `random` for want of its rows.

    >>> row_of(["vocab_size", "dim", "seed"], Settings(table="gpt2"), trained=True, random=False)
    ['table', 'seed']
    """
    if settings.table == "random" or not trained:
        return [*controls]
    return ["table", *(name for name in controls if random or name not in ("vocab_size", "dim"))]


def control(name: str, settings: Settings, area: str = "row") -> None:
    """Render the control of a shared setting; `area` distinguishes that of the row from that of the panel."""
    if name in SLIDERS:
        slider(name, settings, area)
    elif name in FIELDS:
        label, about = FIELDS[name]
        field(label, name, about, area)
    elif name == "scale":
        about = "Multiply token embeddings by √D before the sum."
        st.toggle("Scale tokens by √D", help=about, **bind_setting(name, area))
    elif name != "layout" or settings.position == "sinusoidal":
        choice(name, settings, area)


def slider(name: str, settings: Settings, area: str) -> None:
    """Render a slider through values of V, D or the seed that are worth trying; another value is shown as it is."""
    label, steps, about = SLIDERS[name]
    value = getattr(settings, name)
    nearest = max(step for step in steps if step <= value)  # the first step is the smallest valid value
    bound = register_widget(f"{area}_{name}", nearest, lambda entry: change_settings(**{name: entry}))

    def written(step: int) -> str:
        return f"{value if step == nearest else step:,}"

    st.select_slider(label, steps, help=about, format_func=written, width=enlarged(SLIDER_WIDTH), **bound)


def field(label: str, name: str, about: str, area: str) -> None:
    whole_number(label, help=about, width=enlarged(FIELD_WIDTH), **bind_setting(name, area))


def choice(name: str, settings: Settings, area: str) -> None:
    label, options, width, about = CHOICES[name]
    bound = bind_setting(name, area)
    listed = {"tokenizer": TOKENIZERS, "table": TABLES}.get(name, {})
    names = {option: listed.get(option, option) for option in options}
    if name == "position" and settings.table == "gpt2":
        names["learned"], names["sinusoidal"], width = "learned (GPT-2's)", "sinusoidal (not GPT-2's)", CHOICE_WIDTH
    option_list(label, options, bound, format_func=names.__getitem__, help=about, width=enlarged(width))


def all_settings(settings: Settings) -> None:
    """Render every shared setting in three lines; V, D and the seed are sliders with fields for exact values."""
    preset = preset_of(settings)
    with _line():
        names = [CUSTOM, *PRESETS]
        bound = register_widget("preset", preset or CUSTOM, change_preset)
        about = "A starting point: settings, and in some presets IDs. Your text stays."
        option_list("Preset", names, bound, help=about, width=enlarged(CHOICE_WIDTH))
        for name in ("tokenizer", "table", "scale"):
            control(name, settings, "all")
    with _line():
        for name, (label, _, about) in SLIDERS.items():
            control(name, settings, "all")
            field(f"{label}, exact", name, about, "exact")
    with _line():
        for name in (*FIELDS, "position", "layout"):
            control(name, settings, "all")
    cells = settings.vocab_size * settings.dim
    note = PRESETS[preset].note if preset else "Custom settings. Choosing a preset replaces them."
    st.caption(
        f"{note} Token embedding table: {settings.vocab_size:,} × {settings.dim:,} × 4 bytes = "
        f"**{readable_bytes(table_bytes(cells, 1))}** (limit {readable_bytes(table_bytes(MAX_TABLE_CELLS, 1))})"
    )
    if settings.table == "gpt2":
        used = with_trained_table(settings)
        problem = batch_problem(settings.batch_size, settings.context_length, used.dim)
        lowered = f"{problem}: they use B = {used.batch_size:,} and T = {used.context_length:,}. " if problem else ""
        st.caption(
            "With GPT-2's rows Home, Lookup, Positions, Combine and Attention have its V = 50,257, D = 768 and "
            f"tokenizer. {lowered}Your own values stay for the other lessons, and for all if the rows are not here. "
            f"{LICENSE}."
        )


def _line() -> AbstractContextManager:
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small")
