"""What a session stores, what a link contains, and which of the two applies."""

from dataclasses import replace

import pytest
from driver import PAGES, AppDriver

from components.base.field_types import TextField, field_types_of
from components.base.link import AppState, read_query
from components.base.settings import Settings
from components.entry import LESSONS

DEFAULT = AppState({name: lesson.choices() for name, lesson in LESSONS.items()})


@pytest.mark.parametrize("page", PAGES)
def test_a_link_opens_every_page_with_its_values(page):
    app = AppDriver().open(page, V=6, D=3, seed=9, position="none", ids="2 3", text="a b")
    settings = Settings(vocab_size=6, dim=3, seed=9, position="none", ids="2 3")
    assert app.app_state == replace(DEFAULT, settings=settings, text="a b")
    assert not app.warnings()


@pytest.mark.parametrize("page", PAGES)
def test_a_bad_link_names_each_wrong_value_once(page):
    wrong = {"V": "abc", "D": 99999, "T": 0, "seed": -1, "position": "foo", "scale": "maybe", "search": "x" * 2000}
    app = AppDriver().open(page, **wrong)
    warnings = app.warnings()
    for part in ("V = 'abc'", "D = 99,999", "T = 0", "seed = -1", "'foo'", "'maybe'", "search has 2,000"):
        assert len([sentence for sentence in warnings if part in sentence]) == 1
    assert app.state.settings.vocab_size == 50_257
    assert app.state.settings.vocab_size * app.state.settings.dim <= 2**24
    assert not app.run().warnings()


def test_a_link_to_a_table_above_the_limit_gets_the_widest():
    app = AppDriver().open("lookup", V=50_257, D=1024)
    (sentence,) = app.warnings()
    assert "205.9 MB" in sentence
    assert app.state.settings.dim == app.open_panel("settings").widget("exact_dim").value == 333


@pytest.mark.parametrize("query", [{"foo": "1"}, {"V": ""}, {"dim": "1e3"}, {"dim": "٣"}, {"step": "9" * 99}])
def test_no_link_is_too_strange_to_open(query):
    app = AppDriver().open("combine", **query)
    assert app.charts() or app.errors()


@pytest.mark.parametrize("page", ["tokens", "training", "word2vec", "glossary"])
def test_the_longest_texts_of_a_link_open_unchanged(page):
    kinds = field_types_of(LESSONS[page].choices).items()
    longest = {name: "x" * kind.max_chars for name, kind in kinds if isinstance(kind, TextField)}
    app = AppDriver().open(page, **longest)
    assert not app.warnings()
    assert {name: getattr(app.state.choices, name) for name in longest} == longest


def test_the_address_contains_the_state():
    app = AppDriver().open("combine", D=5, text="the cat sat on the mat")
    app.set(exact_seed=7, combine_t=2, all_scale=True)
    assert app.at.query_params["v"] == "2"
    assert read_query(DEFAULT, app.at.query_params) == (app.app_state, [])
    assert AppDriver().open("combine", **app.at.query_params).app_state == app.app_state


def test_a_change_applies_to_every_page():
    app = AppDriver().open("lookup").set(exact_dim=5, lookup_input="single", text="the cat in the hat sat")
    for page in PAGES:
        assert app.open(page).state.settings.dim == 5
    assert app.open("lookup").state.choices.input == "single"
    assert app.widget("lookup_input").value == "single"
    assert app.state.text == "the cat in the hat sat"


def test_a_changed_widget_wins_over_an_older_address():
    app = AppDriver().open("lookup")
    old = dict(app.at.query_params)
    app.set(exact_dim=5)
    app.at.query_params = old
    app.set(exact_seed=9)
    assert (app.state.settings.dim, app.state.settings.seed) == (5, 9)


@pytest.mark.parametrize("label", ["Help", "All settings"])
def test_a_button_without_effect_wins_over_an_older_address(label):
    app = AppDriver().open("lookup")
    old = dict(app.at.query_params)
    app.set(row_dim=5)
    app.at.query_params = old
    app.press(label)
    assert app.state.settings.dim == app.widget("row_dim").value == 5
    assert app.at.query_params["dim"] == "5"


def test_back_in_the_browser_restores_the_earlier_state():
    app = AppDriver().open("lookup")
    old = dict(app.at.query_params)
    app.set(row_dim=5, lookup_input="single")
    app.at.query_params = old
    app.run()
    assert app.app_state == DEFAULT
    assert app.widget("row_dim").value == 16
    assert app.widget("lookup_input").value == "batch"


def test_a_warning_stays_until_a_run_with_it_has_ended():
    app = AppDriver().open("lookup").set(all_context_length=0)
    (sentence,) = app.warnings()
    app.learner.finished = False  # as if a newer message had ended the run
    assert app.run().warnings() == [sentence]
    assert app.run().warnings() == []


def test_two_sessions_have_separate_states():
    one, other = AppDriver().open("lookup"), AppDriver().open("lookup")
    one.set(exact_dim=5, lookup_input="single")
    assert other.run().app_state == DEFAULT


def test_a_new_text_begins_with_its_first_batch():
    app = AppDriver().open("windows", batch=1).set(text="the cat in the hat sat on the mat " * 9)
    assert app.state.settings.batch == app.widget("batch").value == 0


def test_widgets_of_two_lessons_are_never_one():
    app = AppDriver().open("lookup", D=40).set(lookup_column=8).open("positions", D=64)
    assert app.state.choices.position_column == app.widget("positions_position_column").value == 0
    assert app.set(positions_position_column=3).open("lookup").state.choices.column == 8


def test_a_reconnected_browser_keeps_its_values_with_a_notice():
    app = AppDriver()
    app.at.session_state["row_dim.0"] = 5  # as the browser sends it to a server that was restarted
    app.at.session_state["lookup_input.0"] = "single"
    app.open("lookup")
    assert (app.state.settings.dim, app.state.choices.input) == (5, "single")
    (sentence,) = app.warnings()
    assert sentence.startswith("The connection was lost and has been restored.")
    assert not app.run().warnings()
