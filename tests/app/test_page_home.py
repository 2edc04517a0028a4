"""Home: the shapes on the way from text to embeddings, and the presets."""

import re

import pytest
from driver import PAGES, AppDriver

from components.base.presets import PRESETS, SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer


def cards(app):
    """Return the large line of every card, in order."""
    return re.findall(r"^### (.*)$", app.words, re.MULTILINE)


def test_journey_shows_the_shapes_of_own_settings():
    app = AppDriver().open(V=50_257, D=6, T=5, B=3, stride=5)
    tokens = len(get_tokenizer("gpt2").encode(SAMPLE_TEXT))
    assert cards(app)[:5] == [f"{tokens} tokens", "[3, 5]", "[3, 5, 6]", "[5, 6]", "[3, 5, 6]"]
    assert "[50,257, 6]" in app.words


@pytest.mark.parametrize(
    ("key", "value", "shapes"),
    [
        ("row_dim", 8, ["[2, 4]", "[2, 4, 8]", "[4, 8]", "[2, 4, 8]"]),
        ("all_batch_size", 1, ["[1, 4]", "[1, 4, 16]", "[4, 16]", "[1, 4, 16]"]),
        ("all_position", "none", ["[2, 4]", "[2, 4, 16]", "none", "[2, 4, 16]"]),
        ("text", "the cat in the hat sat", ["[1, 4]", "[1, 4, 16]", "[4, 16]", "[1, 4, 16]"]),
    ],
)
def test_a_change_updates_every_shape(key, value, shapes):
    assert cards(AppDriver().open().set(**{key: value}))[1:5] == shapes


@pytest.mark.parametrize(
    "query", [{"B": 4, "batch": 1}, {"T": 3, "stride": 1, "B": 8, "batch": 2}, {"ids": "1 2; 3 4"}]
)
def test_home_shows_the_shape_that_lookup_has(query):
    app = AppDriver().open(**query)
    shown = cards(app)[2]
    assert f"**token_table(ids)**] `{shown}`" in app.open("lookup").words


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_changes_settings_and_not_the_text(name):
    app = AppDriver().open(text="a text of my own", ids="1 2").set(home_preset=name)
    assert app.state.settings == PRESETS[name].settings
    assert app.state.text == app.widget("text").value == "a text of my own"
    assert PRESETS[name].note in app.words


def test_a_text_too_short_for_a_window_is_named():
    (sentence,) = AppDriver().open(text="Hello", T=4).errors()
    assert "4" in sentence
    assert "missing" in sentence


def test_a_token_out_of_range_is_named():
    (sentence,) = AppDriver().open(V=100).errors()
    assert sentence.startswith("ID 464 at position 0, and 16 more, are out of range for V = 100")
    assert not AppDriver().open(V=50_257).errors()


def test_one_token_is_written_in_the_singular():
    app = AppDriver().open(text="a", T=4)
    assert cards(app)[:2] == ["1 token", "[–, 4]"]
    assert cards(app)[3] == "[4, 16]"
    assert "1 character of yours" in app.words


def test_opened_lessons_are_counted():
    app = AppDriver().open()
    lessons = [page for page in PAGES if page not in ("home", "glossary")]
    for number, page in enumerate(lessons, start=1):
        (bar,) = app.open(page).open().at.get("progress")
        assert f"{number} of {len(lessons)} lessons" in bar.proto.text
