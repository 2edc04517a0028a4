"""A class on one process, or on two behind nginx: learners wander through all lessons and change settings."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.controls import controls_in, entry
from bench.servers import PAGES, over, verdict, visit_all
from deploy.tests.behind_nginx import running_fleet
from tests.e2e.server_processes import Server, running_server
from tests.e2e.websocket_client import visitor

CLASSES = ("1:20", "1:100")
P95, ERRORS, MEGABYTES = 150, 0, 520
PAUSE = 2.0  # seconds between two moves of one learner
MOVES, MOVES_ON_A_PAGE = 40, 4
SECONDS_BETWEEN_LOOKS = 0.5
NO_LIMIT = {"limit_conn sessions 100": "limit_conn sessions 10000"}


@dataclass
class Learner:
    """One session: how long its moves took, and how many of them failed."""

    number: int
    milliseconds: list[float] = field(default_factory=list)
    failures: int = 0

    async def wander(self, address: str) -> None:
        """Go from page to page; on each, change shared settings and the lesson's own controls, half of each."""
        draw = random.Random(self.number)
        async with visitor(address) as who:
            await asyncio.sleep(draw.uniform(0, PAUSE))
            page, controls = self.number, {}
            for move in range(MOVES):
                changed = entry([*controls.values()], draw.random() < 0.5, draw) if move % MOVES_ON_A_PAGE else None
                if changed is None:
                    page += 1
                    answer = await who.open(PAGES[page % len(PAGES)], f"seed={self.number}" if move == 0 else "")
                    controls = {each.widget.id: each for each in controls_in(answer)}
                else:
                    control, change = changed
                    message = who.changing(change)
                    message.rerun_script.fragment_id = control.fragment_id
                    answer = await who.send(message)
                    controls |= {each.widget.id: each for each in controls_in(answer)}
                self.milliseconds.append(answer.seconds * 1000)
                self.failures += len(answer.exceptions)
                await asyncio.sleep(PAUSE * draw.uniform(0.7, 1.3))


@contextmanager
def servers(processes: int) -> Iterator[tuple[str, list[Server]]]:
    """Start the app, behind nginx if there are two processes; yield the address and the processes."""
    if processes == 1:
        with running_server() as server:
            yield server.address, [server]
    else:
        with TemporaryDirectory() as folder, running_fleet(Path(folder), NO_LIMIT) as fleet:
            yield fleet.address, list(fleet.processes.values())


async def watch(processes: list[Server], peak: list[float]) -> None:
    """Record the largest memory of all processes together in `peak`."""
    while True:
        peak[0] = max(peak[0], sum(each.megabytes for each in processes))
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


async def attend(address: str, processes: list[Server], sessions: int) -> str:
    """Let this many learners wander at once; return a line of the table."""
    for process in processes:
        await visit_all(process.address)
    before, peak = sum(each.megabytes for each in processes), [0.0]
    watching = asyncio.create_task(watch(processes, peak))
    learners = [Learner(number) for number in range(1, sessions + 1)]
    results = await asyncio.gather(*(each.wander(address) for each in learners), return_exceptions=True)
    watching.cancel()
    errors = sum(isinstance(result, BaseException) for result in results) + sum(each.failures for each in learners)
    moves = [each for learner in learners for each in learner.milliseconds]
    median, p95, longest = np.percentile(moves, [50, 95, 100])
    too_large = over(peak[0] / len(processes), MEGABYTES, " MB for each process")
    return (
        f"| {len(processes)} | {sessions} | {len(moves):,} | {median:.0f} ms | {p95:.0f} ms "
        f"| {longest:.0f} ms | {errors} | {before:.0f} MB | {peak[0]:.0f} MB "
        f"| {verdict(over(p95, P95, ' ms'), over(errors, ERRORS, ' errors'), too_large)} |"
    )


def measure(classes: tuple[str, ...] = CLASSES) -> None:
    """Print the table, a line for each `processes:sessions`."""
    print(
        f"Every learner makes {MOVES} moves with pauses of {PAUSE:.0f} s: a page, a shared setting, own controls. "
        f"Budgets: {P95} ms at the 95th percentile, no error, {MEGABYTES} MB at peak for a process.\n"
    )
    columns = ["processes", "sessions", "moves", "median", "95th percentile", "longest", "errors"]
    columns += ["memory before, every lesson visited", "memory at peak", "missing"]
    print(f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|")
    for each in classes:
        processes, sessions = map(int, each.split(":"))
        with servers(processes) as (address, started):
            print(asyncio.run(attend(address, started, sessions)), flush=True)
