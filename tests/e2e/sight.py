"""What can be seen of a page: whether it still moves, what stands out of it, what is cut off, where the focus is."""

from typing import Literal

from playwright.sync_api import Page

MOVING = """() => document.getAnimations().filter(a => a.playState === 'running'
    && a.effect.getComputedTiming().endTime !== Infinity).length"""
OUTSIDE = """main => main.scrollWidth <= main.clientWidth ? [] : [...main.querySelectorAll('*')]
    .filter(e => e.getBoundingClientRect().right > main.getBoundingClientRect().right + 1)
    .map(e => (e.dataset.testid || e.tagName) + ' ' + (e.innerText || '').slice(0, 40))"""
CUT_OFF = """main => [...main.querySelectorAll('*')].filter(e => {
    const style = getComputedStyle(e), box = e.getBoundingClientRect()
    const hides = ['hidden', 'clip'].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1
    return hides && box.width > 8 && box.height > 8 && (e.innerText || '').trim() && style.visibility !== 'hidden'
}).map(e => (e.dataset.testid || e.tagName) + ' ' + e.innerText.slice(0, 60))"""

# A chart brings its own background, which shows when it is drawn anew.
COLOURED = """dark => {
    const colour = e => getComputedStyle(e).backgroundColor
    const app = document.querySelector('[data-testid=stApp]')
    const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg.marks')]
    const brightness = colour(app).match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3
    return (dark ? brightness < 80 : brightness > 200) && charts.every(chart => colour(chart) === colour(app))
}"""


def settled(page: Page) -> None:
    """Wait until nothing moves any more that comes to an end: half open, a part has other colours."""
    page.wait_for_function(f"() => ({MOVING})() === 0")


def in_colours(page: Page, colours: Literal["light", "dark"]) -> None:
    """Have the machine ask for light or dark, which Streamlit follows while a page is open, and wait for it."""
    page.emulate_media(color_scheme=colours)
    page.wait_for_function(COLOURED, arg=colours == "dark")
    settled(page)


def too_wide(page: Page) -> list[str]:
    """Return what stands out of the main area to the right, once the page had the time to fit itself."""
    return _after_fitting(page, OUTSIDE)


def cut_off(page: Page) -> list[str]:
    """Return what has words that are cut off in the main area, once the page had the time to fit itself."""
    return _after_fitting(page, CUT_OFF)


def _after_fitting(page: Page, script: str) -> list[str]:
    for _ in range(20):
        found = page.get_by_test_id("stMain").evaluate(script)
        if not found:
            break
        page.wait_for_timeout(100)
    return found[:8]
