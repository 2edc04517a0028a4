"""Figures of the journey, each beside a blank Streamlit app in the same run:

python tests/bench/journey.py
"""

import asyncio
import shutil
import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from learners import learner, walk
from playwright.sync_api import sync_playwright
from servers import ROOT, blank_app, server

APP = ROOT / "app.py"
PAGES = ["", "tokens", "windows", "lookup", "one_hot", "positions", "combine", "errors", "training"]
PAGES += ["word2vec", "reproduce", "glossary"]
LOOKUP = "/lookup?vocab_size=50257&dim=256"
STARTS, TITLES, PRESSES, SESSIONS = 9, 7, 60, 20
BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]

# Waits, inside the page, from the next key press to the moment when the paragraph with this word shows another text.
WAIT = """word => new Promise((done, fail) => {
    const shown = () => [...document.querySelectorAll("p")].find(p => p.innerText.includes(word))?.innerText;
    const before = shown();
    let start = null;
    window.addEventListener("keydown", () => { start ??= performance.now(); }, {capture: true, once: true});
    const watch = new MutationObserver(() => {
        const now = shown();
        if (now && now !== before) { watch.disconnect(); done((performance.now() - start) / 1000); }
    });
    watch.observe(document.body, {subtree: true, childList: true, characterData: true});
    setTimeout(() => { watch.disconnect(); fail("no new number in 5 s"); }, 5000);
})"""


def start_seconds(script: Path) -> float:
    """Return the seconds from the start of the process to its health."""
    with server(script) as (_, _, seconds):
        return seconds


def title_seconds(script: Path, browser) -> float:
    """Return the seconds from opening the first page of a fresh server in a new browser window to its title."""
    with server(script) as (address, _, _):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address, wait_until="commit")
        page.locator("h1").first.wait_for()
        seconds = page.evaluate("performance.now() / 1000")
        context.close()
        return seconds


def press_seconds(address: str, browser, word: str) -> list[float]:
    """Return the seconds from each key press on the slider V to a new number in the paragraph with `word`."""
    page = browser.new_page()
    page.goto(address)
    page.get_by_text(word).first.wait_for()
    slider = page.get_by_role("slider", name="V")
    slider.focus()
    page.wait_for_timeout(4000)  # the imports in the background are over by then
    seconds = []
    for press in range(PRESSES):
        changed = page.evaluate_handle(f"word => ({{seconds: ({WAIT})(word)}})", word)
        slider.press("ArrowLeft" if press % 4 < 2 else "ArrowRight")
        seconds.append(changed.evaluate("changed => changed.seconds"))
        page.wait_for_timeout(350)
    page.close()
    return seconds


async def memory(address: str, process) -> list[tuple[str, float]]:
    """Return the server's memory in MB after one and after twenty sessions, all still open, and its worst case."""
    megabytes = []
    query = "vocab_size=50257&dim=256"
    async with AsyncExitStack() as sessions:
        first = await sessions.enter_async_context(learner(address))
        await walk(first, PAGES, query)
        megabytes.append(("one session, every page, V 50,257, D 256", process.memory_info().rss / 1e6))
        others = [await sessions.enter_async_context(learner(address)) for _ in range(SESSIONS - 1)]
        await asyncio.gather(*(walk(other, PAGES, query) for other in others))
        megabytes.append(("twenty sessions, every page, one link", process.memory_info().rss / 1e6))
        everyone = [first, *others]
        await asyncio.gather(*(walk(one, PAGES, f"{query}&seed={seed}") for seed, one in enumerate(everyone)))
        megabytes.append(("the same, every session its own seed", process.memory_info().rss / 1e6))
    return megabytes


def row(name: str, blank: list[float], app: list[float], unit: float = 1000) -> None:
    """Print the medians of both and their ratio, and the 95th percentile of the app."""
    median_blank, median_app = statistics.median(blank) * unit, statistics.median(app) * unit
    worst = sorted(app)[int(0.95 * (len(app) - 1))] * unit
    print(
        f"| {name} | {median_blank:.0f} ms | {median_app:.0f} ms | {median_app / median_blank:.2f} | {worst:.0f} ms |",
        flush=True,
    )


def main() -> None:
    """Measure and print one table."""
    chromium = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        blank = blank_app(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER)
        print("| figure | blank app | Embedding Lab | ratio of medians | 95th percentile |")
        print("| --- | --- | --- | --- | --- |")
        starts = [(start_seconds(blank), start_seconds(APP)) for _ in range(STARTS)]
        row("process start to health", *zip(*starts, strict=True))
        titles = [(title_seconds(blank, browser), title_seconds(APP, browser)) for _ in range(TITLES)]
        row("title visible, fresh server, cold browser", *zip(*titles, strict=True))
        with server(blank) as (address, process, _):
            empty = press_seconds(address, browser, "number")
            blank_memory = process.memory_info().rss / 1e6
        with server(APP) as (address, _, _):
            lookup = press_seconds(address + LOOKUP, browser, "token_table.weight")
        row("key press on V to the new number (lookup, D 256)", empty, lookup)
        browser.close()
    print(f"\n| server memory | MB |\n| --- | --- |\n| blank app, one session | {blank_memory:.0f} |")
    with server(APP) as (address, process, _):
        for name, megabytes in asyncio.run(memory(address, process)):
            print(f"| {name} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
