"""Without a mouse: Tab reaches every control visibly, lessons are done by keys alone, and the focus is never lost."""

import re

from playwright.sync_api import expect

from .page_actions import LESSONS

MOST_TABS = 250
# If nothing changes around a control when it is focused, the focus is invisible.
WATCH = """whole => {
    const part = whole ? document.body : document.querySelector('[data-testid=stMain]')
    if (!whole) part.setAttribute('tabindex', '-1')
    whole ? document.activeElement.blur() : part.focus()
    const still = document.createElement('style')
    still.textContent = '* { transition: none !important; scroll-behavior: auto !important }'
    document.head.append(still)
    const traits = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'borderBottomColor',
        'backgroundColor', 'color', 'textDecorationLine', 'opacity', 'stroke', 'strokeWidth']
    const around = element => {
        const box = element.parentElement?.parentElement?.parentElement || element
        return [element, ...element.querySelectorAll('*'), box, ...box.querySelectorAll('*')].slice(0, 80)
    }
    const looks = element => around(element).map(each => {
        const style = getComputedStyle(each), before = getComputedStyle(each, '::before')
        return traits.map(trait => style[trait] + before[trait]).join()
    }).join('|')
    const focusable = 'a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable=true]'
    const roots = [part, ...[...part.querySelectorAll('*')].flatMap(each => each.shadowRoot ?? [])]  // figures
    const all = roots.flatMap(root => [...root.querySelectorAll(focusable)])
    const controls = all.filter(element => element.tabIndex >= 0
        && !element.disabled && !element.closest('[inert], [aria-hidden=true]')
        && element.checkVisibility({visibilityProperty: true}))
    const words = element => (element.getAttribute('aria-label') || element.innerText || element.title
        || element.dataset.testid || element.outerHTML).slice(0, 90)
    const atFirst = new Map(controls.map(element => [element, looks(element)])), reached = new Set()
    window.focusNow = () => {
        let element = document.activeElement
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
        const group = element?.closest('[role=radiogroup], [role=toolbar]')
        if (!element || element === document.body) return null  // behind the last control, or one that has gone
        const again = reached.has(element), box = element.getBoundingClientRect()
        const inView = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
        reached.add(element)  // Tab enters a group once, the arrows go through it
        group?.querySelectorAll('[role=radio], [type=radio], button').forEach(each => reached.add(each))
        const outside = !part.contains(document.activeElement)
        return {words: words(element), again, outside, visible: inView && atFirst.get(element) !== looks(element)}
    }
    window.notReached = () => controls.filter(each => !reached.has(each) && each.isConnected).map(words)
}"""
INSIDE = "document.querySelector('[role=dialog]')?.contains(document.activeElement)"


def test_tab_on_any_page_visibly_reaches_all_controls_in_a_cycle(page, server):
    page.visit(server)
    for lesson in LESSONS:
        page.follow(lesson)
        if lesson == "combine":
            page.open_settings()
        page.mouse.move(0, 0)
        whole = lesson == "home"  # elsewhere the main area: the list of lessons is the same
        page.evaluate(WATCH, whole)
        stops = []
        while not (stops and stops[-1]["again" if whole else "outside"]):
            assert len(stops) < MOST_TABS, f"{lesson}: Tab does not come round"
            page.keyboard.press("Tab")
            stops += [stop for stop in [page.evaluate("focusNow()")] if stop]
        assert not whole or stops[-1]["words"] == stops[0]["words"], "trapped"
        assert page.evaluate("notReached()") == [], lesson
        assert [stop["words"] for stop in stops[:-1] if not stop["visible"]] == [], lesson


def test_combine_is_used_by_keyboard_alone_and_focus_stays(page, server):
    page.visit(server, "combine")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to main content"
    page.button("Share").press("Enter")
    page.wait_for_function(INSIDE)
    page.at_rest()
    page.keyboard.press("Tab")
    assert page.evaluate(INSIDE)
    page.keyboard.press("Escape")
    expect(page.button("Share")).to_be_focused()
    page.button("All settings").press("Enter")
    exact = page.main.get_by_role("spinbutton", name="V, exact")
    exact.press("Control+a")
    page.keyboard.type("60000")
    page.keyboard.press("Enter")
    page.in_address(vocab_size="60000")
    expect(exact).to_be_focused()
    page.sections.filter(has_text="Step by step").press("Enter")
    steps = page.get_by_role("radiogroup", name="Step")
    steps.get_by_role("radio").first.press("ArrowRight")
    page.keyboard.press("Space")  # chooses what the arrow moves the focus to
    expect(steps.get_by_role("radio", checked=True)).to_have_text("token")
    page.in_address(step="1")


def test_focus_stays_in_section_that_has_just_been_opened(page, server):
    page.visit(server, "lookup")
    page.sections.filter(has_text="Check your understanding").press("Enter")
    option = page.main.locator("[class*=st-key-check_lookup_rows]").get_by_role("radio").first
    expect(option).to_be_visible()
    page.at_rest()
    option.press("Space")
    expect(page.main.get_by_test_id("stAlert")).to_be_visible()
    page.at_rest()
    expect(option).to_be_focused()
    assert option.evaluate("each => getComputedStyle(each, '::after').content[1]") == "✗"


def test_control_whose_entry_is_refused_keeps_the_focus(page, server):
    page.visit(server, "windows", "dim=256")
    page.entry("T").press("Control+a")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    page.sentence("T = 0 is outside its limits")
    page.at_rest()
    expect(page.entry("T")).to_be_focused()
    page.entry("T").fill("2000")
    page.entry("T").press("Tab")
    page.sentence("T = 2,000 is outside its limits")
    page.at_rest()
    expect(page.entry("T")).not_to_be_focused()  # the learner has gone on
    page.follow("lookup")
    page.slider("V").press("ArrowRight")
    page.sentence("the table that all lessons share would take")
    page.at_rest()
    expect(page.slider("V")).to_be_focused()


def test_control_whose_entry_is_cut_keeps_the_focus(page, server):
    page.visit(server, "errors", "experiment=own")
    field = page.main.get_by_role("textbox", name="IDs")
    field.fill("1 " * 600)
    field.press("Enter")
    page.sentence("the first 1,000 are used")
    page.at_rest()
    expect(field).to_be_focused()


def test_experiment_of_a_traceback_is_in_view_and_leaves_focus(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "errors")
    page.open_section("Paste your traceback")
    field = page.main.get_by_role("textbox", name=re.compile("Your traceback"))
    field.fill("IndexError: index out of range in self")
    field.press("Control+Enter")
    button = page.main.get_by_test_id("stButton").get_by_role("button", name="More tokens than positions")
    number = page.main.get_by_role("spinbutton").first
    for _ in range(2):  # again, with the page at its button
        button.press("Enter")
        page.in_address(experiment="past_position_table")
        expect(page.figure).to_be_in_viewport(ratio=1)
        expect(number).to_be_in_viewport(ratio=1)
        expect(button).to_be_focused()
        page.at_rest()
        button.scroll_into_view_if_needed()
        expect(page.figure).not_to_be_in_viewport(ratio=1)


def test_upload_stays_open_with_focus_if_a_message_or_note_comes(page, server):
    page.visit(server, "windows")
    page.text_area()
    page.button(re.compile("Upload a text file")).press("Enter")
    field = page.locator("input[type=file]")
    long_text = " ".join(map(str, range(9_000)))
    for content, sentence in ((b"\xff", "The file is not text in UTF-8"), (long_text.encode(), "too long for a link")):
        field.focus()
        page.upload(content)
        page.sentence(re.compile(sentence))
        page.at_rest()
        expect(field).to_be_focused()


def test_keys_of_the_page_do_nothing_behind_a_dialog(page, server):
    page.set_viewport_size({"width": 1280, "height": 400})
    page.visit(server, "lookup", "present=1")
    for _ in range(2):  # it is opened again, behind it the same page
        dialog = page.dialog("Help")
        close = dialog.get_by_role("button", name="Close")
        top = close.bounding_box()["y"]
        for key in ("PageDown", "PageUp", "Shift+P", "Shift+S"):
            page.keyboard.press(key)
        page.keyboard.press("PageDown")
        page.wait_for_function("e => e.getBoundingClientRect().y < 0", arg=close.element_handle())
        assert top > 0
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        assert page.figure.locator(".masked").count()
    field = page.dialog("Class").get_by_role("textbox", name="Code of a class")
    for key in ("Shift+S", "Shift+P"):
        field.press(key)
    expect(field).to_have_value("SP")
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    page.keyboard.press("PageDown")
    expect(page.figure.locator(".masked")).to_have_count(0)


def test_answers_that_an_arrow_key_passes_are_not_given(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server)
    page.answers().first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.answers().nth(2)).to_be_focused()
    page.at_rest()
    expect(page.figure.locator(".masked")).not_to_have_count(0)
    page.keyboard.press("Space")
    expect(page.answers().nth(2)).to_be_checked()
    expect(page.figure.locator(".masked")).to_have_count(0)
    expect(page.answers().nth(2)).to_be_focused()
    for part in (page.figure, page.main.get_by_test_id("stAlert")):  # the page has moved up
        expect(part).to_be_in_viewport(ratio=1)
    marks = page.answers().evaluate_all("all => all.map(each => getComputedStyle(each, '::after').content[1])")
    assert marks == ["o", "o", "✗", "✓"]  # of none, if there is no mark
    page.sentence(re.compile("1 prediction, [01] correct"))


def test_keys_enter_and_leave_presentation_but_not_while_typing(page, server):
    page.visit(server, "lookup", "vocab_size=60")
    sidebar = page.get_by_test_id("stSidebar")
    page.keyboard.press("Shift+P")
    page.in_address(present="1", vocab_size="60")
    expect(sidebar).not_to_be_visible()
    page.keyboard.press("Shift+S")
    for key in ("Shift+S", "Shift+P"):
        page.text_area().press(key)
    page.at_rest()
    expect(page.get_by_role("button", name="Exit")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("Shift+P")
    page.in_address(present="0", vocab_size="60")
    expect(sidebar).to_be_visible()
