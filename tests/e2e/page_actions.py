"""What a learner does and sees on a page of the app."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.base.field_types import write_query
from components.base.link import VERSION
from components.base.presets import SAMPLE_TEXT
from components.base.settings import Settings
from components.entry import LESSONS as ALL

expect.set_options(timeout=60_000)  # on a busy machine

LESSONS = tuple(ALL)
WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
DEFAULTS = {"present": "0", "text": SAMPLE_TEXT} | write_query(Settings())  # what an address leaves out
for each in ALL.values():
    DEFAULTS |= write_query(each.choices())
EXACT = {"V": "V, exact", "D": "D, exact", "Seed": "Seed, exact"}
ANIMATED = """() => document.getAnimations().filter(a => a.playState === 'running' && a.timeline === document.timeline
    && a.effect.getComputedTiming().endTime !== Infinity).length === 0"""
TOO_WIDE = """main => main.scrollWidth <= main.clientWidth ? [] : [...main.querySelectorAll('*')]
    .filter(e => e.getBoundingClientRect().right > main.getBoundingClientRect().right + 1)
    .map(e => (e.dataset.testid || e.tagName) + ' ' + (e.innerText || '').slice(0, 40))"""
CUT_OFF = """main => [...main.querySelectorAll('*')].filter(e => {
    const style = getComputedStyle(e), box = e.getBoundingClientRect()
    const hides = ['hidden', 'clip'].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1
    const shows = box.width > 8 && box.height > 8 && (e.innerText || '').trim() && style.visibility !== 'hidden'
    return hides && shows && !e.closest('.st-key-panel_text')  // the beginning of the text, which its panel shows whole
}).map(e => (e.dataset.testid || e.tagName) + ' ' + e.innerText.slice(0, 60))"""
# A chart has a background of its own, which changes when the chart is rendered again.
COLORED = """dark => {
    const of = e => getComputedStyle(e), color = e => of(e).backgroundColor
    const bright = text => text.match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3
    const app = document.querySelector('[data-testid=stApp]')
    const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg.marks')]
    // React renders the texts after the background.
    const texts = [...document.querySelectorAll('[data-testid=stMarkdown] p')].map(e => bright(of(e).color))
    return charts.every(chart => color(chart) === color(app))
        && (dark ? bright(color(app)) < 80 : bright(color(app)) > 200)
        && texts.every(each => dark ? each > 80 : each < 200)
}"""


def path_of(lesson: str) -> str:
    return ALL[lesson].url_path


def title_of(lesson: str) -> str:
    return "Embedding Lab" if lesson == "home" else ALL[lesson].title


class LessonPage:
    """A page of Playwright, with what a learner does on it; all else is passed on to Playwright."""

    def __init__(self, page: Page) -> None:
        self.playwright = page
        self.main = page.get_by_test_id("stMain")  # without the sidebar

    def __getattr__(self, name: str) -> Any:
        return getattr(self.playwright, name)

    def watch_console(self, server: str) -> list[str]:
        """Return a list that collects the console's errors, except two that are Streamlit's own.

        For a deep link its frontend requests /<page>/_stcore/health and host-config before /_stcore/....
        """
        errors: list[str] = []

        def record(message) -> None:
            url = message.location.get("url", "")
            of_streamlit = "404" in message.text and re.search(r"/\w+/_stcore/", url)
            elsewhere = message.text.startswith("Failed to load resource") and not url.startswith(server)
            if message.type == "error" and not of_streamlit and not elsewhere:
                errors.append(f"{message.text} ({url})")

        self.on("console", record)
        self.on("pageerror", lambda error: errors.append(str(error)))
        return errors

    def visit(self, server: str, lesson: str = "home", query: str = "") -> None:
        """Open a lesson by its address and wait until it is complete."""
        self.goto(f"{server}/{path_of(lesson)}" + (f"?{query}" if query else ""))
        self.drawn(lesson)

    def drawn(self, lesson: str) -> None:
        """Wait until the lesson is complete: its address, its title, what is at its end, and no run in progress."""
        self.wait_for_url(lambda url: urlsplit(url).path == f"/{path_of(lesson)}")
        expect(self.get_by_role("heading", name=title_of(lesson), level=1)).to_be_visible()
        if lesson != LESSONS[-1]:
            expect(self.next_link(lesson).or_(self.get_by_role("button", name="Exit")).first).to_be_visible()
        self.at_rest()

    def next_link(self, lesson: str) -> Locator:
        """Return the link at the end of a lesson, to the next one."""
        following = title_of(LESSONS[LESSONS.index(lesson) + 1])
        return self.main.get_by_role("link", name=re.compile(f"Next: {following}$"))

    def at_rest(self) -> None:
        """Wait until no run is in progress and the browser shows all that the last one sent, without a traceback."""
        expect(self.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_attached()
        expect(self.get_by_test_id("stSkeleton")).to_have_count(0)
        expect(self.locator("[data-stale=true]")).to_have_count(0)
        expect(self.get_by_test_id("stException")).to_have_count(0)

    def watch_sent(self) -> list[bytes]:
        """Return a list that collects the browser's requests for a run."""
        sent: list[bytes] = []

        def record(payload: bytes) -> None:
            if BackMsg.FromString(payload).HasField("rerun_script"):
                sent.append(payload)

        self.on("websocket", lambda socket: socket.on("framesent", record))
        return sent

    def reveal(self) -> None:
        """Ask to see the answer that the figure masks, and wait for the figure with it, which stays where it was."""
        masks = self.figure.locator(".masked")
        expect(masks).not_to_have_count(0)
        before = self.below_title(self.figure)
        self.button("Show me").click()
        expect(masks).to_have_count(0)
        self.at_rest()
        assert self.below_title(self.figure) == before

    def below_title(self, part: Locator) -> float:
        """Return how many pixels below the title a part of the page begins, even while the page is being scrolled."""
        return part.evaluate(
            "(part, title) => part.getBoundingClientRect().top - title.getBoundingClientRect().top",
            self.get_by_role("heading", level=1).element_handle(),
        )

    def answers(self) -> Locator:
        """Return the options of the question below the figure, and of those behind it."""
        return self.main.locator("[class*=st-key-check_]").get_by_role("radio")

    def option_of_vote(self, number: int) -> Locator:
        return self.main.locator('[class*="st-key-room_vote_"] button').nth(number)

    def sentence(self, words: str | re.Pattern) -> None:
        expect(self.main.get_by_text(words).first).to_be_visible()

    def in_address(self, **wanted: str) -> None:
        """Wait until the address of the page contains these values, but for defaults, and the page is at rest."""
        named = {name: None if DEFAULTS.get(name) == value else value for name, value in wanted.items()}
        self.wait_for_function(
            "named => Object.entries(named).every(([k, v]) => new URLSearchParams(location.search).get(k) === v)",
            arg={"v": VERSION} | named,
        )
        self.at_rest()

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.url).query, keep_blank_values=True).items()}

    def follow(self, lesson: str) -> None:
        """Click on a lesson in the sidebar and wait for it."""
        self.sidebar_link(lesson).click(delay=100)
        self.drawn(lesson)

    def sidebar_link(self, lesson: str) -> Locator:
        return self.get_by_test_id("stSidebarNav").get_by_role("link", name=ALL[lesson].title, exact=True)

    @property
    def figure(self) -> Locator:
        """The drawing of the lesson's figure, the first one of its page."""
        return self.main.locator(".figure > svg").first

    def button(self, name: str | re.Pattern) -> Locator:
        return self.main.get_by_role("button", name=name, exact=True).first

    def radio(self, name: str) -> Locator:
        return self.main.get_by_role("radio", name=name, exact=True)

    def dialog(self, name: str) -> Locator:
        self.button(name).click()
        dialog = self.get_by_role("dialog")
        expect(dialog).to_be_visible()
        self.at_rest()
        return dialog

    def open_settings(self) -> None:
        """Open the panel with all settings if it is closed."""
        self.at_rest()
        panel = self.main.get_by_role("spinbutton", name="V, exact", exact=True)
        if panel.count() == 0:
            self.button("All settings").click()
            expect(panel).to_be_visible()
            self.at_rest()

    @property
    def sections(self) -> Locator:
        return self.main.get_by_role("toolbar", name="Go deeper").get_by_role("button")

    def open_section(self, label: str) -> None:
        """Open a section below the lesson if it is closed, and wait for it: it moves what is below."""
        button = self.sections.filter(has_text=label)
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        expect(self.main.locator("strong", has_text=label).first).to_be_visible()

    def entry(self, label: str) -> Locator:
        """Return the field for an exact value: in the row of controls, or in the panel, which is opened if needed.

        The first field of this label, since a run in progress may still show the one before.
        """
        field = self.main.get_by_role("spinbutton", name=EXACT.get(label, label), exact=True)
        if field.count() == 0:
            self.open_settings()
        return field.first

    def slider(self, label: str) -> Locator:
        """Return the slider in the row of controls, or the one in the panel if the row of this lesson has none."""
        found = self.main.get_by_role("slider", name=re.compile(rf"^{label}\b"))
        if found.count() == 0:
            self.open_settings()
        return found.first

    def type_number(self, label: str, value: int | str) -> None:
        """Type a number into the field for an exact value."""
        self.entry(label).fill(str(value))
        self.entry(label).press("Enter")

    def text_area(self) -> Locator:
        """Return the text area; its panel is opened if needed. The first, as for `entry`."""
        area = self.get_by_role("textbox", name="Your text", exact=True)
        if area.count() == 0:
            self.at_rest()
            if area.count() == 0:
                self.locator(".st-key-panel_text button").click()
                expect(area).to_be_visible()
                self.at_rest()
        return area.first

    def type_text(self, text: str) -> None:
        """Replace the text by another and apply it."""
        self.text_area().fill(text)
        self.text_area().press("Control+Enter")

    def upload(self, content: bytes = WORDS, name: str = "mine.txt") -> None:
        """Upload a file; if it is that of five words, wait until they are shown."""
        self.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        if content == WORDS:
            expect(self.main).to_contain_text(f"5 words of your file {name}")

    def settled(self) -> None:
        """Wait until no finite animation is running: a part that is half open has other colors."""
        self.wait_for_function(ANIMATED)

    def in_colors(self, colors: Literal["light", "dark"]) -> None:
        """Set the system's preference to light or dark, which an open page follows, and wait until it has."""
        self.emulate_media(color_scheme=colors)
        self.wait_for_function(COLORED, arg=colors == "dark")
        self.settled()

    def misfits(self, cut_off: bool = True) -> list[str]:
        """Return what overflows the main area or is cut off in it, after the page has had time to fit itself."""
        for _ in range(50):
            found = self.main.evaluate(TOO_WIDE) + (self.main.evaluate(CUT_OFF) if cut_off else [])
            if not found:
                break
            self.wait_for_timeout(100)
        return found[:8]


@contextmanager
def tab(context: BrowserContext) -> Iterator[LessonPage]:
    """Yield the one tab of a browser and clear it afterwards: opening another costs more than most tests."""
    page = context.pages[0] if context.pages else context.new_page()
    size = page.viewport_size
    try:
        yield LessonPage(page)
    finally:
        page.evaluate("() => location.protocol === 'about:' || sessionStorage.clear()")  # the score of the tab
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.set_viewport_size(size)
