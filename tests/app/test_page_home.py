import re

import pytest
from lab import PAGES, Lab

from components.core.presets import PRESETS, SAMPLE_TEXT
from components.core.tokenizers import get_tokenizer


def cards(lab):
    """The large line of every card, in order."""
    return re.findall(r"^### (.*)$", lab.words, re.MULTILINE)


def test_the_journey_shows_the_shapes_of_the_learner_s_own_settings():
    lab = Lab().open(V=50_257, D=6, T=5, B=3, stride=5)
    tokens = len(get_tokenizer("gpt2").encode(SAMPLE_TEXT))
    assert cards(lab)[:5] == [f"{tokens} tokens", "[3, 5]", "[3, 5, 6]", "[5, 6]", "[3, 5, 6]"]
    assert "[50,257, 6]" in lab.words


@pytest.mark.parametrize(
    ("key", "value", "shapes"),
    [
        ("setting_dim", 9, ["[2, 4]", "[2, 4, 9]", "[4, 9]", "[2, 4, 9]"]),
        ("setting_batch_size", 1, ["[1, 4]", "[1, 4, 16]", "[4, 16]", "[1, 4, 16]"]),
        ("setting_position", "none", ["[2, 4]", "[2, 4, 16]", "none", "[2, 4, 16]"]),
        ("text", "the cat in the hat sat", ["[1, 4]", "[1, 4, 16]", "[4, 16]", "[1, 4, 16]"]),
    ],
)
def test_a_change_is_in_every_shape_at_once(key, value, shapes):
    assert cards(Lab().open().set(**{key: value}))[1:5] == shapes


@pytest.mark.parametrize(
    "query", [{"B": 4, "batch": 1}, {"T": 3, "stride": 1, "B": 8, "batch": 2}, {"ids": "1 2; 3 4"}]
)
def test_the_shape_foretold_at_home_is_the_shape_of_the_lookup(query):
    lab = Lab().open(**query)
    foretold = cards(lab)[2]
    assert f"**token_table(ids)**] `{foretold}`" in lab.open("lookup").words


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_changes_settings_and_ids_and_never_the_text(name):
    lab = Lab().open(text="a text of my own", ids="1 2").set(home_preset=name)
    assert lab.state.settings == PRESETS[name].settings
    assert lab.state.choices.ids == PRESETS[name].ids
    assert lab.state.text == lab.widget("text").value == "a text of my own"
    assert PRESETS[name].note in lab.words


def test_a_text_too_short_for_one_window_is_said_at_home_too():
    (sentence,) = Lab().open(text="Hello", T=4).errors()
    assert "4" in sentence
    assert "missing" in sentence


def test_a_token_without_a_row_is_said_at_home_too():
    (sentence,) = Lab().open(V=100).errors()
    assert sentence.startswith("ID 464 at place 0, and 16 more, has no row in a table of V = 100")
    assert not Lab().open(V=50_257).errors()


def test_one_is_one():
    lab = Lab().open(text="a", T=4)
    assert cards(lab)[:2] == ["1 token", "[–, 4]"]
    assert cards(lab)[3] == "[4, 16]"
    assert "1 character of yours" in lab.words


def test_opened_lessons_are_counted():
    lab = Lab().open()
    lessons = [page for page in PAGES if page not in ("home", "glossary")]
    for number, page in enumerate(lessons, start=1):
        (bar,) = lab.open(page).open().at.get("progress")
        assert f"{number} of {len(lessons)} lessons" in bar.proto.text
