"""The trials of the state in a browser: what is entered is kept, whatever the learner does next.

In most of them every run of a lesson takes 0.3 s longer, so that the next action meets a run in progress. Three losses
are accepted, since only changes to private parts of Streamlit could prevent them; such a trial asserts that the page
shows the value or what it replaces, with an address that agrees. Bad values of a link are in test_bad_links.py, a
restart of the server is in test_restart.py.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.base.field_types import write_query
from components.base.presets import PRESETS
from components.embedding import token_table

from .page_actions import (
    LESSONS,
    address_query,
    at_rest,
    drawn,
    entry,
    follow,
    in_address,
    lesson_at,
    main_of,
    no_traceback,
    open_settings,
    path_of,
    set_three,
    sidebar_link,
    slider,
    text_area,
    three_are_set,
    title_of,
    type_number,
    type_text,
    visit,
)
from .server_processes import ROOT, running_server, streamlit_run

ATTEMPTS = 4
TWICE = pytest.mark.parametrize("attempt", range(2))
TEXT = "one two three four five six seven"
FINGER = 80  # milliseconds from press to release
SECONDS_PER_RUN = 0.3
SLOW_ENTRY = f"""
import time
from components import entry

lesson_module = entry.lesson_module

def slow_module(name, part):
    if part == "page":
        time.sleep({SECONDS_PER_RUN})
    return lesson_module(name, part)

entry.lesson_module = slow_module
"""


@pytest.fixture
def pages_asked(page) -> list[str]:
    """Return the hash of the page in every request for a run that the browser sends; the list grows."""
    asked: list[str] = []

    def record(payload: bytes) -> None:
        message = BackMsg.FromString(payload)
        if message.WhichOneof("type") == "rerun_script":
            asked.append(message.rerun_script.page_script_hash)

    page.on("websocket", lambda socket: socket.on("framesent", record))
    return asked


def browser_was_late(pages_asked: list[str], before: int) -> bool:
    """Return True if the entry was sent after the change of page, as with a tap of no time: an accepted loss.

    A browser with much else to do handles press and release together, whatever lies between them.
    """
    first, *later = pages_asked[before - 1 :]
    return any(page != first for page in later) and pages_asked[-1] == first


@pytest.fixture(scope="module")
def slow_server(browser, tmp_path_factory) -> Iterator[str]:
    """Return the address of the app with a sleep in every lesson: an entry beside the app's, with pages of its own."""
    folder = tmp_path_factory.mktemp("slow")
    (folder / "slow_entry.py").write_text(SLOW_ENTRY)
    (folder / "pages").mkdir()
    for path in (ROOT / "app.py", *(ROOT / "pages").glob("*.py")):
        (folder / path.relative_to(ROOT)).write_text(f"import slow_entry\n{path.read_text()}")
    with running_server(streamlit_run(folder / "app.py"), env={"PYTHONPATH": f"{folder}:{ROOT}"}) as server:
        yield server.address


def has(page: Page, **wanted: str) -> None:
    """Check that the page comes to rest with these values in its address, and without a traceback."""
    in_address(page, **wanted)
    no_traceback(page)


def at(page: Page, lesson: str) -> None:
    """Check that the page comes to rest as this lesson, in its title and in its address."""
    drawn(page, lesson)
    assert lesson_at(page) == lesson


def settled_lesson(page: Page) -> str:
    """Return the lesson at which the page comes to rest: a late change of page may still replace the first one."""
    page.wait_for_timeout(2_000 * SECONDS_PER_RUN)
    titles = {f"/{path_of(name)}": title_of(name) for name in LESSONS}
    page.wait_for_function(
        "titles => document.querySelector('[data-testid=stMain] h1')?.innerText.trim() === titles[location.pathname]",
        arg=titles,
    )
    here = lesson_at(page)
    at(page, here)
    return here


def idle(page: Page) -> None:
    """Wait until the browser has nothing to do: a busy one handles press and release at once, as a tap of no time."""
    at_rest(page)
    page.evaluate("() => new Promise(done => requestIdleCallback(done))")


def press_right(page: Page, label: str) -> str:
    """Move a slider by one step; return the value that it shows then."""
    before = slider(page, label).get_attribute("aria-valuetext")
    slider(page, label).press("ArrowRight")
    expect(slider(page, label)).not_to_have_attribute("aria-valuetext", before)
    return slider(page, label).get_attribute("aria-valuetext")


def radio(page: Page, name: str) -> Locator:
    return main_of(page).get_by_role("radio", name=name, exact=True)


# Links, pages and the history


def enter_at_once(page: Page, role: str, name: str, key: str, text: str = "") -> None:
    """Enter a value as soon as its control is on the page, however much of the page is still missing."""
    control = main_of(page).get_by_role(role, name=name, exact=True).first
    if text:
        control.fill(text)
    control.press(key)


FIRST_VISITS = {
    "lookup": (("slider", "D D", "ArrowRight"), {"dim": "4"}),
    "windows": (("spinbutton", "B", "Enter", "1"), {"batch_size": "1"}),
    "tokens": (("textbox", "Your text", "Control+Enter", TEXT), {"text": TEXT, "ids": ""}),
    "training": (("slider", "Seed Seed", "ArrowRight"), {"seed": "10"}),
}


@pytest.mark.parametrize("lesson", FIRST_VISITS)
def test_first_visit_by_deep_link_takes_a_change_at_once(page, fresh_server, lesson):
    entered, changed = FIRST_VISITS[lesson]
    page.goto(f"{fresh_server}/{lesson}?vocab_size=6&dim=3&seed=9&ids=2+3+5+1")
    enter_at_once(page, *entered)
    has(page, **({"vocab_size": "6", "dim": "3", "seed": "9", "ids": "2 3 5 1"} | changed))
    at(page, lesson)
    expect(entry(page, "V")).to_have_value("6")
    if lesson == "lookup":
        table = token_table(6, 4, 9).weight
        expect(main_of(page)).to_contain_text(f"W[0, 0] = {table[0, 0]:.4f}")
        expect(main_of(page)).to_contain_text(f"The first is row 2 of the table and begins with {table[2, 0]:.4f}, ")


@TWICE
def test_settings_and_text_survive_pages_and_reload(page, server, attempt):
    visit(page, server)
    type_text(page, TEXT)
    in_address(page, text=TEXT)
    set_three(page)
    follow(page, "tokens")
    three_are_set(page)
    main_of(page).get_by_role("link", name="Next: Windows").click()
    at(page, "windows")
    three_are_set(page)
    page.reload()
    at(page, "windows")
    three_are_set(page)
    expect(text_area(page)).to_have_value(TEXT)


@TWICE
def test_back_and_forward_between_pages_keep_settings(page, server, attempt):
    visit(page, server, "lookup")
    set_three(page)
    follow(page, "windows")
    page.go_back()
    at(page, "lookup")
    three_are_set(page)
    page.go_forward()
    at(page, "windows")
    three_are_set(page)


@TWICE
def test_back_undoes_one_change_at_a_time(page, server, attempt):
    visit(page, server, "lookup")
    set_three(page)
    page.go_back()
    expect(entry(page, "Seed")).to_have_value("123")
    expect(entry(page, "D")).to_have_value("20")
    page.go_back()
    expect(entry(page, "D")).to_have_value("16")
    expect(entry(page, "V")).to_have_value("60")
    page.go_back()
    expect(entry(page, "V")).to_have_value("50257")
    page.go_forward()
    expect(entry(page, "V")).to_have_value("60")
    expect(entry(page, "D")).to_have_value("16")


@TWICE
def test_a_copied_address_opens_with_everything(page, new_learner, server, attempt):
    visit(page, server, "combine", f"tokenizer=words&text={TEXT.replace(' ', '+')}&input=single")
    set_three(page)
    radio(page, "token").click()
    in_address(page, step="1")
    other = new_learner()
    other.goto(page.url)
    at(other, "combine")
    has(other, **address_query(page))
    three_are_set(other)
    expect(radio(other, "token")).to_be_checked()
    expect(text_area(other)).to_have_value(TEXT)
    follow(other, "lookup")
    expect(radio(other, "Single ID [ ]")).to_be_checked()


# One action after the other


def test_text_typed_while_a_run_ends_is_kept(page, slow_server):
    visit(page, slow_server)
    for attempt in range(ATTEMPTS):
        dim = press_right(page, "D")
        text_area(page).fill("")
        text_area(page).press_sequentially(typed := f"attempt {attempt} of typing", delay=40)
        text_area(page).press("Control+Enter")
        has(page, text=typed, dim=dim)
        expect(text_area(page)).to_have_value(typed)


@pytest.mark.parametrize("control", ["number", "slider"])
def test_a_value_and_then_a_button_both_count(page, slow_server, control):
    visit(page, slow_server, "lookup")
    open_settings(page)
    for attempt in range(ATTEMPTS):
        if control == "number":
            name, value = "vocab_size", str(20_000 + attempt)
            entry(page, "V").fill(value)
        else:
            name, value = "dim", press_right(page, "D")
        page.get_by_role("button", name="Share", exact=True).click(delay=FINGER)
        expect(page.get_by_role("dialog").get_by_test_id("stCode")).to_contain_text(f"{name}={value}&")
        has(page, **{name: value})
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def enter_number(page: Page, attempt: int) -> dict[str, str]:
    entry(page, "T").fill(str(3 + attempt))
    return {"context_length": str(3 + attempt)}


def enter_text(page: Page, attempt: int) -> dict[str, str]:
    text_area(page).fill(typed := f"attempt {attempt} of a text")
    return {"text": typed}


def enter_choice(page: Page, attempt: int) -> dict[str, str]:
    radio(page, ("token", "position", "position unsqueezed", "position broadcast")[attempt]).click()
    return {"step": str(attempt + 1)}


def enter_own_number(page: Page, attempt: int) -> dict[str, str]:
    main_of(page).get_by_role("spinbutton", name="Column d").fill(str(5 + attempt))
    return {"d": str(5 + attempt)}


ENTRIES: dict[str, tuple[str, Callable[[Page, int], dict[str, str]]]] = {
    "number": ("windows", enter_number),
    "text": ("home", enter_text),
    "own choice": ("combine", enter_choice),
    "own number": ("combine", enter_own_number),
}


@pytest.mark.parametrize("running", [False, True], ids=["at rest", "while a run is on"])
@pytest.mark.parametrize("kind", ENTRIES)
def test_a_value_and_then_a_link_both_count(page, pages_asked, slow_server, kind, running):
    lesson, enter = ENTRIES[kind]
    visit(page, slow_server, lesson)
    for attempt in range(ATTEMPTS):
        begun = {}
        if running and lesson == "windows":
            begun = {"stride": str(attempt + 1)}
            type_number(page, "Stride", attempt + 1)
        elif running:
            begun = {"dim": press_right(page, "D")}
        else:
            idle(page)
        entered, before = enter(page, attempt), len(pages_asked)
        sidebar_link(page, "tokens").click(delay=FINGER)
        has(page, **begun, **entered)
        if settled_lesson(page) != "tokens":
            assert browser_was_late(pages_asked, before)
            follow(page, "tokens")
        follow(page, lesson)
        has(page, **begun, **entered)


def test_a_preset_and_then_a_slider_both_count(page, slow_server):
    visit(page, slow_server)
    for preset in ("Toy table", "Story batch", "Small vocabulary", "Scaled"):
        shape = write_query(PRESETS[preset].settings) | {"seed": "124"}
        assert PRESETS[preset].settings.seed == PRESETS["My text"].settings.seed == 123
        if not radio(page, "My text").is_checked():
            radio(page, "My text").click()
            in_address(page, vocab_size="50257", dim="16", seed="123", ids="", scale="0")
        radio(page, preset).click(delay=FINGER)
        slider(page, "Seed").press("ArrowRight")
        has(page, **shape)
        expect(slider(page, "Seed")).to_have_attribute("aria-valuetext", "124")


def test_two_controls_of_one_value_show_the_last_entry(page, slow_server):
    visit(page, slow_server, "lookup")
    open_settings(page)
    row, panel = (main_of(page).get_by_role("slider", name="D D", exact=True).nth(index) for index in (0, 1))
    for attempt in range(ATTEMPTS):
        type_number(page, "D", 60 + attempt)
        expect(row).to_have_attribute("aria-valuetext", "48")
        row.press("ArrowRight")
        has(page, dim="64")
        expect(panel).to_have_attribute("aria-valuetext", "64")
        expect(entry(page, "D")).to_have_value("64")
        panel.press("ArrowRight")
        type_number(page, "D", 200 + attempt)  # while the run of the slider is on
        has(page, dim=str(200 + attempt))
        for each in (row, panel):
            expect(each).to_have_attribute("aria-valuetext", "192")
        expect(entry(page, "D")).to_have_value(str(200 + attempt))


@pytest.mark.parametrize("order", ["shared value first", "own value first"])
def test_a_shared_and_an_own_value_in_a_row_both_count(page, slow_server, order):
    visit(page, slow_server, "combine")
    for attempt in range(ATTEMPTS):
        if order == "shared value first":
            wanted = {"dim": press_right(page, "D")} | enter_choice(page, attempt)
        else:
            wanted = enter_choice(page, attempt) | {"dim": press_right(page, "D")}
        has(page, **wanted)
        expect(slider(page, "D")).to_have_attribute("aria-valuetext", wanted["dim"])
        expect(radio(page, "ids")).not_to_be_checked()


@pytest.mark.parametrize("control", ["segmented control", "slider", "field"])
def test_four_steps_within_100_ms_all_count(page, slow_server, control):
    visit(page, slow_server, "combine", "seed=100")
    field = main_of(page).get_by_role("spinbutton", name="Column d")
    for attempt in range(ATTEMPTS):
        if control == "segmented control":
            radio(page, "ids").click()
            in_address(page, step="0")
        else:
            slider(page, "Seed").focus() if control == "slider" else field.focus()
        for _ in range(4):
            page.keyboard.press("ArrowUp" if control == "field" else "ArrowRight")
            if control == "segmented control":
                page.keyboard.press("Space")
            page.wait_for_timeout(20)
        if control == "segmented control":
            has(page, step="4")
            expect(radio(page, "position broadcast")).to_be_checked()
        elif control == "slider":
            has(page, seed=str(104 + 4 * attempt))
        else:
            has(page, d=str(min(15, 4 + 4 * attempt)))


# A tap, and the accepted losses


def test_a_tap_on_a_link_after_typing_keeps_both(page, pages_asked, slow_server):
    visit(page, slow_server)
    here = "home"
    for attempt, milliseconds in enumerate((60, 75, 90) * ATTEMPTS):
        there = "home" if here == "tokens" else "tokens"
        idle(page)
        before = len(pages_asked)
        text_area(page).fill(typed := f"tap {attempt} of {milliseconds} ms")
        sidebar_link(page, there).click(delay=milliseconds)
        has(page, text=typed)
        here = settled_lesson(page)
        expect(text_area(page)).to_have_value(typed)
        assert here == there or browser_was_late(pages_asked, before)


def test_a_tap_of_no_time_keeps_the_text_and_may_lose_the_page(page, slow_server):
    visit(page, slow_server)
    here = "home"
    for attempt in range(ATTEMPTS):
        there = "home" if here == "tokens" else "tokens"
        text_area(page).fill(typed := f"tap {attempt} of no time")
        sidebar_link(page, there).click(delay=0)
        has(page, text=typed)
        here = settled_lesson(page)  # accepted: still the page before
        expect(text_area(page)).to_have_value(typed)


def test_typing_while_a_preset_resets_the_field_may_lose_it(page, slow_server):
    visit(page, slow_server)
    open_settings(page)
    for attempt in range(ATTEMPTS):
        if not radio(page, "My text").is_checked():
            radio(page, "My text").click()
            in_address(page, vocab_size="50257")
        radio(page, "Toy table").click()
        page.wait_for_timeout(attempt * 120)
        field = entry(page, "V")
        field.fill(str(40 + attempt))
        field.press("Enter")
        page.wait_for_timeout(2_000 * SECONDS_PER_RUN)
        at_rest(page)
        no_traceback(page)
        shown = address_query(page)["vocab_size"]
        assert shown in (str(40 + attempt), "6")  # accepted: the preset's value
        expect(entry(page, "V")).to_have_value(shown)
        assert address_query(page)["dim"] == "3"
        expect(page.get_by_role("heading", name=title_of("home"), level=1)).to_be_visible()
