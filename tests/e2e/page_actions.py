"""What a learner does and sees on a page, as functions for the tests in a browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from components import entry as app_entry

expect.set_options(timeout=15_000)

LESSONS = tuple(app_entry.LESSONS)
WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
WITHOUT_TEXT = tuple(name for name, lesson in app_entry.LESSONS.items() if not lesson.takes_text)
WITHOUT_SETTINGS = tuple(name for name, lesson in app_entry.LESSONS.items() if lesson.controls is None)
EXACT = {"V": "V, exact", "D": "D, exact", "Seed": "Seed, exact"}


def watch_console(page: Page, server: str) -> list[str]:
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

    page.on("console", record)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@contextmanager
def tab(context: BrowserContext) -> Iterator[Page]:
    """Yield the one tab of a browser and clear it afterwards: opening another costs more than most tests."""
    page = context.pages[0] if context.pages else context.new_page()
    size = page.viewport_size
    try:
        yield page
    finally:
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.set_viewport_size(size)


def main_of(page: Page) -> Locator:
    """Return the page without the sidebar."""
    return page.get_by_test_id("stMain")


def upload_words(page: Page) -> None:
    """Upload a file of five word vectors and wait until they are shown."""
    page.locator("input[type=file]").set_input_files({"name": "mine.txt", "mimeType": "text/plain", "buffer": WORDS})
    expect(main_of(page)).to_contain_text("5 words of your file mine.txt")


def path_of(lesson: str) -> str:
    return app_entry.LESSONS[lesson].url_path


def title_of(lesson: str) -> str:
    return "Embedding Lab" if lesson == "home" else app_entry.LESSONS[lesson].title


def visit(page: Page, server: str, lesson: str = "home", query: str = "") -> None:
    """Open a lesson by its address and wait until it is complete."""
    page.goto(f"{server}/{path_of(lesson)}" + (f"?{query}" if query else ""))
    drawn(page, lesson)


def drawn(page: Page, lesson: str) -> None:
    """Wait until the lesson is complete: its title, what is at its end, and no run in progress."""
    expect(page.get_by_role("heading", name=title_of(lesson), level=1)).to_be_visible()
    if lesson != LESSONS[-1]:
        following = title_of(LESSONS[LESSONS.index(lesson) + 1])
        ends = main_of(page).get_by_role("link", name=f"Next: {following}", exact=True)
        expect(ends.or_(page.get_by_role("button", name="Exit")).first).to_be_visible()
    at_rest(page)


def lesson_at(page: Page) -> str:
    """Return the lesson that the address names."""
    return page.evaluate("location.pathname").strip("/") or "home"


def at_rest(page: Page) -> None:
    """Wait until no run is in progress and the browser shows all that the last one sent."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_attached()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def no_traceback(page: Page) -> None:
    """Check that the page shows no exception."""
    expect(page.get_by_test_id("stException")).to_have_count(0)


def settings_button(page: Page) -> Locator:
    """Return the button that opens the panel with all settings, and closes it."""
    return main_of(page).get_by_role("button", name="All settings", exact=True)


def text_button(page: Page) -> Locator:
    """Return the button that opens the panel of the text, and closes it; its label is the beginning of the text."""
    return page.locator(".st-key-panel_text button")


def open_settings(page: Page) -> None:
    """Open the panel with all settings if it is closed."""
    at_rest(page)
    panel = main_of(page).get_by_role("spinbutton", name="V, exact", exact=True)
    if panel.count() == 0:
        settings_button(page).click()
        expect(panel).to_be_visible()
        at_rest(page)


def entry(page: Page, label: str) -> Locator:
    """Return the field for an exact value: in the row of controls, or in the panel, which is opened if needed.

    The first field of this label, since a run in progress may still show the one before.
    """
    field = main_of(page).get_by_role("spinbutton", name=EXACT.get(label, label), exact=True)
    if field.count() == 0:
        open_settings(page)
    return field.first


def slider(page: Page, label: str) -> Locator:
    """Return the slider in the row of controls, or the one in the panel if the row of this lesson has none."""
    found = main_of(page).get_by_role("slider", name=re.compile(rf"^{label}\b"))
    if found.count() == 0:
        open_settings(page)
    return found.first


def type_number(page: Page, label: str, value: int | str) -> None:
    """Type a number into the field for an exact value."""
    entry(page, label).fill(str(value))
    entry(page, label).press("Enter")


def follow(page: Page, lesson: str) -> None:
    """Click on a lesson in the sidebar and wait for it."""
    sidebar_link(page, lesson).click(delay=100)
    drawn(page, lesson)


def sidebar_link(page: Page, lesson: str) -> Locator:
    """Return the link to a lesson in the sidebar."""
    title = app_entry.LESSONS[lesson].title
    return page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True)


def open_expander(page: Page, words: str) -> None:
    """Open the part of the page whose title contains these words if it is closed."""
    part = page.get_by_test_id("stExpander").filter(has=page.locator("summary", has_text=words)).first
    if part.locator("details[open]").count() == 0:
        part.locator("summary").click()


def text_area(page: Page) -> Locator:
    """Return the text area; its panel is opened if needed. The first, as for `entry`."""
    area = page.get_by_role("textbox", name="Your text", exact=True)
    if area.count() == 0:
        at_rest(page)
        if area.count() == 0:
            text_button(page).click()
            expect(area).to_be_visible()
            at_rest(page)
    return area.first


def type_text(page: Page, text: str) -> None:
    """Replace the text by another and apply it."""
    text_area(page).fill(text)
    text_area(page).press("Control+Enter")


def in_address(page: Page, **wanted: str) -> None:
    """Wait until the address of the page contains these values."""
    page.wait_for_function(
        "wanted => Object.entries(wanted).every(([k, v]) => new URLSearchParams(location.search).get(k) === v)",
        arg=wanted,
    )
    at_rest(page)


def address_query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query, keep_blank_values=True).items()}


def sentence(page: Page, words: str | re.Pattern) -> None:
    """Wait until the page shows these words."""
    expect(main_of(page).get_by_text(words).first).to_be_visible()


def set_three(page: Page) -> None:
    """Change V by typing, D by the arrow keys, and the seed by typing."""
    type_number(page, "V", 60)
    in_address(page, vocab_size="60")
    slider(page, "D").focus()
    page.keyboard.press("ArrowRight")
    in_address(page, dim="20")
    type_number(page, "Seed", 7)
    in_address(page, seed="7")


def three_are_set(page: Page) -> None:
    """Check the three values of `set_three`, in the exact fields and on the sliders."""
    for label, value in {"V": "60", "D": "20", "Seed": "7"}.items():
        expect(entry(page, label)).to_have_value(value)
    expect(slider(page, "V")).to_have_attribute("aria-valuetext", "50")
    expect(slider(page, "D")).to_have_attribute("aria-valuetext", "20")
