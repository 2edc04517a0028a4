"""Every page beside a blank Streamlit app in the same run: first paint, key press to new numbers, bytes of a rerun.

python -m tests.bench.pages
"""

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.bench.servers import APP, PAGES, blank_app, percentile
from tests.e2e.server_processes import running_browser, running_server, streamlit_run

PAINTS, PRESSES = 3, 12
LARGEST = "lookup?vocab_size=50257&dim=256"  # a table of 51.5 MB, drawn anew by every key press
AT_REST = "[data-testid=stApp][data-test-script-state=notRunning]"
MILLISECONDS_TO_WARM_UP, MILLISECONDS_WATCHED = 3_500, 800

# From the next key press on, notes when what can be read on the page last became another; charts say it in a label.
WATCH = """() => {
    const parts = ["stMainBlockContainer", "stSidebarUserContent"];
    const read = () => parts.map(id => document.querySelector(`[data-testid=${id}]`)).filter(Boolean).map(part =>
        part.textContent + [...part.querySelectorAll("[aria-label]")].map(e => e.ariaLabel).join()).join();
    let shown = read();
    window.pressed = null; window.drawn = null;
    window.addEventListener("keydown", () => { window.pressed ??= performance.now(); }, {capture: true, once: true});
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => {
        const now = read();
        if (window.pressed && now !== shown) { shown = now; window.drawn = performance.now(); }
    });
    window.watch.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
}"""


def slide(page: Page, number: int) -> None:
    """Move the first slider to and fro, so that new and old numbers alternate."""
    page.get_by_test_id("stMain").get_by_role("slider").first.press("ArrowLeft" if number % 4 < 2 else "ArrowRight")


def count(page: Page, number: int) -> None:
    """Raise the first number of the page, and lower it again."""
    page.get_by_test_id("stMain").get_by_role("spinbutton").first.press("ArrowUp" if number % 2 else "ArrowDown")


def choose(page: Page, number: int) -> None:
    """Choose the other way to solve an analogy."""
    page.get_by_role("radiogroup", name="Method").get_by_role("radio", checked=False).first.press("Space")


def find(page: Page, number: int) -> None:
    """Look for a word, or for none."""
    entry = page.get_by_role("textbox", name="Find a word")
    entry.fill("window" if number % 2 else "gradient")
    entry.press("Enter")


def chip(page: Page, number: int) -> None:
    """Choose another token."""
    page.get_by_role("radiogroup", name="Tokens in gpt2").get_by_role("radio").nth(1 + number % 5).press("Space")


def panel(page: Page, number: int) -> None:
    """Open or close the panel of all settings."""
    page.get_by_role("button", name="All settings").press("Enter")


MOVES: dict[str, Callable[[Page, int], None]] = {
    "tokens": chip,
    "windows": count,
    "errors": count,
    "word2vec": choose,
    "reproduce": panel,
    "glossary": find,
}


@dataclass
class Figures:
    """What was measured of one page: seconds, and bytes that the server sent."""

    painted: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    pressed: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)


def paint(script: Path, browser: Browser, path: str, figures: Figures) -> None:
    """Open a page of a fresh server in a new browser window: until its title stands there, and until all of it does."""
    with running_server(streamlit_run(script), folder=script.parent) as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{server.address}/{path}", wait_until="commit")
        page.locator("h1").first.wait_for()
        figures.painted.append(page.evaluate("performance.now() / 1000"))
        page.locator(AT_REST).wait_for()
        figures.whole.append(page.evaluate("performance.now() / 1000"))
        context.close()


def press(address: str, browser: Browser, path: str, figures: Figures) -> None:
    """Move one control of a page again and again, until the last new word or number stands there."""
    received: list[int] = []
    page = browser.new_page()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(len(data))))
    page.goto(f"{address}/{path}")
    page.locator(AT_REST).wait_for()
    page.wait_for_timeout(MILLISECONDS_TO_WARM_UP)
    for number in range(PRESSES):
        received.clear()
        page.evaluate(WATCH)
        MOVES.get(path, slide)(page, number)
        page.wait_for_timeout(MILLISECONDS_WATCHED)
        seconds = page.evaluate("window.drawn && (window.drawn - window.pressed) / 1000")
        if seconds is None:
            raise RuntimeError(f"{path or 'home'}: nothing on the page changed after a key press.")
        figures.pressed.append(seconds)
        figures.sent.append(sum(received))
    page.close()


def row(name: str, figures: Figures, blank: Figures) -> str:
    """Return a line of the table: medians, each with its ratio to the blank app's, and the bytes."""
    cells = []
    for what in ("painted", "whole", "pressed"):
        mine, empty = (statistics.median(getattr(each, what)) for each in (figures, blank))
        cells.append(f"{mine * 1000:.0f} ms ({mine / empty:.2f})")
    cells += [f"{percentile(figures.pressed, 95) * 1000:.0f} ms", f"{statistics.median(figures.sent) / 1000:.1f} kB"]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Measure and print one table."""
    with tempfile.TemporaryDirectory() as folder, running_browser() as browser:
        blank, figures = (blank_app(Path(folder)), Figures()), {page: Figures() for page in [*PAGES, LARGEST]}
        for _ in range(PAINTS):
            paint(blank[0], browser, "", blank[1])
            for page, mine in figures.items():
                paint(APP, browser, page, mine)
        print("| page | title | whole page | key press to the last new number | 95th percentile | sent by a rerun |")
        print("| --- | --- | --- | --- | --- | --- |")
        with running_server(streamlit_run(blank[0]), folder=folder) as server:
            press(server.address, browser, "", blank[1])
        print(row("blank app", blank[1], blank[1]))
        with running_server() as server:
            for page, mine in figures.items():
                press(server.address, browser, page, mine)
                print(row(page or "home", mine, blank[1]), flush=True)


if __name__ == "__main__":
    main()
