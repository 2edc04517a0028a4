"""A class in three browsers, a projector and two phones; and what happens to its votes when servers fail."""

import asyncio
import re
from contextlib import AsyncExitStack

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed

from components.base.link import VERSION
from components.rooms.schema import URL_VARIABLE
from components.rooms.store import RoomStore
from components.ui.custom_css import ROOM
from components.ui.room_questions import question_of
from components.ui.room_results import results_html
from deploy.tests.behind_nginx import Fleet, running_fleet
from tests.postgres import running_postgres

from .class_visitor import ASKED, SECRET, Member, member
from .page_actions import ALL, LessonPage
from .server_processes import ROOT
from .test_accessibility import own_barriers
from .websocket_client import finish

PICTURES = ROOT / "artefacts" / "screenshots"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PROJECTED = ":is(.st-key-room_strip, .st-key-room_question) :is(p, span, button, .option)"
RESULTS, DEBRIEF = ".room-results", ".st-key-room_debrief"
SIZES = "all => all.filter(e => e.innerText && !e.closest('kbd')).map(e => parseFloat(getComputedStyle(e).fontSize))"
PRESSED_AT = "time => Object.defineProperty(Event.prototype, 'timeStamp', {get: () => time, configurable: true})"
WHOLE = "e => [e, ...e.children].every(e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)"


def test_projector_and_two_phones_go_through_a_vote(browser: Browser, page, server):
    phones = [LessonPage(browser.new_context(**PHONE).new_page()) for _ in "12"]
    teacher, one, two = pages = [page, *phones]
    teacher.set_viewport_size({"width": 1280, "height": 720})
    PICTURES.mkdir(parents=True, exist_ok=True)

    def picture(step: str) -> None:
        for name, page in zip(("projector", "phone-1", "phone-2"), pages, strict=True):
            page.at_rest()
            page.screenshot(path=PICTURES / f"class-{step}-{name}.png")
            if page is not two and step in ("2-ask", "4-reveal"):
                assert own_barriers(page) == [], f"{step}, {name}"
        figure, strip = (each.bounding_box() for each in (teacher.figure, teacher.locator(".st-key-room_strip")))
        assert figure["y"] + figure["height"] < strip["y"], f"{step}: the strip covers the figure"
        assert min(teacher.locator(PROJECTED).evaluate_all(SIZES)) > 18, f"{step}: text too small for a hall"

    console = teacher.watch_console(server)
    teacher.visit(server, "lookup", "present=1&dim=8")
    teacher.dialog("Class").get_by_role("button", name="Open a room").click()
    link = teacher.get_by_role("dialog").locator("code").first.inner_text()
    expect(teacher.get_by_role("img", name="QR code of the link of the class")).to_be_visible()
    assert re.fullmatch(rf"{re.escape(server)}/\?room=[A-Z]{{4}}", link)
    teacher.keyboard.press("Escape")
    one.goto(link)
    two.visit(server)
    joining = two.dialog("Class")
    typed, join = joining.get_by_role("textbox", name="Code of a class"), joining.get_by_role("button", name="Join")
    typed.fill("XXXX")
    join.click()
    expect(joining).to_contain_text("There is no class with the code XXXX")
    typed.fill(link[-4:].lower())
    join.click()
    for phone in phones:
        phone.sentence("The question of the class appears here")
    teacher.sentence("2 joined")
    picture("1-joined")

    teacher.mouse.click(640, 300)
    teacher.keyboard.press(" ")
    for phone in phones:
        phone.sentence("What shape does the result have?")
        assert phone.figure.locator(".masked").count()
    assert one.option_of_vote(0).bounding_box()["height"] >= 44
    for phone in phones:
        phone.option_of_vote(2).click()
        phone.sentence("Your answer is stored")
    two.reload()  # still the same voter, with the vote given
    two.sentence("Your answer is stored")
    teacher.sentence("2 of 2 answered")
    expect(teacher.get_by_role("button", name="Close")).to_be_visible()
    assert teacher.get_by_role("button", name="Close").bounding_box()["x"] > 1000  # the position of Ask before
    picture("2-ask")

    for _ in "12":  # taken as one press
        teacher.keyboard.press("PageDown")
    one.sentence("The vote is closed")
    expect(teacher.main.locator(".room-results")).to_have_count(0)
    expect(teacher.get_by_role("button", name="Reveal")).to_be_visible()
    picture("3-close")
    teacher.reload()  # still the host
    expect(teacher.get_by_role("button", name="Reveal")).to_be_visible()
    teacher.wait_for_timeout(300)  # a press sooner than that is taken as part of the last one
    teacher.keyboard.press("PageDown")
    for phone in phones:
        expect(phone.main.get_by_text("✓ Correct answer")).to_be_visible()
        expect(phone.figure.locator(".masked")).to_have_count(0)
        expect(phone.main.locator(".room-results").get_by_text("2 of 2", exact=True)).to_be_visible()
    picture("4-reveal")
    assert teacher.figure.evaluate("svg => svg.getScreenCTM().a") > 1.05  # the result leaves it most of the height
    figure, votes, why = (each.bounding_box() for each in (teacher.figure, *map(teacher.locator, (RESULTS, DEBRIEF))))
    assert why["x"] > figure["x"] + figure["width"]
    assert min(why["y"], figure["y"]) > votes["y"] + votes["height"]

    expect(teacher.get_by_role("button", name="Next")).to_be_visible()
    teacher.get_by_role("button", name="Ask with other numbers").click()
    teacher.in_address(dim="12")
    teacher.reload()
    teacher.get_by_role("button", name="Cancel").click()
    teacher.in_address(dim="8")  # the own number from before
    two.sentence("The question of the class appears here")
    teacher.get_by_role("button", name="Exit").click()
    expect(teacher.get_by_test_id("stSidebarNav")).to_be_visible()
    assert teacher.locator(".room-status").bounding_box()["x"] > 300  # beside the list of lessons
    assert not teacher.locator(".room-status .off").is_visible()
    teacher.dialog("Class").get_by_role("button", name="Host on a second machine").click()
    second = teacher.get_by_role("dialog").locator("code").nth(1).inner_text()
    one.goto(second)
    expect(one.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    one.at_rest()
    expect(one.get_by_role("dialog")).to_have_count(0)
    two.goto(second)
    two.sentence("The question of the class appears here")
    two.at_rest()
    two.sentence("This link for a second machine was used or replaced")
    assert console == []
    for phone in phones:
        phone.at_rest()
        phone.context.close()


@pytest.mark.parametrize("strip", ["", "st-key-room_strip"], ids=["phone", "projector"])
def test_bars_of_two_votes_are_in_proportion_beside_their_words(page, strip):
    page.set_viewport_size({"width": 1200 if strip else 350, "height": 700})
    results = results_html(question_of(ALL, ASKED)[0], {1: [10, 0, 0, 20], 2: [0, 30, 0, 0]}, {})
    page.set_content(f'<style>{ROOM}</style><div class="{strip}"></div>{results}')
    widths = page.locator("i:visible").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    assert widths == pytest.approx([widths[1] / 3, widths[1], widths[1] * 2 / 3], abs=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_question_to_ask_is_whole_in_list_with_current_settings(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "attention", "present=1&dim=8")
    page.dialog("Class").get_by_role("button", name="Open a room").click()
    expect(page.get_by_role("dialog").locator(".room-code")).to_be_visible()
    page.keyboard.press("Escape")
    question = page.get_by_role("combobox", name="Question to ask")
    assert question.evaluate("e => e.scrollWidth > e.clientWidth && getComputedStyle(e).textOverflow") == "ellipsis"
    question.click()
    for option in page.get_by_role("option").all():
        assert option.evaluate(WHOLE), option.inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Exit").click()
    page.sidebar_link("lookup").click()
    expect(question).to_have_value(re.compile("D = 8"))
    page.slider("D").press("ArrowRight")
    expect(question).to_have_value(re.compile("D = 10"))


def test_clicker_steps_once_and_only_for_a_host_not_typing(page, server):
    page.set_viewport_size({"width": 1280, "height": 600})
    page.visit(server, "lookup")
    page.dialog("Class").get_by_role("button", name="Open a room").click()
    expect(page.get_by_role("dialog").locator(".room-code")).to_be_visible()
    page.keyboard.press("Escape")
    page.text_area().press("PageDown")
    page.wait_for_timeout(400)
    page.at_rest()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    page.get_by_role("heading", level=1).click()
    top = "document.querySelector('[data-testid=stMain]').scrollTop"
    scrolled = page.evaluate(top)
    for _ in "12":  # the key repeats
        page.keyboard.down("PageDown")
        page.wait_for_timeout(400)
        page.at_rest()
        expect(page.get_by_role("button", name="Close", exact=True)).to_be_visible()
    page.keyboard.up("PageDown")
    assert page.evaluate(top) == scrolled
    dialog = page.dialog("Help")
    page.keyboard.press("PageDown")
    page.at_rest()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Close", exact=True)).to_be_visible()
    for milliseconds, name in ((0, "Reveal"), (290, "Reveal"), (310, "Next")):  # sooner it is part of the last press
        page.evaluate(PRESSED_AT, 1e9 + milliseconds)
        page.keyboard.press("PageDown")
        page.wait_for_timeout(400)
        page.at_rest()
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.dialog("Class").get_by_role("button", name="End the class").click()
    page.get_by_role("button", name="End it, and delete its votes").click()
    page.sentence("The class has ended")
    page.at_rest()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("PageDown")
    page.wait_for_function(f"{top} > {scrolled}")


def test_class_by_keyboard_alone_keeps_the_focus(browser: Browser, page, server):
    teacher, learner = page, LessonPage(browser.new_context().new_page())
    teacher.visit(server, "lookup")
    teacher.dialog("Class").get_by_role("button", name="Open a room").click()
    learner.goto(teacher.get_by_role("dialog").locator("code").first.inner_text())
    learner.sentence("The question of the class appears here")
    teacher.keyboard.press("Escape")
    learner.get_by_role("heading", level=1).click()
    learner.keyboard.press("PageDown")  # only the teacher's steps through the vote
    learner.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop > 0")

    def press(who: LessonPage, name: str, then: str) -> None:
        button = who.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible()
        who.at_rest()
        button.focus()
        who.keyboard.down("Enter")
        other = who.get_by_role("button", name=then, exact=True)
        expect(other).to_be_focused()
        who.wait_for_timeout(400)
        who.keyboard.down("Enter")  # the key repeats
        who.keyboard.up("Enter")
        who.wait_for_timeout(400)
        who.at_rest()
        expect(other).to_be_focused()

    press(learner, "Explore on my own", "Back to the class")
    press(learner, "Back to the class", "Explore on my own")
    press(teacher, "Ask", "Close")
    learner.sentence("What shape does the result have?")
    for number in (1, 2):
        learner.at_rest()
        learner.option_of_vote(number).press("Enter")
        learner.sentence("Your answer is stored")
        expect(learner.option_of_vote(number)).to_have_attribute("kind", "primary")
        expect(learner.option_of_vote(number)).to_be_focused()
    press(teacher, "Close", "Reveal")
    press(teacher, "Again", "Close")
    press(teacher, "Close", "Reveal")
    press(teacher, "Reveal", "Next")
    press(teacher, "Ask with other numbers", "Close")
    press(teacher, "Cancel", "Ask")
    learner.context.close()


async def attend(fleet: Fleet, store: RoomStore, code: str) -> None:
    """Let a class vote while one process is killed; its members come back, and vote again."""
    async with AsyncExitStack() as stack:

        async def join(number: int) -> Member:
            return await stack.enter_async_context(member(fleet.address, code, number))

        members = [await join(number) for number in range(8)]
        store.ask(code, SECRET, 0, ASKED)
        await asyncio.gather(*(each.until("room_vote_1_1_0") for each in members))
        for each in members[:4]:
            await each.vote(each.number % 4)
        next(iter(fleet.processes.values())).kill()
        for each in members[4:]:
            try:
                await each.vote(each.number % 4)
            except ConnectionClosed:  # the browser reconnects, to the other process
                again = await join(each.number)
                await again.until("room_vote_1_1_0")
                await again.vote(each.number % 4)


def test_process_behind_nginx_killed_in_a_vote_loses_no_vote(tmp_path, monkeypatch):
    with running_postgres() as postgres:
        monkeypatch.setenv(URL_VARIABLE, postgres.url)
        store = RoomStore(postgres.url)
        code = store.open(SECRET, "lookup", f"v={VERSION}")
        with running_fleet(tmp_path) as fleet:
            finish(attend(fleet, store, code))
        room = store.read(code)
        assert (room.joined, room.answered, store.counts(code, 1, 4)) == (8, 8, {1: [2, 2, 2, 2]})
        store.dispose()
