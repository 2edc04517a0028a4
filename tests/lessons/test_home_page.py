import re

import pytest

from components.base.presets import PRESETS
from tests.app_driver import PAGES, AppDriver


def shapes(app):
    return re.findall(r"^### (.*)$", app.words, re.MULTILINE)[:5]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"V": 50_257, "D": 6, "T": 5, "B": 3, "stride": 5}, "20 tokens|[3, 5]|[3, 5, 6]|[5, 6]|[3, 5, 6]"),
        ({"position": "none", "B": 4, "batch": 1}, "20 tokens|[4, 4]|[4, 4, 16]|none|[4, 4, 16]"),
        ({"ids": "1 2; 3 4"}, "20 tokens|[2, 2]|[2, 2, 16]|[2, 16]|[2, 2, 16]"),
        ({"text": "a"}, "1 token|[–, 4]|[–, 4, 16]|[4, 16]|[–, 4, 16]"),
    ],
)
def test_journey_has_the_shapes_of_the_settings(query, wanted):
    app = AppDriver().open(**query)
    assert "|".join(shapes(app)) == wanted
    if "–" not in wanted:
        assert f"**token_table(ids)**] `{shapes(app)[2]}`" in app.open("lookup").open_sections().words


def test_journey_names_a_problem_of_text_or_ids():
    (sentence,) = AppDriver().open(text="Hello", T=4).errors()
    assert "4 are missing" in sentence
    (sentence,) = AppDriver().open(V=100).errors()
    assert sentence.startswith("ID 464 at position 0, and 16 more, are out of range for V = 100")


@pytest.mark.parametrize("name", ["Toy table", "GPT-2 small"])
def test_preset_changes_settings_and_not_the_text(name):
    app = AppDriver().open(text="a text of my own", ids="1 2").set(home_preset=name)
    assert app.state.settings == PRESETS[name].settings
    assert app.state.text == app.widget("text").value == "a text of my own"
    assert PRESETS[name].note in app.words


def test_opened_lessons_are_counted():
    app = AppDriver().open("lookup").open("glossary").open("combine").open("home")
    assert f"2 of {len(PAGES) - 2} lessons" in app.at.get("progress")[0].proto.text
