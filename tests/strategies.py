"""Hypothesis strategies: valid settings, choices and states of the app."""

from hypothesis import strategies as st

from components.base.field_types import BooleanField, ChoiceField, FieldType, FloatField, IntegerField, field_types_of
from components.base.limits import MAX_BATCH_CELLS, MAX_TABLE_CELLS
from components.base.link import AppState
from components.base.presets import SAMPLE_TEXT
from components.base.settings import Settings
from tests.states import CHOICES


def valid_values(kind: FieldType) -> st.SearchStrategy:
    """Return a strategy for the values that a field accepts."""
    match kind:
        case IntegerField(_, low, high):
            return st.integers(low, high)
        case FloatField(_, low, high):
            return st.floats(low, high)
        case ChoiceField(_, options):
            return st.sampled_from(options)
        case BooleanField():
            return st.booleans()
    return st.text(max_size=20)


@st.composite
def valid_settings(draw: st.DrawFn) -> Settings:
    """Return valid settings, of any size within the limits."""
    values = {name: draw(valid_values(kind)) for name, kind in field_types_of(Settings).items()}
    values["vocab_size"] = min(values["vocab_size"], MAX_TABLE_CELLS // values["dim"])
    most = max(1, MAX_BATCH_CELLS // values["dim"] // values["context_length"])
    values["batch_size"] = min(values["batch_size"], most)
    return Settings(**values)


def valid_choices(own: type) -> st.SearchStrategy:
    return st.builds(own, **{name: valid_values(kind) for name, kind in field_types_of(own).items()})


def valid_app_states() -> st.SearchStrategy[AppState]:
    """Return a strategy for the states of the app; defaults, which a link leaves out, are among them."""
    choices = {lesson: st.just(own()) | valid_choices(own) for lesson, own in CHOICES.items()}
    settings, text = st.just(Settings()) | valid_settings(), st.just(SAMPLE_TEXT) | st.text()
    return st.builds(AppState, st.fixed_dictionaries(choices), settings, text, st.booleans())
