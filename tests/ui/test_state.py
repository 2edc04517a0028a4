"""The state in one session; what a browser does to it is in tests/e2e."""

import pytest

from components.base.link import VERSION
from components.base.presets import SAMPLE_TEXT
from tests.app_driver import PAGES, AppDriver
from tests.states import LONG_TEXT


@pytest.mark.parametrize(("button", "query"), [("Help", {}), ("Text and settings", {"present": 1})])
def test_older_address_yields_to_a_button_without_effect(button, query):
    app = AppDriver().open("lookup", **query)
    if query:
        app.press(button)  # shows the settings
    old = dict(app.at.query_params)
    app.set(row_dim=5)
    app.at.query_params = old
    app.press(button)
    assert app.state.settings.dim == 5
    if query:
        app.press(button)  # shows them again: the press before hid them
    assert app.widget("row_dim").value == 5
    assert app.at.query_params["dim"] == "5"


@pytest.mark.parametrize("page", PAGES)
def test_option_that_is_pressed_again_stays_chosen(page):
    groups = [each.proto for each in AppDriver().open(page).at.get("button_group")]
    one_of = [each for each in groups if each.click_mode == each.SINGLE_SELECT]
    assert [each.label for each in one_of if not each.required] == []  # the buttons would lose the focus


def test_notice_stays_until_a_run_with_it_has_ended():
    app = AppDriver().open("lookup").set(all_context_length=0)
    (sentence,) = app.warnings()
    app.learner.run.last_completed = False  # as if a newer message had ended the run
    assert app.run().warnings() == [sentence]
    assert app.run().warnings() == []


def test_values_of_a_reconnected_browser_are_kept_with_a_notice():
    for query, widget, value in (({}, "row_dim.0", 5), ({"v": VERSION, "long_text": "gone"}, "text.0", LONG_TEXT)):
        app = AppDriver()
        app.at.session_state[widget] = value  # as the browser sends it to a server that was restarted
        (sentence,) = app.open("lookup", **query).warnings()
        assert sentence.startswith("The connection was lost and has been restored.")
        assert value in (app.state.settings.dim, app.state.text)


def test_new_text_is_cut_clears_ids_and_begins_with_first_batch():
    app = AppDriver().open("windows", batch=1, ids="2 3 5 1").open_sections().set(text="a " * 100_000)
    cut = "The text has 200,000 characters; the limit is 100,000: using the first 100,000."
    assert app.warnings() == [cut, "Using your text again. The typed or preset IDs were cleared."]
    assert app.state.text == app.widget("text").value == "a " * 50_000
    assert app.widget("setting_ids").value == ""
    assert app.state.settings.batch == app.widget("batch").value == 0


@pytest.mark.parametrize(
    ("page", "name", "label"),
    [
        ("glossary", "glossary_term", "Find a word"),
        ("errors", "own_ids", "IDs"),
        ("lookup", "setting_ids", "Token IDs"),
    ],
)
def test_long_entry_is_cut_with_a_message_until_the_next(page, name, label):
    app = AppDriver().open(page, experiment="own").set(**{name: "7" * 1_001})
    cut = "1,001 characters are more than the limit of 1,000, so the first 1,000 are used."
    assert app.warnings() == [f"{label}: {cut}"]
    assert app.widget(name).value == "7" * 1_000
    assert not app.widget(name).max_chars  # with it a browser would not take a longer text that is pasted
    assert app.set(**{name: "2 3"}).warnings() == []


def test_text_too_long_for_a_link_comes_back_by_its_address():
    app = AppDriver().open("tokens")
    texts = [SAMPLE_TEXT, LONG_TEXT, "short"]
    addresses = [dict(app.set(text=text).at.query_params) for text in texts]
    assert [[*address] for address in addresses] == [["v"], ["v", "long_text"], ["v", "text"]]
    for index in (1, 0, 1, 2):  # back, and forward again
        app.at.query_params = addresses[index]
        assert app.run().state.text == texts[index]
        assert not app.warnings()


def test_uploaded_text_is_used_or_refused_with_a_reason():
    app = AppDriver().open("tokens").open_panel("text")
    app.at.file_uploader[0].set_value(("text.txt", "a café".encode(), "text/plain"))
    assert app.run().state.text == app.widget("text").value == "a café"
    for content, reason in (("a café".encode("latin-1"), "UTF-8"), (b"", "has no text"), (b" \n", "white space")):
        app.at.file_uploader[0].set_value(("text.txt", content, "text/plain"))
        (sentence,) = app.run().warnings()
        assert reason in sentence
        assert app.state.text == "a café"


@pytest.mark.parametrize("value", ["8", "many"])
def test_controls_are_rendered_again_at_an_entry_that_ends_a_message(value):
    learner = AppDriver().open("lookup", D=value).learner
    assert not learner.outdated_above
    learner.run.interacted = True
    assert learner.outdated_above == (value == "many")
