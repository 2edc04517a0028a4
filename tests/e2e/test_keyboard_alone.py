"""Without a mouse: Tab reaches every control of every page, the focus is visible, and nothing traps it."""

import re

import pytest
from playwright.sync_api import Page, expect

from .page_actions import (
    LESSONS,
    drawn,
    in_address,
    main_of,
    no_traceback,
    open_settings,
    sentence,
    title_of,
    visit,
    watch_console,
)
from .test_keyboard import FOCUSED, press_arrow, step_is, tab_to

MOST_TABS = 250
# If nothing changes around a control when it is focused, nobody can see where the focus is.
WATCH = """() => {
    const still = document.createElement('style')
    still.textContent = '* { transition: none !important; scroll-behavior: auto !important }'
    document.head.append(still)
    const traits = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'borderBottomColor',
        'backgroundColor', 'color', 'textDecorationLine', 'opacity']
    const around = element => {
        let box = element
        for (let n = 0; n < 3 && box.parentElement; n++) box = box.parentElement
        return [element, box, ...box.querySelectorAll('*')].slice(0, 80)
    }
    const looks = element => around(element).map(each => {
        const style = getComputedStyle(each), before = getComputedStyle(each, '::before')
        return traits.map(trait => style[trait] + before[trait]).join()
    }).join('|')
    const focusable = 'a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]'
    const visible = element => element.checkVisibility({visibilityProperty: true})
    const shut = element => element.disabled || element.closest('[inert], [aria-hidden=true]')
    const controls = [...document.querySelectorAll(focusable)].filter(element =>
        element.tabIndex >= 0 && !shut(element) && visible(element))
    const group = element => element.closest('[role=radiogroup]')  // Tab enters it once, the arrows go through it
    window.atFirst = new Map(controls.map(element => [element, looks(element)]))
    window.reached = new Set()
    const words = element => (element.getAttribute('aria-label') || element.innerText || element.title
        || element.dataset.testid || element.outerHTML).slice(0, 90)
    window.focusNow = () => {
        const element = document.activeElement
        if (!element || element === document.body) return null  // behind the last control, or one that has gone
        const again = window.reached.has(element)
        window.reached.add(element)
        group(element)?.querySelectorAll('[role=radio], [type=radio]').forEach(each => window.reached.add(each))
        const box = element.getBoundingClientRect()
        const inView = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
        const seen = window.atFirst.get(element) !== looks(element)
        return {words: words(element), again, inView, seen}
    }
    window.notReached = () => controls.filter(each => !window.reached.has(each) && each.isConnected).map(words)
}"""


@pytest.mark.parametrize("lesson", LESSONS)
def test_tab_reaches_every_control_visibly_and_is_never_trapped(page, server, lesson):
    visit(page, server, lesson)
    if lesson == "combine":
        open_settings(page)
    page.evaluate(WATCH)
    order = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if stop := page.evaluate("focusNow()"):
            order.append(stop)
            if stop["again"]:
                break
    *stops, last = order
    assert last["again"], "Tab does not come round"
    assert last["words"] == stops[0]["words"], "trapped"
    assert page.evaluate("notReached()") == []
    assert [stop["words"] for stop in stops if not stop["inView"]] == [], "focused, but off the screen"
    assert [stop["words"] for stop in stops if not stop["seen"]] == [], "focused, but looks as before"
    links = " ".join(stop["words"] for stop in stops)
    assert [each for each in LESSONS[1:] if title_of(each) not in links] == [], "lessons that Tab does not reach"


def test_shift_and_tab_go_the_same_way_back(page, server):
    visit(page, server, "combine")
    there = []
    for _ in range(12):
        page.keyboard.press("Tab")
        there.append(page.evaluate(FOCUSED))
    back = []
    for _ in there:
        back.append(page.evaluate(FOCUSED))
        page.keyboard.press("Shift+Tab")
    assert back == there[::-1]


def test_combine_is_used_with_the_keyboard_alone(page, server):
    errors = watch_console(page, server)
    visit(page, server, "home")
    tab_to(page, "Combine")
    page.keyboard.press("Enter")
    drawn(page, "combine")
    tab_to(page, "All settings")
    page.keyboard.press("Enter")
    exact = main_of(page).get_by_role("spinbutton", name="V, exact")
    expect(exact).to_be_visible()
    tab_to(page, "V, exact", most=10)
    page.keyboard.press("Control+a")
    page.keyboard.type("60000")
    page.keyboard.press("Enter")
    in_address(page, vocab_size="60000")
    expect(exact).to_be_focused()

    tab_to(page, "ids")
    press_arrow(page, "ArrowRight")
    step_is(page, "token", 1)

    tab_to(page, "Check your understanding")
    page.keyboard.press("Enter")
    question = page.get_by_role("radiogroup", name=re.compile("What|How|Which|Does|Is")).last
    expect(question).to_be_visible()
    tab_to_answer(page)
    page.keyboard.press("Space")
    sentence(page, re.compile(r"^(Correct\.|Not quite:)"))
    no_traceback(page)
    assert errors == []


def tab_to_answer(page: Page) -> None:
    """Press Tab until an answer to a question is focused."""
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type === 'radio'"):
            return
    pytest.fail("Tab does not reach the answers")


@pytest.mark.parametrize("name", ["Share", "Download", "Help"])
def test_dialog_keeps_the_focus_and_gives_it_back(page, server, name):
    visit(page, server, "combine", "step=2")
    tab_to(page, "Link to heading")
    tab_to(page, name)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    inside = "document.querySelector('[role=dialog]').contains(document.activeElement)"
    page.wait_for_function(inside)
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(inside), page.evaluate(FOCUSED)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(main_of(page).get_by_role("button", name=name, exact=True).first).to_be_focused()
    step_is(page, "position", 2)
