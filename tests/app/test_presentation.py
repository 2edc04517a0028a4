"""Presentation mode, and the parts of a page that are built only when open."""

import pytest
from driver import AppDriver

from components.programs.notebook import cell_code
from components.programs.story import tell
from tests.programs.test_programs import chapter
from tests.states import WITH_PROGRAMS


def test_presentation_is_in_the_link_and_left_by_its_button():
    app = AppDriver().open("lookup", present=1)
    assert app.app_state.present
    assert "Present" not in app.labels()
    app.press("Exit")
    assert not app.app_state.present
    assert "Exit" not in app.labels()
    assert app.press("Present").app_state.present
    assert app.at.query_params["present"] == "1"


def test_presentation_turns_lessons_by_button():
    app = AppDriver().open("lookup", present=1).follow("Next", "one_hot")
    assert app.app_state.present
    assert app.follow("Previous", "lookup").app_state.present
    assert AppDriver().open(present=1).button("Previous").disabled
    assert AppDriver().open("glossary", present=1).button("Next").disabled


def test_charts_are_larger_in_presentation_mode():
    def sizes(app: AppDriver) -> list[float]:
        return [layer["mark"]["fontSize"] for layer in app.specs()[0]["layer"] if "fontSize" in layer["mark"]]

    plain, large = sizes(AppDriver().open("lookup")), sizes(AppDriver().open("lookup", present=1))
    assert plain
    assert large == pytest.approx([1.3 * size for size in plain])


@pytest.mark.parametrize("page", WITH_PROGRAMS)
def test_code_is_built_only_when_open(page):
    app = AppDriver().open(page)
    lesson = chapter(page, app.app_state)
    told = tell([lesson])
    stories = zip(lesson.stories, told.chapters[0].stories, strict=True)
    own = [cell for story, cells in stories if story.__module__.endswith(f"{page}.program") for cell in cells]
    program = {"\n".join(map(cell_code, own)).strip(), told.values.strip()}
    assert not program & {code.value for code in app.at.code}
    app.open_section("code")
    assert program <= {code.value for code in app.at.code}
