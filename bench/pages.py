"""Every page in Chromium beside a blank app: until it is complete, and from a key press to the last new number."""

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page

from bench.servers import BLANK, PAGES, over, running_script, verdict
from tests.e2e.server_processes import running_browser, running_server

VISITS, PRESSES = 9, 20
KEY_PRESS, KEY_PRESS_P95 = 70, 100  # ms, the median and the 95th percentile
COMPLETE_RATIO = 1.4  # of a visit to the visit to the blank app after it, the median
AT_REST = "[data-testid=stApp][data-test-script-state=notRunning]"
MILLISECONDS_WATCHED = 800
# Records when the readable content of the page last changed, including charts' descriptions and figures, which are in
# the shadow roots of their components.
WATCH = """() => {
    const roots = () => [...document.querySelectorAll('[data-testid=stMain] *')].map(e => e.shadowRoot).filter(Boolean);
    const read = () => [...document.querySelectorAll('[data-testid=stMainBlockContainer]'), ...roots()].map(part =>
        part.textContent + [...part.querySelectorAll('[aria-label]')].map(e => e.ariaLabel).join()
        + part.querySelectorAll('svg *, canvas').length).join();
    const every = {subtree: true, childList: true, characterData: true, attributes: true};
    let shown = '';
    window.pressed = 0; window.drawn = 0;
    window.watch = () => { shown = read(); window.drawn = 0;
        window.addEventListener('keydown', () => { window.pressed = performance.now(); }, {capture: true, once: true});
    };
    const observer = new MutationObserver(() => {
        const now = read();
        if (now !== shown) { shown = now; window.drawn = performance.now(); }
        roots().forEach(root => observer.observe(root, every));
    });
    observer.observe(document, every);
}"""


def press(page: Page, path: str, number: int) -> None:
    """Change one control of a page by a key, back and forth."""
    main = page.get_by_test_id("stMain")
    if path == "tokens":
        main.locator(".bar input").press("ArrowLeft" if number % 2 else "ArrowRight")
    elif path in ("attention", "training"):
        main.get_by_role("switch").first.press("Space")
    elif path == "word2vec":
        main.get_by_role("textbox", name="Word").fill("king" if number % 2 else "queen")
        main.get_by_role("textbox", name="Word").press("Enter")
    elif path == "reproduce":
        main.get_by_role("toolbar").get_by_role("button").first.press("Enter")  # opens a section, which is built then
    elif path == "glossary":
        main.get_by_role("textbox", name="Find a word").fill("window" if number % 2 else "gradient")
        main.get_by_role("textbox", name="Find a word").press("Enter")
    elif path in ("blank", "windows", "errors"):
        main.get_by_role("spinbutton").first.press("ArrowUp" if number % 2 else "ArrowDown")
    else:  # V; on Combine D, since the rows in use are the same for any V
        slider = main.get_by_role("slider").nth(int(path == "combine"))
        slider.press("ArrowLeft" if number % 4 < 2 else "ArrowRight")


def complete(context: BrowserContext, address: str) -> float:
    """Open a page in a new tab; return the milliseconds until nothing more changes on it."""
    page = context.new_page()
    page.goto(address)
    page.locator(AT_REST).wait_for()
    page.wait_for_timeout(MILLISECONDS_WATCHED)
    milliseconds = page.evaluate("window.drawn")
    page.close()
    return milliseconds


def presses(context: BrowserContext, address: str, path: str) -> list[float]:
    """Return the milliseconds from each key press to the last change of what can be read."""
    page = context.new_page()
    page.goto(address)
    page.locator(AT_REST).wait_for()
    page.wait_for_timeout(2 * MILLISECONDS_WATCHED)
    show = page.get_by_role("button", name="Show me")
    if path == "tokens" and show.count():  # until then its slider is disabled
        show.click()
        page.wait_for_timeout(2 * MILLISECONDS_WATCHED)
    found = []
    for number in range(PRESSES):
        page.evaluate("window.watch()")
        press(page, path, number)
        page.wait_for_timeout(MILLISECONDS_WATCHED)
        pressed, drawn = page.evaluate("[window.pressed, window.drawn]")
        if not drawn:
            raise RuntimeError(f"{path or 'home'}: nothing on the page changed after a key press.")
        found.append(drawn - pressed)
    page.close()
    return found


def figures(browser: Browser, address: str, path: str, blank: str) -> tuple[float, float, list[float]]:
    """Return the median time until a page is complete, its ratio to the blank app's, and the times of key presses.

    The two are opened in turn, since the speed of a machine changes: the ratio is the median of those of all pairs.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(f"({WATCH})()")
    both = np.array([[complete(context, each) for each in (address, blank)] for _ in range(1 + VISITS)])
    mine, of_blank = both[1:].T  # the first visit fills the caches of server and browser
    pressed = presses(context, address, path)
    context.close()
    return float(np.median(mine)), float(np.median(mine / of_blank)), pressed


def row(name: str, mine: tuple[float, float, list[float]], blank: list[float]) -> str:
    """Return a line of the table, with what is missing to the budgets; `blank` has the blank app's key presses."""
    milliseconds, complete_ratio, pressed = mine
    median, p95 = np.percentile(pressed, [50, 95])
    ratio = median / np.median(blank)
    slow = over(median, KEY_PRESS, " ms"), over(p95, KEY_PRESS_P95, " ms")
    return (
        f"| {name} | {milliseconds:.0f} ms ({complete_ratio:.2f}) | {median:.0f} ms ({ratio:.2f}) | {p95:.0f} ms "
        f"| {verdict(over(complete_ratio, COMPLETE_RATIO, ' x blank'), *slow)} |"
    )


def measure() -> None:
    print(
        f"Budgets: complete in {COMPLETE_RATIO} times the blank app's time; key press to number {KEY_PRESS} ms, "
        f"{KEY_PRESS_P95} ms at the 95th percentile. Server and browser are warm.\n"
    )
    print("| page | complete | key press to number | 95th percentile | missing |\n" + "| --- " * 5 + "|")
    with running_browser() as browser, running_script(BLANK) as blank_server, running_server() as app:
        blank = figures(browser, blank_server.address, "blank", blank_server.address)
        print(row("blank app", blank, blank[-1]))
        for page in PAGES:
            mine = figures(browser, f"{app.address}/{page}", page, blank_server.address)
            print(row(page or "home", mine, blank[-1]), flush=True)
