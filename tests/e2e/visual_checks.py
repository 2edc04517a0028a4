"""What can be seen of a page: running animations, what overflows, what is cut off, and its colors."""

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
    const shows = box.width > 8 && box.height > 8 && (e.innerText || '').trim() && style.visibility !== 'hidden'
    return hides && shows && !e.closest('.st-key-panel_text')  // the beginning of the text, which its panel shows whole
}).map(e => (e.dataset.testid || e.tagName) + ' ' + e.innerText.slice(0, 60))"""

# A chart has a background of its own, which changes when the chart is rendered again.
COLORED = """dark => {
    const color = e => getComputedStyle(e).backgroundColor
    const app = document.querySelector('[data-testid=stApp]')
    const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg.marks')]
    const brightness = color(app).match(/\\d+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3
    return (dark ? brightness < 80 : brightness > 200) && charts.every(chart => color(chart) === color(app))
}"""


def settled(page: Page) -> None:
    """Wait until no finite animation is running: a part that is half open has other colors."""
    page.wait_for_function(f"() => ({MOVING})() === 0")


def in_colors(page: Page, colors: Literal["light", "dark"]) -> None:
    """Set the system's preference to light or dark, which an open page follows, and wait until it has."""
    page.emulate_media(color_scheme=colors)
    page.wait_for_function(COLORED, arg=colors == "dark")
    settled(page)


def too_wide(page: Page) -> list[str]:
    """Return what overflows the main area on the right, after the page has had time to fit itself."""
    return _after_fitting(page, OUTSIDE)


def cut_off(page: Page) -> list[str]:
    """Return what has text that is cut off in the main area, after the page has had time to fit itself."""
    return _after_fitting(page, CUT_OFF)


def _after_fitting(page: Page, script: str) -> list[str]:
    for _ in range(20):
        found = page.get_by_test_id("stMain").evaluate(script)
        if not found:
            break
        page.wait_for_timeout(100)
    return found[:8]
