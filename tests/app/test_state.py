"""What is kept, what a link carries, and which of the two is believed."""

import pytest
from lab import PAGES, Lab

from components.core.choices import Choices
from components.core.link import State, read_query
from components.core.settings import Settings


@pytest.mark.parametrize("page", PAGES)
def test_a_link_opens_every_page_with_its_values(page):
    lab = Lab().open(page, V=6, D=3, seed=9, position="none", ids="2 3", text="a b")
    assert lab.state == State(Settings(vocab_size=6, dim=3, seed=9, position="none"), Choices(ids="2 3"), "a b")
    assert not lab.warnings()


@pytest.mark.parametrize("page", PAGES)
def test_a_bad_link_opens_a_valid_page_and_names_each_wrong_value(page):
    wrong = {"V": "abc", "D": 99999, "T": 0, "seed": -1, "position": "foo", "scale": "maybe", "search": "x" * 2000}
    lab = Lab().open(page, **wrong)
    said = lab.warnings()
    for part in ("V = 'abc'", "D = 99,999", "T = 0", "seed = -1", "'foo'", "'maybe'", "search has 2,000"):
        assert len([sentence for sentence in said if part in sentence]) == 1
    assert lab.state.settings.vocab_size == 50_257
    assert lab.state.settings.vocab_size * lab.state.settings.dim <= 2**24
    assert not lab.run().warnings()


def test_a_link_to_a_table_above_the_limit_gets_the_widest_that_fits():
    lab = Lab().open("lookup", V=50_257, D=1024)
    (sentence,) = lab.warnings()
    assert "205.9 MB" in sentence
    assert lab.state.settings.dim == lab.widget("setting_dim").value == 333


@pytest.mark.parametrize("query", [{"foo": "1"}, {"V": ""}, {"dim": "1e3"}, {"dim": "٣"}, {"step": "9" * 99}])
def test_no_link_is_too_strange_to_open(query):
    lab = Lab().open("combine", **query)
    assert lab.charts() or lab.errors()


def test_the_address_says_the_state_and_leads_back_to_it():
    lab = Lab().open("combine", D=5, text="the cat sat on the mat").set(setting_seed=7, choice_t=2, setting_scale=True)
    state, problems = read_query(State(), lab.at.query_params)
    assert state == lab.state
    assert problems == []
    assert Lab().open("combine", **lab.at.query_params).state == lab.state


def test_a_change_is_kept_from_page_to_page():
    lab = Lab().open("lookup").set(setting_dim=5, choice_input="single", text="the cat in the hat sat")
    for page in PAGES:
        lab.open(page)
    assert lab.state.settings.dim == 5
    assert lab.state.choices.input == "single"
    assert lab.open("lookup").run().widget("choice_input").value == "single"


def test_another_page_believes_the_session_even_where_its_link_is_older():
    lab = Lab().open("lookup")
    old = dict(lab.at.query_params)
    lab.set(setting_dim=5)
    lab.at.query_params = old
    assert lab.open("combine").state.settings.dim == 5
    assert lab.at.query_params["dim"] == "5"


def test_a_changed_widget_wins_over_an_address_that_comes_late():
    lab = Lab().open("lookup")
    old = dict(lab.at.query_params)
    lab.set(setting_dim=5)
    lab.at.query_params = old
    lab.set(setting_seed=9)
    assert (lab.state.settings.dim, lab.state.settings.seed) == (5, 9)


def test_a_button_that_changes_nothing_wins_over_an_address_that_comes_late():
    lab = Lab().open("lookup")
    old = dict(lab.at.query_params)
    lab.set(setting_dim=5)
    lab.at.query_params = old
    lab.press("Keys and words")
    assert lab.state.settings.dim == lab.widget("setting_dim").value == 5
    assert lab.at.query_params["dim"] == "5"


def test_back_in_the_browser_brings_the_earlier_state_back():
    lab = Lab().open("lookup")
    old = dict(lab.at.query_params)
    lab.set(setting_dim=5, choice_input="single")
    lab.at.query_params = old
    lab.run(by_address=True)
    assert lab.state == State()
    assert lab.widget("setting_dim").value == 16
    assert lab.widget("choice_input").value == "batch"


def test_a_warning_stays_until_a_page_was_drawn_to_its_end_with_it():
    lab = Lab().open("lookup").set(setting_context_length=0)
    (sentence,) = lab.warnings()
    lab.learner.finished = False  # as if a newer message had ended the run
    assert lab.run().warnings() == [sentence]
    assert lab.run().warnings() == []


def test_two_sessions_keep_their_states_apart():
    one, other = Lab().open("lookup"), Lab().open("lookup")
    one.set(setting_dim=5)
    assert other.run().state == State()


def test_a_new_text_begins_with_its_first_batch():
    lab = Lab().open("windows", batch=1, start=3).set(text="the cat in the hat sat on the mat " * 9)
    assert (lab.state.choices.batch, lab.state.choices.start) == (0, 0)
