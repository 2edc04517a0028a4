"""The frame around every lesson: title, toolbar, purpose, row of controls, and the link to the next lesson."""

import subprocess
import sys
from pathlib import Path

import pytest
from driver import PAGES, PANELS, AppDriver

from components.entry import LESSONS

ROOT = Path(__file__).parents[2]

VISIT_ALL_BUT_WORD2VEC = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests" / "app")!r})
from driver import PAGES, AppDriver
from components.ui.process_setup import import_all
import_all()
app = AppDriver()
for page in PAGES:
    if page != "word2vec":
        app.open(page)
print("gensim" in sys.modules)
app.open("word2vec")
print("gensim" in sys.modules)
"""


def in_frame(app):
    """Return the names of the widgets of the frame in their order, without versions."""
    keys = [str(getattr(element, "key", None)).partition(".")[0] for element in app.elements()]
    return [key for key in keys if key.startswith(("open_", "panel_", "row_"))]


@pytest.mark.parametrize("page", PAGES)
def test_page_has_title_purpose_toolbar_and_controls(page):
    app, lesson = AppDriver().open(page), LESSONS[page]
    (title,) = app.at.title
    assert title.value == ("Embedding Lab" if page == "home" else lesson.title)
    assert app.at.main.markdown[0].value == lesson.purpose
    controls = ["panel_text"] * lesson.takes_text
    if lesson.controls is not None:
        shown = [name for name in lesson.controls if name != "layout"]  # only with sinusoidal positions
        controls += [f"row_{name}" for name in shown] + ["panel_settings"]
    assert in_frame(app) == ["open_share", "open_download", "open_help", *controls]
    assert "Present" in app.labels()
    assert len(app.at.sidebar) == 0  # besides the native list of lessons


def test_no_row_of_controls_has_more_than_four_settings():
    assert max(len(lesson.controls or ()) for lesson in LESSONS.values()) <= 4


def test_every_page_ends_with_a_link_to_the_next_lesson():
    titles = [lesson.title for lesson in LESSONS.values()]
    app = AppDriver()
    for page, following in zip(PAGES, [*titles[1:], None], strict=True):
        links = [link.proto.label for link in app.open(page).at.main.get("page_link")]
        wanted = [f"Next: {following}"] if following else []
        assert [label for label in links[-1:] if label.startswith("Next")] == wanted


def test_row_shows_the_layout_only_with_sinusoidal_positions():
    app = AppDriver().open("positions")
    assert not app.widgets("row_layout")
    app.set(row_position="sinusoidal", row_layout="halves")
    assert app.state.settings.layout == "halves"


@pytest.mark.parametrize(("panel", "name"), [("text", "text"), ("settings", "preset")])
def test_a_panel_is_built_only_while_it_is_open(panel, name):
    app = AppDriver().open("lookup")
    assert not app.widgets(name)
    assert app.open_panel(panel).widgets(name)
    app.widget(f"panel_{panel}").click()
    assert not app.run().widgets(name)


def test_opening_a_panel_closes_the_other():
    app = AppDriver().open("lookup").open_panel("text").open_panel("settings")
    assert app.widgets("preset")
    assert not app.widgets("text")


@pytest.mark.parametrize("page", PAGES)
def test_pages_open_with_the_panel_of_their_lesson(page):
    app = AppDriver().open("lookup").open_panel("settings").open(page)
    wanted = {"home": "text", "tokens": "text", "lookup": "settings"}.get(page, "")
    names = {"text": "text", "settings": "preset"}
    assert [panel for panel in PANELS if app.widgets(names[panel])] == [wanted] * bool(wanted)


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ({"text": "the *cat* sat"}, "the *cat* sat"),
        ({"text": "a " * 90}, "a " * 29 + "a…"),
        ({"text": ""}, "Text: empty"),
        ({"text": " \n "}, "Text: only spaces"),
        ({"ids": "2 3; 1 1"}, "IDs 2 3; 1 1"),
    ],
)
def test_the_text_button_shows_the_input(query, label):
    shown = AppDriver().open("lookup", **query).widget("panel_text").label
    assert shown.replace("\\", "").replace("a …", "a…") == label


@pytest.mark.parametrize("page", ["windows", "lookup", "positions", "combine"])
def test_every_chart_has_a_text_alternative_on_the_page(page):
    app = AppDriver().open(page)
    assert app.charts()
    for chart in app.charts():
        assert len(chart.alt) > 20
        assert chart.alt in app.words


def test_gensim_is_imported_with_word2vec_only():
    program = [sys.executable, "-c", VISIT_ALL_BUT_WORD2VEC]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["False", "True"], done.stderr[-2_000:]
