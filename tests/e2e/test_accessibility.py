"""What axe-core finds in panels, dialogs and states that a page does not have at first; test_pages.py has the pages."""

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# Beyond what a page shows at first: after a run, a training or an error, in another view, in presentation mode.
STATES = [
    ("errors", "experiment=past_position_table"),
    ("training", "train_steps=20"),
    ("word2vec", "view=similarity"),
    ("lookup", "V=0&ids=2+3+9&present=1"),
    ("attention", "head=text&attention_positions=rotary&attention_view=hands"),
]
MAIN = "[data-testid=stMain]"
# Barriers of Streamlit itself: axe's rule, and the elements that have it.
OF_STREAMLIT = {
    "scrollable-region-focusable": "[data-testid=stCode] pre",  # the focus goes to the box around what scrolls
    "color-contrast": "[data-testid=stButtonGroup]:has(button:disabled) *",  # disabled pills are pale, with their label
    "list": "[data-testid=stSidebarNavItems]",  # each section of the list is wrapped in a div
    "listitem": "[data-testid=stSidebarNavItems] > div > li",
}


def own_barriers(page, part: str | None = None, rules: Sequence[str] = ()) -> list[str]:
    """Return what axe calls serious or critical and is not known of Streamlit: rule, HTML, explanation and data."""
    page.settled()
    options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
    found = Axe().run(page, context=part, options=options).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:200]} {str(node['any'])[:900]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if not page.locator(node["target"][-1]).first.evaluate(
            "(element, known) => known && element.matches(known)", OF_STREAMLIT.get(rule["id"])
        )
    ]


def test_panels_dialogs_and_other_states_have_no_serious_barrier(page, server):
    page.visit(server, "lookup", "position=sinusoidal&ids=2+3+5")
    page.open_settings()
    page.in_colors("dark")
    assert own_barriers(page, MAIN) == []
    expect(page.text_area()).to_be_visible()
    assert own_barriers(page, MAIN) == []
    # While a dialog is open the page clips what is beyond its height of 0, and axe takes all texts for hidden.
    page.add_style_tag(content="html { overflow: visible !important }")
    for name in ("Share", "Download", "Help"):
        page.dialog(name)
        for colors in ("light", "dark"):
            page.in_colors(colors)
            assert own_barriers(page, "[role=dialog]") == [], (name, colors)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    for lesson, query in STATES:
        page.visit(server, lesson, query)
        if lesson == "errors":
            page.button("Run").click()
            expect(page.button("Ask again")).to_be_visible()
        assert own_barriers(page, MAIN) == [], (lesson, query)


def test_switches_and_options_show_their_state_in_system_colors(page, server):
    page.visit(server, "attention", "head=text")
    page.emulate_media(forced_colors="active")
    page.settled()
    option = page.get_by_role("radio", name="Rotary")
    switch = page.locator("label", has=page.get_by_role("switch", name="Shuffle")).locator("> div").first
    for element, name in ((option, "Rotary"), (switch, "Shuffle")):
        before = element.screenshot()
        page.get_by_text(name, exact=True).click()
        page.at_rest()
        page.mouse.move(0, 0)
        page.settled()
        assert element.screenshot() != before, name
    expect(page.get_by_test_id("stSlider").locator("[role=group] > div > div").first).to_have_css(
        "border-style", "solid"
    )
    page.slider("Seed").press("ArrowRight")
    handle = page.get_by_test_id("stSlider").locator("div:has(> div > input:focus-visible)")
    expect(handle).to_have_css("outline-style", "solid")
