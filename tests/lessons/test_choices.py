from collections import Counter

import pytest

from components.base.export import NamedArray
from components.base.field_types import field_types_of
from components.base.limits import MAX_TEXT_CHARS
from components.base.link import to_query
from components.base.settings import SYMBOLS, Settings
from components.failures.catalogue import FAILURES
from components.ui.download_registry import registered
from tests.app_driver import AppDriver
from tests.figures.drawn import chosen
from tests.states import CHOICES, app_state

OWN = [(lesson, name) for lesson, own in CHOICES.items() for name in field_types_of(own)]


def test_names_in_a_link_have_one_meaning_each():
    names = [*field_types_of(Settings), *(name for _, name in OWN), *SYMBOLS]
    names += ["v", "present", "text", "packed_text", "long_text"]
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_choices_of_a_position_reach_the_end_of_the_longest_text():
    assert CHOICES["tokens"](word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS).word == MAX_TEXT_CHARS
    last = 4 * MAX_TEXT_CHARS
    assert CHOICES["windows"](window_index=last).window_index == Settings(batch=last).batch


def test_states_of_all_sessions_can_be_keys_of_caches():
    assert [own for own in (Settings, *CHOICES.values()) if own.__hash__ is None] == []


LONG = "She left the bank for the riverbank. " * 40
HANDS = {"head": "text", "attention_view": "hands", "attention_positions": "rotary"}
SCENES = [{}, {"scene": "step"}, {"scene": "step", "vectors": "text"}, {"scene": "film"}]
MODES = {  # of lessons whose controls depend on a choice
    "attention": [{}, {"head": "meaning"}, {"head": "text"}, HANDS],
    "errors": [{"experiment": name} for name in FAILURES],
    "word2vec": [*SCENES, *({"scene": "analogy", "view": view} for view in ("analogy", "map", "neighbors"))],
}
ELSEWHERE = {"home_column", "near_token", "gpt2_head", "sentence"}  # with GPT-2's rows, or by a button


@pytest.mark.parametrize("lesson", CHOICES)
def test_every_choice_is_set_by_a_control_or_in_the_figure(lesson):
    found = {*ELSEWHERE}
    for mode in MODES.get(lesson, [{}]):
        state = app_state(Settings(dim=64, context_length=16, position="learned"), LONG, **mode)
        app = AppDriver().open(lesson, **to_query(state)).open_sections()
        keys = [str(getattr(each, "key", None)).partition(".")[0] for each in app.elements()]
        own = f"{mode.get('experiment', lesson)}_"
        found |= {*keys} | {("lab_" if lesson == "errors" else "") + key.removeprefix(own) for key in keys}
        arrays = [each for each in registered(app.learner).values() if isinstance(each, NamedArray)]
        sizes = [(axis, size) for each in arrays for axis, size in zip(each.axes, each.array.shape, strict=True)]
        assert len({size for axis, size in sizes if axis == "d"}) <= 1
        limits = [(each.help, each.min, each.max) for each in app.at.number_input if "From " in (each.help or "")]
        assert all(f"From {low:,.0f} to {high:,.0f}." in about for about, low, high in limits)
        if figure := app.learner.outputs.figure:
            found |= {name for each in chosen(figure) for name in each} | {figure.slider and figure.slider.choice}
    assert [name for of, name in OWN if of == lesson and name not in found] == []
