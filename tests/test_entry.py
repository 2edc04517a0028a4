"""What is true of the page of every lesson."""

import re
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest
import streamlit as st
import torch

from components.base.link import read_query, to_query
from components.base.settings import Settings
from components.caches.tables import tables
from components.entry import LESSONS
from tests.app_driver import APP, PAGES, AppDriver, data_of
from tests.figures.drawn import names, texts
from tests.states import app_state
from tests.varied_states import MODES

EVERY_PAGE = pytest.mark.parametrize("page", PAGES)
WITHOUT_TEXT = ("attention", "errors", "word2vec", "reproduce", "glossary")  # at first
# Numbers in no figure or chart of the page, which the tests of single pages and of programs compare.
COMPUTED = re.compile(
    r"Over all windows.* there|ln V = \S+|take \S+ MB|\S+ tokens per|turns once in \S+|similarity of \d+ and .*?:"
    r"|differ by up to \S+|change is \S+|its score .* from the position|rows was \S+ at the start and is \S+"
    r"|norm of about .* 0\.02|to the power \S+|never negative \(\S+|it was \S+ at the start|ends at \S+"
    r"|at most \S+ without mask|average two .*words have \D+\S+ here"
)


def numbers(words):
    """Return the numbers in a text, with their sign and without thousands separators."""
    found = re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?", words.replace("−", "-"))
    return {number.replace(",", "") for number in found}


def check_drawn(words, drawn):
    for number in numbers(COMPUTED.sub("", words)):
        _, point, digits = number.partition(".")  # those without a point are sizes
        close = (abs(float(number) - float(each)) < 0.501 * 0.1 ** len(digits) for each in drawn)
        assert not point or any(close), f"{number} in {words}"


@EVERY_PAGE
def test_page_has_toolbar_and_the_controls_of_its_lesson(page):
    app, lesson = AppDriver().open(page), LESSONS[page]
    keys = [str(getattr(each, "key", None)).partition(".")[0] for each in app.at.main]
    controls = ["panel_text"] * (page not in WITHOUT_TEXT)
    if lesson.controls is not None:
        assert len(lesson.controls) <= 4
        controls += [f"row_{name}" for name in lesson.controls]
        controls += ["panel_settings"]
    frame = [key for key in keys if key.startswith(("open_", "panel_", "row_"))]
    assert frame == ["open_share", "open_download", "open_help", "open_class", *controls]
    assert len(app.at.sidebar) == 0  # besides the native list of lessons


def test_navigation_lists_all_lessons_and_hides_in_presentation(monkeypatch):
    listed, show = [], st.navigation

    def record(sections, **look):
        assert [*sections] == ["", "Text to IDs", "IDs to vectors", "Break it", "Let it learn", "Check it"]
        listed.append(([page.title for pages in sections.values() for page in pages], look))
        return show(sections, **look)

    monkeypatch.setattr(st, "navigation", record)
    app = AppDriver().open("home").open("combine", present=1)
    titles = [lesson.title for lesson in LESSONS.values()]
    assert listed[0] == (titles, {"position": "sidebar", "expanded": True})
    assert listed[-1] == (titles, {"position": "hidden", "expanded": True})
    app.learner.state = replace(app.learner.state, present=False)  # the run of a press was ended by another message
    app.run()
    assert listed[-1] == (titles, {"position": "sidebar", "expanded": True})


@EVERY_PAGE
def test_chart_captions_and_what_to_notice_repeat_shown_numbers(page):
    for mode in [{}] if page == "errors" else MODES.get(page, [{}]):  # experiments are approved
        app = AppDriver().open(page, **to_query(app_state(**mode))).open_sections()
        drawn = numbers(str(app.tables()))
        for chart in app.charts():
            assert chart.alt in app.words
            in_chart = numbers(str([data.to_pylist() for data in data_of(chart)]))
            check_drawn(chart.alt, in_chart)
            drawn |= in_chart
        if figure := app.learner.outputs.figure:
            drawn |= numbers(f"{[*texts(figure)]} {names(figure)} {figure.reading}")
        for line in app.words.splitlines():
            if "What to notice." in line:
                check_drawn(line, drawn)


@pytest.mark.parametrize("page", ["home", "combine"])
def test_link_of_the_share_dialog_opens_the_same_state(page):
    app = AppDriver().open(page, V=60, D=3, seed=9, position="none", ids="2 3", text="a café", step=2, present=1)
    settings = Settings(vocab_size=60, dim=3, seed=9, position="none", ids="2 3")
    assert app.app_state == app_state(settings, "a café", present=True, step=2)
    assert read_query(app_state(), app.at.query_params) == (app.app_state, [])
    link = urlsplit(app.press("Share").code()[-1])
    assert link.path == ("/" if page == "home" else f"/{page}")
    assert dict(parse_qsl(link.query)) == to_query(replace(app.app_state, present=False))


def test_bad_value_in_a_link_is_named_once_and_replaced():
    wrong = {"V": "abc", "D": 99999, "T": 0, "seed": ":red[x]", "position": "<b>foo", "scale": "maybe", "lab_far": -3}
    app = AppDriver().open(experiment="foo", search="x" * 2_000, term="x" * 2_000, **wrong)
    named = ("V = 'abc'", "D = 99,999", "T = 0", "seed = ':red[x]'", "'<b>foo'", "'maybe'", "rows past the end = −3")
    for part in (*named, "experiment = 'foo'", "Search: 2,000", "Find a word: 2,000"):
        assert len([sentence for sentence in app.warnings() if part in sentence]) == 1
    assert app.app_state.settings == Settings(dim=333, context_length=1)
    assert not app.run().warnings()


ONE_OF_SEVERAL = re.compile(  # but not: ids 0 and 1 are, a key at 1 has, 50,257 × 1 numbers
    r"(?<!and )(?<!at )(?<!to )(?<!1 of )(?<!× )(?<![\d,.−])\b1 "
    "(?:are|were|have|match|bytes|characters|columns|IDs|merges|multiplications|numbers|pieces|positions|rows|sequences|"
    r"steps|tokens|vectors|windows|words)\b|[Tt]he other 1 |(?<![\d,.−])([\d,]+) to \1\b(?!,)"
)
SMALL = {"tokenizer": "words", "text": "a b a", "B": 1}
WORDS = {"tokenizer": "words", "text": "a b a b a b", "position": "none", "stride": 1}
EXTREMES = {
    "one of each": SMALL | {"V": 1, "D": 1, "T": 1, "position": "sinusoidal", "scale": 1, "ids": "0"},
    "one token": {"text": "Hi", "T": 1, "B": 1},
    "two sequences": SMALL | {"position": "learned", "V": 3, "D": 1, "T": 2, "ids": "0 1;2 0", "present": 1},
    "odd D": {"D": 17, "position": "sinusoidal", "layout": "halves", "scale": 1, "ids": "0 0 0; 0 0 0"},
    "no text": {"tokenizer": "words", "text": "\n\t "},
    "training of all but one": {"optimizer": "adamw", "train_steps": 1} | WORDS,
    "tied training": {"D": 64, "T": 1, "B": 1, "seed": 2, "tied": 1, "learning_rate": 10, "train_steps": 1} | WORDS,
}


@pytest.mark.parametrize("name", EXTREMES)
def test_every_page_opens_in_extreme_states_with_right_singulars(name):
    query = EXTREMES[name]
    app = AppDriver().open(**query)
    assert not app.warnings()
    for page in PAGES:
        figure = app.open(page).open_sections().learner.outputs.figure
        words = f"{app.words}\n{figure.reading if figure else ''}"
        assert not [line for line in words.splitlines() if ONE_OF_SEVERAL.search(line)], page
    assert app.state.text == str(query.get("text", app.state.text))


@pytest.mark.parametrize("large", [{"V": 200_019, "T": 1024}, {"D": 1024, "V": 9_999, "tokenizer": "words"}])
def test_numbers_but_ids_have_thousands_separators(large):
    large = {"D": 3, "position": "learned", "text": "She left the bank for the river. " * 300} | large
    app = AppDriver().open(**large, rows_in_use=0, row=5_000, column=1_010, window_index=3_000)
    for page in PAGES[1:]:
        app.open(page).open_sections()
        prose = re.sub(r"(?m)`[^`]*`|\[[^\]]*\]|^\|.*|^\$\$(.|\n)*?\$\$|\b(?:ID|index) \d+", "", app.words)
        assert not re.findall(r"(?:of|from|to|most|than|=) \d{4,}\b(?!\^).*| \d{4,} (?!is|of)[a-z].*", prose), page
        cells = [each for table in app.tables() for row in table for each in row.values()]
        assert not [each for each in cells if re.fullmatch(r"\d{4,}", each)], page


def test_pages_leave_random_state_and_shared_tables_unchanged():
    app = AppDriver().open(seed=77, scale=1, shuffle=1, train_steps=2, position="sinusoidal")
    shared, random_state = tables(app.state.settings), torch.get_rng_state()
    before = shared.token.weight.detach().clone()
    for page in PAGES[1:]:
        app.open(page)
    weight = tables(replace(app.state.settings, scale=False)).token.weight
    assert weight.data_ptr() == shared.token.weight.data_ptr()
    assert torch.equal(shared.token.weight, before)
    assert torch.equal(torch.get_rng_state(), random_state)


def test_every_lesson_has_a_folder_a_page_file_and_a_readme_row():
    folders = {path.parent.name for path in APP.parent.glob("components/lessons/*/__init__.py")}
    assert folders == {*LESSONS}, "ORDER in components/entry.py has other lessons than components/lessons"
    files = {path.stem for path in APP.parent.glob("pages/*.py")}
    assert files == {*LESSONS} - {"home"}, "pages/ has one file for each lesson but Home: copy any of them"
    section = (APP.parent / "README.md").read_text("utf-8").split("## The lessons")[1].split("\n\n")[1]
    rows = re.findall(r"^\| ([^|]+) \|", section, re.M)[2:]
    assert rows == [lesson.title for lesson in LESSONS.values()], "the table of README.md has a row for each, in order"
