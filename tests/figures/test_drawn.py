"""Every figure shows the numbers of torch and the names of the learner's tokens, masked and answered.

The reference of a lesson is `drawn` in on_figure/<lesson>.py: what its figure shows, computed a second way.
"""

from importlib import import_module
from xml.etree import ElementTree

import pytest

from components.base.link import AppState, to_query
from components.entry import LESSONS
from components.figures.drawing import STYLE, Figure
from tests.app_driver import APP, AppDriver
from tests.figures.drawn import SVG, Reference, all_of, chosen, names, numbers, root_of, texts
from tests.figures.geometry import check_layout
from tests.states import app_state
from tests.varied_states import OF_THEIR_OWN, SHARED

WITH_FIGURE = [name for name in LESSONS if (APP.parent / f"components/lessons/{name}/figure.py").exists()]


def reference(lesson: str):
    return import_module(f"tests.figures.on_figure.{lesson}")


def states_of(lesson: str) -> dict[str, AppState]:
    own = lesson in (*OF_THEIR_OWN, "errors")  # the figure of Errors is the same in all shared states
    return {"defaults": app_state()} | ({} if own else SHARED) | reference(lesson).STATES


@pytest.mark.parametrize(("lesson", "name"), [(each, name) for each in WITH_FIGURE for name in states_of(each)])
def test_figure_shows_its_reference_masked_and_answered(lesson, name):
    app = AppDriver().open(lesson, **to_query(states_of(lesson)[name]))
    buttons = {"Run", "Show me"} & {*app.labels()}
    for masked in [True] * len(buttons) + [False]:
        if buttons and not masked:
            app.press(*buttons)
        figure, wanted = app.learner.outputs.figure, reference(lesson).drawn(app, masked)
        assert (figure is None) == (wanted is None)
        if figure is not None:
            compare(figure, wanted)
            check_file(figure)
            check = getattr(reference(lesson), "check", lambda *_: None)
            check(app, figure, masked)
            assert len(figure.wider) == (2 if name.startswith("presented") else 0)
            for extra, wider in zip((2, 1), figure.wider, strict=False):
                compare(wider, reference(lesson).drawn(app, masked, extra))
                check(app, wider, masked)


def check_file(figure: Figure) -> None:
    """Compare the file of a figure with the page: the same drawing with a style sheet, and what is lit at first.

    In front it has a title, the reading as its description, and a white background, which is larger by a margin. The
    buttons that are a Tab stop of their own are missing.
    """
    file = figure.file("A < B")
    root, drawn = ElementTree.fromstring(file), ElementTree.fromstring(figure.svg(STYLE))
    assert file.startswith(b"<svg ")  # some programs read no prefix
    title, description, background = root[:3]
    assert (title.tag, title.text) == (f"{SVG}title", "A < B")
    assert (description.tag, description.text) == (f"{SVG}desc", figure.reading)
    assert background.tag == f"{SVG}rect"
    left, top, width, height = map(int, root.attrib.pop("viewBox").split())
    assert (left, top, width, height) == (-12, -12, figure.width + 24, figure.height + 24)
    size = {"width": f"{width}", "height": f"{height}"}
    assert background.attrib == {"x": "-12", "y": "-12", "fill": "#FFFFFF", **size}
    assert size == {name: root.attrib.pop(name) for name in size}
    for name in ("viewBox", "width", "height"):
        del drawn.attrib[name]
    for element in [*drawn.iter()]:
        for child in [*element]:
            if (child.get("role"), child.get("tabindex")) == ("button", "0"):
                element.remove(child)
    del root[:3]
    assert root.findtext(f"{SVG}style") == STYLE
    for element, source in zip(root.iter(), drawn.iter(), strict=True):
        assert (element.tag, element.text, element.tail) == (source.tag, source.text, source.tail)
        looks = [each.get("class", "").split() for each in (source, element)]
        assert looks[1][: len(looks[0])] == looks[0]
        assert {**element.attrib, "class": ""} == {**source.attrib, "class": ""}
    for name, first, look in (("part", figure.lit, "lit"), ("column", str(figure.column), "column")):
        for element in root.iter():
            lit = first in element.get(f"data-{name}", "").split()
            assert not lit or look in element.get("class").split()


def compare(figure: Figure, wanted: Reference) -> None:
    found = texts(figure)
    assert (found - wanted.texts, wanted.texts - found) == ({}, {})
    assert chosen(figure) == wanted.chosen
    assert names(figure) == wanted.names
    buttons = all_of(root_of(figure), "*[@role='button']")
    assert all("data-stop" in each.attrib or each.get("tabindex") == "0" for each in buttons)  # the keys reach each
    assert wanted.reading in (figure.reading, numbers(figure.reading))
    assert wanted.lit in (None, (figure.lit, figure.column))
    # What the slider shows then: all stops name it, or none does.
    slides = {each.get("data-slide") for each in all_of(root_of(figure), "*[@data-stop]")}
    if slider := figure.slider:
        assert slider.low <= slider.value <= slider.high
        assert slides == {None} or all(slider.low <= int(each) <= slider.high for each in slides)
    else:
        assert slides <= {None}
    check_layout(figure)
