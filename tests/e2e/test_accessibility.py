"""What axe-core finds on every page: light and dark, with its parts open, and in dialogs, panels and other states."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from .page_actions import LESSONS

DIALOGS = ("Share", "Download", "Help")
# Beyond what a page shows at first: after a run, a training or an error, in another view, in presentation mode.
STATES = [
    ("errors", "experiment=past_position_table&ran=1&repaired=1&guess=IndexError"),
    ("training", "train_steps=20"),
    ("training", "train_steps=200&learning_rate=1000000"),
    *(("word2vec", f"view={view}") for view in ("neighbours", "similarity", "map", "questions")),
    ("lookup", "V=0&ids=2+3+9&present=1"),
    ("positions", "position=sinusoidal"),
    ("combine", "step=5"),
    ("glossary", "term=xyzzy"),
]
MAIN = "[data-testid=stMain]"
# Barriers of Streamlit itself: axe's rule, and the elements that have it.
OF_STREAMLIT = {
    "scrollable-region-focusable": "[data-testid=stCode] pre",  # the focus goes to the box around what scrolls
    "color-contrast": "[data-testid=stButtonGroup]:has(button:disabled) *",  # disabled pills are pale, with their label
    "list": "[data-testid=stSidebarNavItems]",  # each section of the list is wrapped in a div
    "listitem": "[data-testid=stSidebarNavItems] > div > li",
}


def own_barriers(page, part: str | None = None) -> list[str]:
    """Return what axe calls serious or critical and is not known of Streamlit: rule, HTML and explanation."""
    page.settled()
    found = Axe().run(page, context=part, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if not page.locator(node["target"][-1]).first.evaluate(
            "(element, known) => known && element.matches(known)", OF_STREAMLIT.get(rule["id"])
        )
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_axe_on_every_page_finds_no_serious_barrier(page, server, lesson):
    page.visit(server, lesson)
    for part in page.locator(f"{MAIN} details:not([open]) summary").all()[::-1]:
        part.click()
    page.at_rest()
    number = LESSONS.index(lesson)
    for colors in ("light", "dark") if number % 2 else ("dark", "light"):
        page.in_colors(colors)
        assert own_barriers(page) == [], colors
    page.dialog(DIALOGS[number % 3])
    assert own_barriers(page, "[role=dialog]") == []


@pytest.mark.parametrize(("lesson", "query"), STATES)
def test_axe_in_other_states_finds_no_serious_barrier(page, server, lesson, query):
    page.visit(server, lesson, query)
    assert own_barriers(page, MAIN) == []


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_axe_in_open_panels_finds_no_serious_barrier(page, server, colors):
    page.visit(server, "lookup", "position=sinusoidal&ids=2+3+5")
    page.in_colors(colors)
    page.open_settings()
    assert own_barriers(page, MAIN) == []
    expect(page.text_area()).to_be_visible()
    assert own_barriers(page, MAIN) == []
