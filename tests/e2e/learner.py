"""What a learner does and sees on a page, in words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from components.ui import lessons

expect.set_options(timeout=15_000)

LESSONS = tuple(lessons.LESSONS)
WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
WITHOUT_TEXT = ("errors", "word2vec", "glossary")  # they take no text of the learner


def watch_console(page: Page, server: str) -> list[str]:
    """Return a list that gathers what the console calls an error, without the two that Streamlit makes itself.

    On a deep link its browser side asks for /<page>/_stcore/health and host-config before /_stcore/....
    """
    errors: list[str] = []

    def heard(message) -> None:
        where = message.location.get("url", "")
        of_streamlit = "404" in message.text and re.search(r"/\w+/_stcore/", where)
        elsewhere = message.text.startswith("Failed to load resource") and not where.startswith(server)
        if message.type == "error" and not of_streamlit and not elsewhere:
            errors.append(f"{message.text} ({where})")

    page.on("console", heard)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@contextmanager
def tab(context: BrowserContext) -> Iterator[Page]:
    """Hand out the one tab of a browser, and clear it afterwards: to open another costs more than most tests do."""
    page = context.pages[0] if context.pages else context.new_page()
    size = page.viewport_size
    try:
        yield page
    finally:
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.set_viewport_size(size)


def main_of(page: Page) -> Locator:
    """Return the page without the bar at its side."""
    return page.get_by_test_id("stMain")


def upload_words(page: Page) -> None:
    """Give a file of five word vectors to the page, and wait until they are there."""
    page.locator("input[type=file]").set_input_files({"name": "mine.txt", "mimeType": "text/plain", "buffer": WORDS})
    expect(main_of(page)).to_contain_text("5 words of your file mine.txt")


def path_of(lesson: str) -> str:
    return "" if lesson == "home" else lesson


def title_of(lesson: str) -> str:
    return "Embedding Lab" if lesson == "home" else lesson.capitalize().replace("_", "-")


def visit(page: Page, server: str, lesson: str = "home", query: str = "") -> None:
    """Open a lesson by its address, and wait until it is drawn."""
    page.goto(f"{server}/{path_of(lesson)}" + (f"?{query}" if query else ""))
    drawn(page, lesson)


def drawn(page: Page, lesson: str) -> None:
    """Wait until the lesson stands there whole: its title, its last link, and nothing still on its way."""
    expect(page.get_by_role("heading", name=title_of(lesson), level=1)).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_role("link", name=re.compile("Next:|Back:")).last).to_be_visible()
    at_rest(page)


def at_rest(page: Page) -> None:
    """Wait until the server has nothing more to say and the browser has drawn it."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_attached()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def no_traceback(page: Page) -> None:
    """Check that the page shows no exception."""
    expect(page.get_by_test_id("stException")).to_have_count(0)


def entry(page: Page, label: str) -> Locator:
    """Return the entry for an exact number in the sidebar; the first, for a rerun may still show the one before."""
    names = {"V": "V, exact", "D": "D, exact", "Seed": "Seed, exact"}
    return page.get_by_test_id("stSidebar").get_by_role("spinbutton", name=names.get(label, label), exact=True).first


def slider(page: Page, label: str) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("slider", name=re.compile(rf"^{label}\b")).first


def type_number(page: Page, label: str, value: int | str) -> None:
    """Type a number into an entry of the sidebar."""
    entry(page, label).fill(str(value))
    entry(page, label).press("Enter")


def follow(page: Page, lesson: str) -> None:
    """Click on a lesson in the sidebar, and wait for it."""
    sidebar_link(page, lesson).click(delay=100)
    drawn(page, lesson)


def sidebar_link(page: Page, lesson: str) -> Locator:
    return page.get_by_test_id("stSidebar").get_by_role("link", name=re.compile(rf"^{lesson}", re.IGNORECASE))


def open_expander(page: Page, words: str) -> None:
    """Open the part of the page whose title has these words, where it is closed."""
    part = page.get_by_test_id("stExpander").filter(has=page.locator("summary", has_text=words)).first
    if part.locator("details[open]").count() == 0:
        part.locator("summary").click()


def text_area(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Your text", exact=True).first


def type_text(page: Page, text: str) -> None:
    """Replace the text by another, and hand it over."""
    text_area(page).fill(text)
    text_area(page).press("Control+Enter")


def in_address(page: Page, **wanted: str) -> None:
    """Wait until the address of the page carries these values."""
    page.wait_for_function(
        "wanted => Object.entries(wanted).every(([k, v]) => new URLSearchParams(location.search).get(k) === v)",
        arg=wanted,
    )
    at_rest(page)


def address_query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query, keep_blank_values=True).items()}


def sentence(page: Page, words: str | re.Pattern) -> None:
    """Wait until the page says this in plain sight."""
    expect(page.get_by_test_id("stMain").get_by_text(words).first).to_be_visible()


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
    for label, value in {"V": "60", "D": "20", "Seed": "7"}.items():
        expect(entry(page, label)).to_have_value(value)
    expect(slider(page, "V")).to_have_attribute("aria-valuetext", "50")
    expect(slider(page, "D")).to_have_attribute("aria-valuetext", "20")
