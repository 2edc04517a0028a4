"""The app beside what a teacher would use instead, the same journey as a notebook in Voilà and as a marimo app:

python -m venv bench-venv && bench-venv/bin/pip install -r tests/bench/alternatives/requirements.txt
bench-venv/bin/python -m tests.bench.alternatives
"""

import asyncio
import sys
import time
from contextlib import AsyncExitStack
from importlib.util import find_spec

import psutil
from playwright.sync_api import Browser, Error, Page

from tests.bench.alternatives_dashboards import DASHBOARDS, HERE, LONGEST, Dashboard, running
from tests.bench.servers import megabytes_of, percentile
from tests.e2e.server_processes import ROOT, running_browser

OPENINGS, PRESSES, LEARNERS = 3, 30, 20
SECONDS_TO_WARM_UP = 6  # the imports in the background are over by then
NUMBER, CHART = "h3:has-text('≈')", "canvas.marks, svg.marks"

# Waits, inside the page, from the next key press to the moment when the heading with the number shows another one.
WAIT = """() => new Promise((done, fail) => {
    const shown = () => [...document.querySelectorAll("h3")].find(h3 => h3.innerText.includes("≈"))?.innerText;
    const before = shown();
    let start = null;
    window.addEventListener("keydown", () => { start ??= performance.now(); }, {capture: true, once: true});
    const watch = new MutationObserver(() => {
        const now = shown();
        if (now && now !== before) { watch.disconnect(); done((performance.now() - start) / 1000); }
    });
    watch.observe(document.body, {subtree: true, childList: true, characterData: true});
    setTimeout(() => { watch.disconnect(); fail("no new number in 10 s"); }, 10_000);
})"""


def open_page(dashboard: Dashboard, address: str, browser: Browser) -> tuple[Page, float]:
    """Open the page in a new browser window; return it, and the seconds until number and chart are on the screen."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(LONGEST * 1000)
    page.goto(address + dashboard.page, wait_until="commit")
    page.locator(NUMBER).first.wait_for()
    page.locator(CHART).first.wait_for()
    return page, page.evaluate("performance.now() / 1000")


def press_seconds(page: Page) -> list[float]:
    """Return the seconds from each key press on the slider Seed, the third, to the new number."""
    page.wait_for_timeout(SECONDS_TO_WARM_UP * 1000)
    slider = page.get_by_role("slider").nth(2)
    slider.focus()
    seconds = []
    for _ in range(PRESSES):
        changed = page.evaluate_handle(f"() => ({{seconds: ({WAIT})()}})")
        slider.press("ArrowRight")
        seconds.append(changed.evaluate("changed => changed.seconds"))
        page.wait_for_timeout(500)
    return seconds


async def a_class(dashboard: Dashboard, address: str, process: psutil.Process) -> tuple[float, list[float], list]:
    """Let a teacher visit the page, then LEARNERS open it at once; return memory before, seconds, and with all open.

    Where a learner got no result there is its exception instead of seconds.
    """
    async with asyncio.timeout(LONGEST), dashboard.learner(address):
        pass
    await asyncio.sleep(SECONDS_TO_WARM_UP)
    before = megabytes_of(process)
    async with AsyncExitStack() as opened:

        async def one() -> float:
            start = time.perf_counter()
            async with asyncio.timeout(LONGEST):
                await opened.enter_async_context(dashboard.learner(address))
            return time.perf_counter() - start

        seconds = await asyncio.gather(*(one() for _ in range(LEARNERS)), return_exceptions=True)
        return before, megabytes_of(process), seconds


def with_a_browser(dashboard: Dashboard) -> tuple[list[float], list[float], list[Exception]]:
    """Return the seconds of OPENINGS openings, those of key presses in the first, and what failed meanwhile."""
    openings, presses, errors = [], [], []
    with running_browser() as browser:
        for _ in range(2 * OPENINGS):
            with running(dashboard) as server:
                try:
                    page, seconds = open_page(dashboard, server.address, browser)
                    openings.append(seconds)
                    presses = presses or press_seconds(page)
                    page.context.close()
                except Error as error:
                    errors.append(error)
            if len(openings) == OPENINGS:
                break
    return openings, presses, errors


def written(seconds: list[float], digits: int, percent: float = 50) -> str:
    """Return the value that so many percent of them do not exceed: in milliseconds, or with digits in seconds."""
    if not seconds:
        return "none"
    value = percentile(seconds, percent)
    return f"{value:.{digits}f} s" if digits else f"{value * 1000:.0f} ms"


def measure(dashboard: Dashboard) -> dict[str, str]:
    """Return the column of one dashboard."""
    load = psutil.getloadavg()[0]
    openings, presses, errors = with_a_browser(dashboard)
    with running(dashboard) as server:
        before, after, results = asyncio.run(a_class(dashboard, server.address, server.process))
    arrived = [result for result in results if isinstance(result, float)]
    errors += [result for result in results if isinstance(result, BaseException)]
    for error in errors:
        print(f"{dashboard.name}: {error!r}", file=sys.stderr)
    return {
        "fresh server, cold browser: number and chart on the screen, median": written(openings, 1),
        "key press on the seed to the new number, median": written(presses, 0),
        "the same, 95th percentile": written(presses, 0, 95),
        f"{LEARNERS} learners open it at once: all sent, median": written(arrived, 1),
        "the same, slowest": written(arrived, 1, 100),
        "server memory before they come": f"{before:,.0f} MB",
        f"server memory with {LEARNERS} open": f"{after:,.0f} MB",
        "errors": str(len(errors)),
        "load of the machine before": f"{load:.1f}",
    }


def main() -> None:
    """Measure and print one table."""
    if missing := [name for name in ("voila", "ipywidgets", "marimo") if not find_spec(name)]:
        requirements = (HERE / "requirements.txt").relative_to(ROOT)
        sys.exit(f"Not installed: {', '.join(missing)}. Install with: pip install -r {requirements}")
    columns = [measure(dashboard) for dashboard in DASHBOARDS]
    heads = ["figure", *(f"{dashboard.name} ({dashboard.version})" for dashboard in DASHBOARDS)]
    print(f"| {' | '.join(heads)} |\n{'| --- ' * len(heads)}|")
    for figure in columns[0]:
        print(f"| {figure} | {' | '.join(column[figure] for column in columns)} |")


if __name__ == "__main__":
    main()
