"""Messages and CPU of a full rerun and of those by a shared and an own control: every page, the frame, a blank app."""

import asyncio
import statistics
from collections.abc import Sequence
from itertools import cycle

from bench.controls import Control, controls_in
from bench.servers import BLANK, FRAME_ALONE, PAGES, over, running_script, verdict, visit_all
from tests.e2e.server_processes import Server, running_server
from tests.e2e.websocket_client import Answer, Change, Visitor, visitor

RERUNS, WARM_UP = 40, 8
FRAME = (22, 8)  # messages and ms of CPU
FULL, OWN = (40, 14), (18, 8)
NEW_TABLE = 6.5  # ms that sampling a table of 50,257 x 16 may take beyond that
SAMPLES = ("Seed", "V", "D")  # the settings that ask for a new table


async def batch(server: Server, who: Visitor, control: Control | None, whole: bool = False) -> tuple[float, float]:
    """Return the median messages and the mean CPU in ms of the reruns by a control, of the `whole` page if asked for.

    Without a control nothing is changed.
    """
    fragment_id = "" if whole or not control else control.fragment_id
    entries = cycle(control.entries() if control else [None])
    messages, before = [], 0.0
    for number in range(WARM_UP + RERUNS):
        if number == WARM_UP:
            before = server.cpu_seconds
        messages.append(len((await rerun(who, next(entries), fragment_id)).parts))
    return statistics.median(messages[WARM_UP:]), (server.cpu_seconds - before) / RERUNS * 1000


async def rerun(who: Visitor, change: Change | None, fragment_id: str) -> Answer:
    """Send a change, or none, and return the answer."""
    message = who.changing(*([change] if change else []))
    message.rerun_script.fragment_id = fragment_id
    return await who.send(message)


def shared_and_own(answer: Answer) -> tuple[Control | None, Control | None]:
    """Return a control of the shared settings, the seed's if there is one, and the first of the lesson's own."""
    controls = list(controls_in(answer))
    shared = [each for each in controls if not each.own and each.kind in ("slider", "number_input")]
    own = [each for each in controls if each.own]
    return (
        next((each for each in shared if each.widget.label == "Seed"), shared[0] if shared else None),
        own[0] if own else None,
    )


def cells(figures: tuple[float, float], budgets: tuple[float, float]) -> list[str]:
    """Return messages, CPU and what they exceed their budgets by.

    >>> cells((53, 13.2), (40, 14))
    ['53', '13.2', '+13']
    """
    excess = over(figures[0], budgets[0]), over(figures[1], budgets[1], " ms")
    return [f"{figures[0]:.0f}", f"{figures[1]:.1f}", verdict(*excess)]


async def page_lines(app: Server, pages: Sequence[str], query: str = "", new_table: float = 0) -> None:
    """Print the table of some pages; `new_table` is what sampling one may take beyond the budget, in ms."""
    kinds = (f"{kind}: messages | CPU, ms | missing |" for kind in ("full rerun", "shared control", "own control"))
    print(f"| page | {' '.join(kinds)}\n" + "| --- " * 10 + "|")
    for page in pages:
        async with visitor(app) as who:
            shared, own = shared_and_own(await (who.follow(page, query) if query else who.open(page)))
            sampling = new_table if shared and shared.widget.label in SAMPLES else 0
            budget = (FULL[0], FULL[1] + sampling)
            row = cells(await batch(app, who, shared, whole=True), budget)
            row += cells(await batch(app, who, shared), budget) if shared else ["-"] * 3
            row += cells(await batch(app, who, own), OWN) if own else ["-"] * 3
            print(f"| {page or 'home'} | {' | '.join(row)} |", flush=True)


async def lines(app: Server, blank: Server, frame: Server) -> None:
    """Print what a blank app and the frame alone take, then the table of all pages."""
    for server, page, name, budget in ((blank, "", "Blank app", FULL), (frame, "lookup", "Frame alone", FRAME)):
        async with visitor(server) as who:
            shared, _ = shared_and_own(await who.open(page))
            figures = cells(await batch(server, who, shared if server is blank else None), budget)
            print("{}: {} messages, {} ms of CPU, {}.\n".format(name, *figures))
    await visit_all(app.address)
    await page_lines(app, PAGES, new_table=NEW_TABLE)


def measure() -> None:
    print(
        f"Budgets: a full rerun {FULL[0]} messages and {FULL[1]} ms of CPU ({NEW_TABLE} ms more if it samples a new "
        f"table), an own control {OWN[0]} and {OWN[1]} ms, the frame alone {FRAME[0]} and {FRAME[1]} ms.\n"
    )
    with running_script(BLANK) as blank, running_script(FRAME_ALONE) as frame, running_server() as app:
        asyncio.run(lines(app, blank, frame))
