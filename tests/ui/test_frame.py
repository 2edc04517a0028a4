import re
from unittest.mock import Mock

import pytest

from components.base.settings import Settings
from components.lessons.combine import page
from components.ui import frame
from components.ui.code_view import handout_of
from components.ui.custom_css import COLORS, PAGE, PHONE, PRESENTATION, ROOM
from components.ui.state import begin_run
from components.ui.text_entry import first_words
from tests.app_driver import PANELS, AppDriver, as_read
from tests.states import app_state


def open_panels(app):
    return [panel for panel, name in {"text": "text", "settings": "preset"}.items() if app.widgets(name)]


def test_panel_is_built_only_while_open_and_one_at_a_time():
    app = AppDriver().open("lookup")
    assert open_panels(app) == []
    for panel in PANELS:
        assert open_panels(app.open_panel(panel)) == [panel]
    assert open_panels(app.open("tokens")) == []  # closed on another page
    app.open_panel("settings").widget("panel_settings").click()
    assert open_panels(app.run()) == []


def test_only_what_is_shown_above_makes_it_outdated():
    app = AppDriver().open("training")
    above = app.learner.frame_state
    assert app.set(training_tied=True).learner.frame_state == above
    assert app.press("Try a text").learner.frame_state != above
    above = app.open("attention").learner.frame_state
    assert app.set(attention_head="text").learner.frame_state != above  # has a button for the text


@pytest.mark.parametrize(
    ("ids", "text", "label"),
    [
        ("", "the *cat* sat", "the *cat* sat"),
        ("", "a " * 90, "a " * 30 + "…"),
        ("", "a" * 60, "a" * 60),
        ("", "", "Text: empty"),
        ("", " \n ", "Text: only white space"),
        ("", " " * 130 + "a" + " " * 130, "a"),
        ("", "a" + " " * 130 + "b", "a…"),
        ("2 3; 1 1", "a", "IDs 2 3; 1 1"),
        ("1 " * 90, "a", "IDs " + "1 " * 30 + "…"),
    ],
)
def test_first_words_name_the_input(ids, text, label):
    assert as_read(first_words(app_state(Settings(ids=ids), text))) == label


@pytest.mark.parametrize(("device", "sidebar"), [("Chrome/140.0 Mobile Safari", "collapsed"), ("Chrome/140.0", "auto")])
def test_sidebar_is_closed_on_a_phone_however_it_is_held(monkeypatch, device, sidebar):
    configured = Mock()
    monkeypatch.setattr(frame.st, "set_page_config", configured)
    monkeypatch.setattr(type(frame.st.context), "headers", {"User-Agent": device})
    AppDriver().open("lookup")
    assert configured.call_args.kwargs["initial_sidebar_state"] == sidebar


def test_colors_of_the_rules_are_those_of_the_theme():
    used = re.findall(r"var\(--(\w+Color)\)", PAGE + PHONE + PRESENTATION + ROOM)
    assert {*used} == {*COLORS.split()}


def test_presentation_mode_is_left_and_turned_by_button():
    app = AppDriver().open("lookup", present=1)
    assert "Present" not in app.labels()
    assert not app.press("Exit").app_state.present
    assert "Exit" not in app.labels()
    assert app.press("Present").at.query_params["present"] == "1"
    assert app.open("home").button("Previous").disabled
    assert app.open("glossary").button("Next").disabled


def test_clicker_on_an_incomplete_page_neither_steps_nor_turns():
    app = AppDriver().open("lookup", present=1)
    begin_run(app.learner)  # as if the press had ended the run
    app.learner.outputs.open_figure = None
    assert app.press("Next").learner.page == "lookup"
    assert not app.learner.score.open_figures
    app.learner.run.continued = True  # as if it had ended one that the page had asked for itself, when it was complete
    begin_run(app.learner)
    app.learner.outputs.open_figure = None
    assert app.press("Next").learner.score.open_figures


def test_clicker_steps_to_answer_then_what_to_notice_and_back():
    app = AppDriver().open("lookup", present=1)

    def step() -> str:
        answered = "Ask again" in app.labels()
        return "question" if "Show me" in app.labels() else "answer" if answered else "notice"

    steps = [step()]
    for label in ("Next", "Next", "Previous", "Previous"):
        app.press(label)
        steps.append(step())
        assert app.learner.page == "lookup"
    assert steps == ["question", "answer", "notice", "answer", "question"]
    app.press("Next").press("Next").follow("Next", "one_hot").follow("Previous", "lookup")
    assert step() == "answer"
    app.press("Next").press("Exit")
    assert step() == "answer"  # the question is on the page


def test_question_returns_after_presenting():
    app = AppDriver().open("lookup").press("Present").press("Next").press("Next")
    app.at.query_params = {name: value for name, value in app.at.query_params.items() if name != "present"}  # Back
    assert "Ask again" in app.run().labels()
    app = AppDriver().open("errors", present=1).press("Next").press("Next").set(experiment_menu="negative_id")
    assert "Run" in app.labels()


def test_clicker_steps_through_the_scenes_of_a_lesson_and_back():
    app = AppDriver().open("word2vec", present=1)

    def step() -> tuple[str, str]:
        shown = {label for label in ("Show me", "Ask again") if label in app.labels()}
        return app.state.choices.scene, "".join(shown)

    steps = [step()]
    for label in ["Next"] * 8 + ["Previous"] * 6:
        app.press(label)
        steps.append(step())
    wanted = [(scene, shown) for scene in ("step", "film", "analogy") for shown in ("Show me", "Ask again", "")]
    assert steps == wanted + [wanted[n] for n in (7, 6, 4, 3, 1, 0)]
    app.follow("Previous", "training")


def test_presentation_has_controls_on_request_until_next_lesson():
    app = AppDriver().open("lookup", present=1)
    assert not app.widgets("panel_text")
    app.press("Text and settings")
    assert app.widgets("panel_text")
    assert app.widgets("row_dim")
    assert not app.press("Text and settings").widgets("panel_text")
    assert not app.press("Text and settings").open("tokens").widgets("panel_text")


def test_open_panel_is_hidden_with_its_button_in_presentation():
    app = AppDriver().open("lookup", present=1).press("Text and settings").open_panel("text")
    assert open_panels(app.press("Text and settings")) == []
    assert open_panels(app.press("Text and settings")) == ["text"]


def test_code_is_built_only_when_open_and_from_valid_settings():
    app = AppDriver().open("combine", dim=5)
    program = handout_of(page, app.state, opened=()).text.strip()
    assert "dim = 50_257, 5  # V, D\nseed = 123\n" in program
    assert program not in app.code()
    assert program in app.open_section("The code").code()
    assert "# %% Scaling by √D" not in program
    assert "# %% Scaling by √D" in app.open_section("Scaling by √D").code()[-1]
    app.open("combine", V=6, ids="9")
    assert "No code for these settings: the page shows what it needs first." in app.words


def test_code_with_a_long_text_is_cut_and_offered_as_a_file():
    app = AppDriver().open("combine", text="word " * 600).open_section("The code")
    (code,) = app.code()
    assert "  # cut: it has 3,000 characters" in code
    assert "Download the program" in app.labels()
