"""The sections below a lesson."""

from tests.app_driver import AppDriver


def opened(app):
    return app.widget(f"sections_{app.learner.page}").value


def test_section_stays_open_if_lesson_changes_or_learner_returns():
    app = AppDriver().open("errors").open_section("Paste your traceback")
    assert ":material/code:" in [each.content_icon for each in app.widget("sections_errors").proto.options]
    assert app.learner.outputs.sections == {}  # they would keep alive what they show
    app.press("Run").open_section("On a GPU")  # a section that there was not before
    assert opened(app.open("lookup", V=6, D=3)) == []
    assert opened(app.open("errors")) == ["Paste your traceback", "On a GPU"]
    assert opened(app.press("Ask again")) == ["Paste your traceback"]
    assert opened(AppDriver().open("errors")) == []


def test_section_opened_above_another_keeps_the_buttons_in_place():
    app = AppDriver().open("windows")
    key = app.widget("sections_windows").key
    app.open_section("The code").open_section("Batches")
    assert app.widget("sections_windows").key == key  # with another one the button would lose the focus
    assert app.words.index("Batches: windows") < app.words.index("The code, as one program")


def test_link_to_a_view_opens_its_section():
    app = AppDriver().open("word2vec", view="neighbors")
    assert opened(app) == ["These vectors"]
    assert "near" in [each.key.partition("_")[2].partition(".")[0] for each in app.at.text_input]
