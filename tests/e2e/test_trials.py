"""The trials of the state in a browser: no entry is lost, whatever the learner does next.

In some of them every run of a lesson takes 0.3 s longer, so that the next action meets a run in progress. Entries that
come faster than the answers are in test_rapid_input.py, a restart of the server is in test_restart.py.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing

import pytest
from playwright.sync_api import expect

from components.base.field_types import write_query
from components.base.presets import PRESETS
from components.embedding.tables import token_table

from .page_actions import LessonPage
from .server_processes import ROOT, running_server, streamlit_run

TEXT = "one two three four five six seven eight nine ten eleven twelve"
THREE = {"vocab_size": "60", "dim": "20", "seed": "7"}
SLOW_ENTRY = """
import time
from components.ui.lesson import Lesson

page = Lesson.page

def slow_page(self):
    time.sleep(0.3)
    return page.fget(self)

Lesson.page = property(slow_page)
"""


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


def press_right(page: LessonPage, label: str) -> str:
    """Move a slider by one step; return the value that it shows then."""
    before = page.slider(label).get_attribute("aria-valuetext")
    page.slider(label).press("ArrowRight")
    expect(page.slider(label)).not_to_have_attribute("aria-valuetext", before)
    return page.slider(label).get_attribute("aria-valuetext")


def set_three(page: LessonPage) -> None:
    """Change V by typing, D by the arrow keys, and the seed by typing."""
    page.type_number("V", 60)
    page.in_address(vocab_size="60")
    page.slider("D").press("ArrowRight")
    page.in_address(dim="20")
    page.type_number("Seed", 7)
    page.in_address(seed="7")


def three_are(page: LessonPage, wanted: Mapping[str, str] = THREE) -> None:
    """Check three values in the exact fields and in the address."""
    for label, value in zip(("V", "D", "Seed"), wanted.values(), strict=True):
        expect(page.entry(label)).to_have_value(value)
    page.in_address(**wanted)


def open_sections(page: LessonPage) -> None:
    """Open the sections of Combine that have its own choices, each when the one before is complete."""
    for label, role, name in (("Step by step", "radiogroup", "Step"), ("Another element", "spinbutton", "Column d")):
        page.open_section(label)
        expect(page.main.get_by_role(role, name=name)).to_be_attached()
        page.at_rest()


# The address, pages and the history


def test_first_visit_by_deep_link_takes_a_change_at_once(page, slow_server):
    page.goto(f"{slow_server}/lookup?vocab_size=6&dim=3&seed=9&ids=2+3+5+1")
    page.main.get_by_role("slider", name="D D", exact=True).first.press("ArrowRight")  # much of the page is missing
    page.in_address(vocab_size="6", dim="4", seed="9", ids="2 3 5 1")
    expect(page.figure).to_contain_text(f"{token_table(6, 4, 9).weight[2, 0]:.2f}".replace("-", "−"))
    page.drawn("lookup")
    expect(page.entry("V")).to_have_value("6")


def test_state_survives_pages_history_and_a_reload(page, server):
    choices = {"tokenizer": "words", "step": "2", "b": "1", "d": "3"}
    page.visit(server, "combine", "input=single&" + "&".join(f"{name}={value}" for name, value in choices.items()))
    page.type_text(TEXT)
    page.in_address(text=TEXT)
    set_three(page)

    def same() -> None:
        page.drawn("combine")
        three_are(page)
        page.in_address(text=TEXT, **choices)
        open_sections(page)
        expect(page.radio("position")).to_be_checked()
        expect(page.main.get_by_role("spinbutton", name="Column d")).to_have_value("3")

    page.follow("tokens")
    expect(page.text_area()).to_have_value(TEXT)
    page.next_link("tokens").click()
    page.drawn("windows")
    three_are(page)
    for move, lesson in ((page.go_back, "tokens"), (page.go_forward, "windows")):
        move()
        page.drawn(lesson)
        page.in_address(text=TEXT, **THREE)
    page.follow("combine")
    same()
    page.reload()
    same()
    page.follow("home")
    expect(page.main).to_contain_text("3 of 11 lessons opened")
    page.follow("lookup")
    page.open_section("Other inputs")
    expect(page.radio("Single ID [ ]")).to_be_checked()


def test_back_undoes_one_change_at_a_time_to_the_bare_address(page, server):
    page.visit(server, "lookup")
    set_three(page)
    states = (THREE | {"vocab_size": "50257", "dim": "16", "seed": "123"}, THREE | {"dim": "16", "seed": "123"})
    states += (THREE | {"seed": "123"}, THREE)
    for state in states[-2::-1]:
        page.go_back()
        three_are(page, state)
    for state in states[1:]:
        page.go_forward()
        three_are(page, state)  # the address alone is there before the run
    arrived = "new Promise(done => addEventListener('popstate', () => done(location.search), {once: true}))"
    assert page.evaluate(f"() => {{ const there = {arrived}; history.go(-{len(states)}); return there }}") == ""
    three_are(page)  # an address without parameters keeps the state
    page.follow("combine")
    three_are(page)


def test_back_undoes_a_choice_of_the_lesson(page, server):
    page.visit(server, "positions")
    page.slider("Position").press("ArrowRight")
    page.in_address(at="6")
    page.go_back()
    page.in_address(at="5")
    expect(page.slider("Position")).to_have_value("5")


# One action after the other, while runs are slow


@pytest.mark.parametrize("milliseconds", [0, 60])
def test_click_on_lesson_right_after_opening_a_panel_is_not_lost(page, slow_server, milliseconds):
    page.visit(slow_server, "lookup")
    # A busy browser would handle the press and the release of a click at once.
    page.evaluate("() => new Promise(done => requestIdleCallback(done))")
    page.button("All settings").click()
    page.wait_for_timeout(milliseconds)
    page.button("Show me").click()
    expect(page.figure.locator(".masked")).to_have_count(0)
    expect(page.main.get_by_text("Preset", exact=True)).to_be_visible()


def test_entries_on_home_while_a_run_is_on_are_kept(page, slow_server):
    page.visit(slow_server)
    page.text_area()  # in an open panel
    dim = press_right(page, "D")
    page.text_area().fill("")
    page.text_area().press_sequentially(typed := "typed while it runs", delay=40)
    page.text_area().press("Control+Enter")
    page.in_address(text=typed, dim=dim)
    expect(page.text_area()).to_have_value(typed)
    page.radio("Toy table").click(delay=80)  # from press to release, as a finger does
    page.slider("Seed").press("ArrowRight")
    page.in_address(**write_query(PRESETS["Toy table"].settings) | {"seed": "124"})
    expect(page.slider("Seed")).to_have_attribute("aria-valuetext", "124")


def test_slider_that_is_dragged_is_not_set_back_by_a_run(page, slow_server):
    page.visit(slow_server, "positions")
    slider = page.slider("Position")
    slider.press("ArrowRight")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    held = slider.input_value()
    page.in_address(at="6")
    expect(slider).to_have_value(held)
    page.mouse.up()
    page.in_address(at=held)


def test_slider_that_is_dragged_back_is_not_set_forward_by_a_run(page, slow_server):
    page.visit(slow_server, "positions")
    slider = page.slider("Position")
    slider.press("ArrowRight")
    slider.evaluate("""slider => {  // the beginning of a drag, back to where the run before is
        slider.value = 5
        slider.dispatchEvent(new Event('input'))
    }""")
    page.in_address(at="6")
    expect(slider).to_have_value("5")


def test_control_without_its_script_is_back_after_a_reload(page, server):
    page.visit(server, "tokens")
    page.route("**/NumberInput*.js", lambda request: request.abort())  # as without network for a second
    page.button("All settings").click()
    page.sentence(re.compile("Failed to fetch dynamically imported module"))
    page.unroute("**/NumberInput*.js")
    page.type_text(TEXT)
    page.in_address(text=TEXT)
    page.reload()
    page.drawn("tokens")
    page.type_number("V", 60)
    page.in_address(text=TEXT, vocab_size="60")


def test_score_of_which_a_request_was_lost_is_given_again(page, server):
    lost = []

    def handle(socket) -> None:
        to_server = socket.connect_to_server()

        def send(message: bytes) -> None:
            lost.append(message) if not lost and b"stored" in message else to_server.send(message)

        socket.on_message(send)
        to_server.on_message(socket.send)

    page.visit(server)
    page.reveal()
    page.route_web_socket(re.compile("_stcore/stream"), handle)
    page.reload()
    expect(page.button("Ask again")).to_be_visible()
    assert len(lost) == 1


def test_score_that_was_taken_is_not_given_again(page, server):
    """A tab with an answer renders the component again that gives it; one that has visited pages alone removes it."""
    sent = []
    with closing(page.context.new_page()) as other:
        for answered, each in {True: page, False: LessonPage(other)}.items():
            each.visit(server)
            each.follow("tokens")
            if answered:
                each.reveal()
            each.wait_for_function("() => sessionStorage.getItem('score')")
            sent.append(each.watch_sent())
            each.reload()
            each.drawn("tokens")
        expect(page.button("Ask again")).to_be_visible()
        page.wait_for_timeout(6_000)  # a score that was not taken is given again after 5
    assert [sum(b"stored" in each for each in found) for found in sent] == [1, 1]
