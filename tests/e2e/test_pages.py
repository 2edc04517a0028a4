"""Every page on screens of all sizes: complete, light and dark, nothing overflows, no barrier, no other server."""

import os
import re
from pathlib import Path

from playwright.sync_api import expect

from .page_actions import LESSONS, LessonPage
from .server_processes import ROOT
from .test_accessibility import MAIN, own_barriers

SCREENSHOTS = Path(os.environ.get("SCREENSHOTS") or ROOT / "artefacts" / "screenshots")
SIZES = {"laptop": (1280, 720), "phone": (390, 844)}
PROJECTOR = (1920, 1080)
ZOOMED = {"200 %": (640, 360), "400 %": (320, 180)}  # what is left of 1280 x 720
FIGURES = [lesson for lesson in LESSONS if lesson not in ("reproduce", "glossary")]
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"
ANSWERS = re.compile("^(Show me|Run)$")  # the button beside the answers to the question below the figure
# Of a figure on a phone: what is beyond its edges, text below 11 pixels, buttons below 20.
TOO_SMALL = """svg => {
    const frame = svg.getBoundingClientRect(), unit = svg.getScreenCTM().a, found = []
    const seen = e => e.getBoundingClientRect().width && getComputedStyle(e).visibility !== 'hidden'
    for (const e of [...svg.querySelectorAll('text, rect, [data-stop], [data-choose]')].filter(seen)) {
        const box = e.getBoundingClientRect(), name = e.ariaLabel ?? e.textContent
        if (box.left < frame.left - 1 || box.right > frame.right + 1) found.push(`beyond: ${name}`)
        if (e.tagName === 'text' && unit * parseFloat(getComputedStyle(e).fontSize) < 11) found.push(`small: ${name}`)
        const touched = e.matches('[role=button]') && Math.min(box.width, box.height)
        if (touched && touched < 20) found.push(`narrow: ${name}`)
    }
    return found.slice(0, 8)
}"""
SIZE = "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
CROWDED = """svg => [...svg.querySelectorAll('.cell')].filter(cell => {
    const [box, text] = ['rect', 'text'].map(each => cell.querySelector(each)?.getBoundingClientRect().width)
    return text && text > box - 3
}).map(cell => cell.textContent)"""
CUT = "options => options.filter(e => e.querySelector('p').scrollWidth > e.clientWidth).map(e => e.innerText)"
UNEVEN = """() => [...document.querySelectorAll('.stButton button, .stCheckbox label')].filter(each => {
    const text = each.querySelector('p'), [label, around] = [text, each].map(part => part.getBoundingClientRect())
    return text.parentElement.offsetWidth > 1 && Math.abs(label.top + label.bottom - around.top - around.bottom) > 3
}).map(each => each.textContent)"""  # whose label is not halfway up
STILL = """() => document.getAnimations()  // not even an endless one, but that of scrolling
    .every(each => each.playState !== 'running' || each.timeline !== document.timeline)"""


def resize(page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def test_every_page_is_complete_and_fits_the_screen(page, server):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    errors, requests = page.watch_console(server), []
    page.on("request", lambda request: requests.append(request.url))
    page.emulate_media(reduced_motion="reduce")
    resize(page, SIZES["laptop"])
    page.visit(server)
    page.add_style_tag(content="* { transition: none !important }")  # which would be waited for at each size

    def picture(size: str, colors: str) -> None:
        page.in_colors(colors)
        page.screenshot(path=SCREENSHOTS / f"{lesson}-{size}-{colors}.png")

    for lesson in LESSONS:
        page.drawn(lesson)
        if lesson in FIGURES:
            expect(page.figure).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))
            expect(page.figure).to_be_in_viewport(ratio=1)
            expect(page.button(ANSWERS), lesson).to_be_in_viewport(ratio=1)
        for chart in page.get_by_test_id("stVegaLiteChart").all():
            expect(chart).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))
        picture("laptop", "light")
        for size in (*ZOOMED.values(), SIZES["phone"]):
            resize(page, size)
            page.wait_for_function(STILL)
            assert page.misfits() == [], (lesson, size)
        picture("phone", "light")
        if lesson in FIGURES:
            assert page.figure.evaluate(TOO_SMALL) == [], lesson
            above = page.locator(".st-key-frame, .st-key-controls").last.bounding_box()
            assert above["y"] + above["height"] <= 136, lesson
        resize(page, SIZES["laptop"])
        picture("laptop", "dark")
        sections = page.sections
        if lesson != "combine":  # code looks the same on every page, and has hundreds of colored parts
            sections = sections.filter(has_not_text="The code")
        for label in sections.all_inner_texts():
            page.open_section(label.splitlines()[-1])  # without the name of its icon
        page.at_rest()
        assert page.misfits(cut_off=False) == [], lesson
        resize(page, SIZES["phone"])
        page.wait_for_function(STILL)
        assert page.misfits(cut_off=False) == [], (lesson, "phone")
        assert page.answers().evaluate_all(CUT) == [], lesson
        resize(page, SIZES["laptop"])
        assert own_barriers(page, None if lesson == "home" else MAIN) == [], lesson
        page.in_colors("light")
        assert own_barriers(page, MAIN, rules=["color-contrast"]) == [], lesson
        if lesson != LESSONS[-1]:
            page.next_link(lesson).click()
    own = (server, server.replace("http", "ws"), "data:", "blob:")
    assert (errors, [url for url in requests if not url.startswith(own)]) == ([], [])


def test_presentation_fits_a_classroom_screen_on_every_page(page, server):

    def step(answered: bool) -> None:
        page.keyboard.press("PageDown")
        expect(page.button("Ask again")).to_have_count(int(answered))
        page.at_rest()

    page.visit(server, query="present=1")
    for lesson in LESSONS:
        page.drawn(lesson)
        for size in (SIZES["laptop"], PROJECTOR) if lesson in FIGURES else ():
            resize(page, size)
            expect(page.figure).to_be_in_viewport(ratio=1)
            assert page.figure.locator(".small:visible").first.evaluate(SIZE) > 18, lesson  # the smallest text
            assert (page.figure.evaluate(CROWDED), page.evaluate(UNEVEN)) == ([], []), lesson
            expect(page.figure).to_contain_text("?")  # the answer is masked
            for part in (page.get_by_role("heading", level=1), page.answers().last, page.button(ANSWERS)):
                expect(part, lesson).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
        assert page.misfits(cut_off=False) == []
        if lesson in FIGURES:
            step(answered=True)
            expect(page.main.get_by_test_id("stAlert").first, lesson).to_be_in_viewport(ratio=1)
            for size in (SIZES["laptop"], PROJECTOR):
                resize(page, size)
                expect(page.main.get_by_test_id("stAlert").first, lesson).to_be_in_viewport(ratio=0.8)
            resize(page, SIZES["laptop"])
            step(answered=False)  # what to notice takes the position of the question
            has_second = lesson in ("windows", "combine")  # the page scrolls to it, and the first is in view in part
            expect(page.main.locator(".figure > svg").nth(int(has_second)), lesson).to_be_in_viewport(ratio=1)
            expect(page.figure, lesson).to_be_in_viewport(ratio=0.6 if has_second else 1)
        elif lesson == "reproduce":
            page.keyboard.press("PageDown")
        if lesson != LESSONS[-1]:
            expect(page.main.get_by_text("What to notice.").locator(".."), lesson).to_be_in_viewport(ratio=1)
        for scene in ("film", "analogy") if lesson == "word2vec" else ():
            page.keyboard.press("PageDown")
            page.in_address(scene=scene)
            expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)  # the page is at its top again
            step(answered=True)
            expect(page.main.get_by_test_id("stAlert").first, scene).to_be_in_viewport(ratio=1)
            step(answered=False)
        page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    page.drawn(LESSONS[-2])
    page.in_address(present="1")


def test_title_stays_in_view_beside_long_feedback_on_a_projector(page, server):
    resize(page, SIZES["laptop"])
    page.visit(server, "errors", "experiment=undecodable_id&present=1")
    page.answers().filter(has_text="RuntimeError").click()
    feedback = page.main.get_by_test_id("stAlert")
    expect(feedback).to_contain_text("Not quite")
    page.at_rest()
    expect(feedback).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)


def test_buttons_above_the_lesson_take_one_line_at_125_percent(page, server):
    resize(page, (1024, 576))
    page.visit(server)
    buttons = page.locator(".st-key-frame button:visible")
    tops = buttons.evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert len(tops) == 5
    assert len({*tops}) == 1


def test_section_opened_below_others_is_scrolled_into_view(page, server):
    resize(page, SIZES["laptop"])
    page.visit(server, "tokens")
    for label, title in (
        ("Eight languages", "one sentence, how many tokens"),
        ("The vocabularies", "unknown words, special"),
    ):
        page.sections.filter(has_text=label).click(delay=500)  # a slow press, while the page would be scrolled
        expect(page.main.get_by_text(title)).to_be_in_viewport(ratio=1)


PRESS_WHILE_SCROLLING = """main => {
    const before = main.scrollTop;
    window.pressed = new Promise(resolve => {
        const press = () => {
            if (main.scrollTop === before) return;
            main.removeEventListener('scroll', press);
            document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
            const at = main.scrollTop;
            setTimeout(() => resolve([at, main.scrollTop]), 1_000);
        };
        main.addEventListener('scroll', press);
    });
}"""


def test_scrolling_to_a_section_stops_when_something_is_pressed(page, server):
    resize(page, SIZES["laptop"])
    page.visit(server, "tokens")
    button = page.sections.filter(has_text="Eight languages")
    button.scroll_into_view_if_needed()
    page.main.evaluate(PRESS_WHILE_SCROLLING)
    button.click()
    pressed, later = page.evaluate("window.pressed")
    assert pressed == later


def test_question_of_attention_is_in_view_below_most_controls(page, server):
    resize(page, SIZES["laptop"])
    page.visit(server, "attention", "head=text&attention_positions=rotary")
    expect(page.button(ANSWERS)).to_be_in_viewport(ratio=1)
    page.visit(server, "attention", "head=text&attention_positions=rotary&present=1")
    page.keyboard.press("Shift+S")  # the controls, above the figure
    expect(page.locator(".st-key-controls")).to_be_visible()
    page.at_rest()
    expect(page.button(ANSWERS)).to_be_in_viewport(ratio=1)


def test_panels_at_400_percent_fit_and_take_input(page, server):
    resize(page, ZOOMED["400 %"])
    page.visit(server, "lookup", "position=sinusoidal")
    page.open_settings()
    last = page.main.get_by_text("Scale tokens by √D")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    assert page.misfits() == []
    page.type_number("V", 60)
    page.in_address(vocab_size="60")
    page.text_area().scroll_into_view_if_needed()
    assert page.misfits() == []


def test_longest_title_takes_one_line_on_a_narrow_phone(page, server):
    resize(page, (360, 640))
    page.visit(server)
    title = page.get_by_role("heading", name="Embedding Lab", level=1)
    assert title.evaluate("e => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)") < 1.5  # lines


def test_phone_closes_sidebar_after_a_tap_and_fits_failed_runs(browser, app):
    # Streamlit decides by the user agent.
    context = browser.new_context(is_mobile=True, has_touch=True, user_agent=PHONE)
    page = LessonPage(context.new_page())
    resize(page, SIZES["phone"])
    for experiment in ("padding_idx_outside", "special_token", "dim_mismatch"):
        page.visit(app.address, "errors", f"experiment={experiment}")
        page.button("Run").click()
        expect(page.button("Ask again")).to_be_visible()
        assert page.misfits(cut_off=False) == [], experiment
    page.visit(app.address, "tokens", "vocab_size=60")
    main, expand = page.get_by_test_id("stMain"), page.get_by_test_id("stExpandSidebarButton")
    main.evaluate("each => each.scrollTo(0, 100)")
    expect(expand).to_be_hidden()  # it would cover the figure
    main.evaluate("each => each.scrollTo(0, 0)")
    expand.click()
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.sidebar_link("glossary").scroll_into_view_if_needed()
    expect(page.sidebar_link("glossary")).to_be_in_viewport(ratio=1)
    page.sidebar_link("lookup").tap()
    page.drawn("lookup")
    page.in_address(vocab_size="60")
    expect(sidebar).not_to_be_in_viewport()
    expect(page.get_by_role("heading", name="Lookup", level=1)).to_be_in_viewport(ratio=1)
    expect(page.locator("kbd").first).to_be_hidden()
    page.get_by_role("button", name="Share").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Nobody else can open the address of this page")
    context.close()
