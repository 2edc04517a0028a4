"""What axe-core finds on every page: light and dark, with its parts open, and in the dialogs and panels."""

from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .page_actions import LESSONS, at_rest, main_of, open_settings, text_area, visit
from .visual_checks import in_colors, settled

DIALOGS = ("Share", "Download", "Help")
# Beyond what a page shows at first: after a run, a training or an error, in another view, in presentation mode.
STATES = {
    "errors": ("experiment=past_position_table&ran=1&repaired=1&guess=IndexError", "experiment=special_token&ran=1"),
    "training": ("train_steps=20", "train_steps=200&learning_rate=1000000"),
    "word2vec": tuple(f"view={view}" for view in ("neighbours", "similarity", "map", "gallery", "questions")),
    "lookup": ("V=0&ids=2+3+9", "present=1"),
    "positions": ("position=sinusoidal", "position=none"),
    "combine": ("step=5",),
    "glossary": ("term=xyzzy",),
}


@dataclass(frozen=True)
class Known:
    """A barrier of Streamlit itself: axe's rule, which elements, a lesson where it occurs, and why it stays."""

    rule: str
    selector: str
    lesson: str
    why: str
    query: str = ""


OF_STREAMLIT = (
    Known(
        "scrollable-region-focusable",
        "[data-testid=stCode] pre",
        "windows",
        "st.code gives the focus to the box around a program, not to the part that scrolls",
    ),
    Known(
        "color-contrast",
        "[data-testid=stButtonGroup]:has(button:disabled) *",
        "errors",
        "pills that are disabled are pale, their question included",
        "experiment=special_token&ran=1",
    ),
    Known(
        "list",
        "[data-testid=stSidebarNavItems]",
        "home",
        "st.navigation wraps each section of its list in a div; without sections the list is valid",
    ),
    Known(
        "listitem",
        "[data-testid=stSidebarNavItems] > div > li",
        "home",
        "the same: the links of a section are no direct children of the list",
    ),
)


def barriers(page: Page, part: str | None = None) -> list[dict]:
    """Return what axe calls serious or critical: rule, selector, HTML and explanation."""
    found = Axe().run(page, context=part).response["violations"]
    return [
        {"rule": rule["id"], "at": node["target"][-1], "html": node["html"][:160], "why": node["failureSummary"][:200]}
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def is_known(page: Page, barrier: dict, known: Known) -> bool:
    """Return whether a barrier is this one of Streamlit's."""
    matches = "(element, selector) => element.matches(selector)"
    return barrier["rule"] == known.rule and page.locator(barrier["at"]).first.evaluate(matches, known.selector)


def own_barriers(page: Page, part: str | None = None) -> list[dict]:
    """Return the barriers that are not listed as Streamlit's."""
    return [each for each in barriers(page, part) if not any(is_known(page, each, known) for known in OF_STREAMLIT)]


def open_all_parts(page: Page) -> None:
    for part in page.locator("[data-testid=stMain] details").all():
        if part.get_attribute("open") is None:
            part.locator("summary").click()
    at_rest(page)
    settled(page)


@pytest.mark.parametrize("lesson", LESSONS)
def test_axe_finds_no_serious_barrier(page, server, lesson):
    visit(page, server, lesson)
    open_all_parts(page)
    for colors in ("light", "dark"):
        in_colors(page, colors)
        assert own_barriers(page) == [], colors
    for number, dialog in enumerate(DIALOGS):
        in_colors(page, ("light", "dark")[(number + LESSONS.index(lesson)) % 2])
        main_of(page).get_by_role("button", name=dialog, exact=True).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        at_rest(page)
        settled(page)
        assert own_barriers(page, "[role=dialog]") == [], dialog
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(("lesson", "query"), [(lesson, query) for lesson in STATES for query in STATES[lesson]])
def test_axe_finds_no_serious_barrier_in_other_states(page, server, lesson, query):
    visit(page, server, lesson, query)
    settled(page)
    assert own_barriers(page) == []


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_finds_no_serious_barrier_in_the_panels(page, server, colors):
    visit(page, server, "lookup", "position=sinusoidal&ids=2+3+5")
    in_colors(page, colors)
    for open_panel in (open_settings, text_area):
        open_panel(page)
        settled(page)
        assert own_barriers(page) == [], open_panel.__name__


@pytest.mark.parametrize("known", OF_STREAMLIT, ids=lambda known: known.rule)
def test_barrier_listed_as_streamlits_still_occurs(page, server, known):
    visit(page, server, known.lesson, known.query)
    settled(page)
    found = any(is_known(page, barrier, known) for barrier in barriers(page))
    if not found:
        open_all_parts(page)
        found = any(is_known(page, barrier, known) for barrier in barriers(page))
    assert found, "take it off the list"
