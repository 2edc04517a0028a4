"""A lecture hall on one process: 300 learners change the seed of Combine every five seconds, beside a blank app."""

import asyncio
import random
from itertools import cycle

import numpy as np

from bench.reruns import rerun, shared_and_own
from bench.servers import BLANK, over, running_script, verdict, visit_all
from tests.e2e.server_processes import Server, running_server
from tests.e2e.websocket_client import visitor

LEARNERS, MOVES, PAUSE = 300, 6, 5.0  # seconds between two moves of one learner
TIMES_BLANK, P95 = 4, 250


async def attend(server: Server, page: str, number: int) -> list[float]:
    """Open a page, then change its slider again and again; return the ms that each move took."""
    draw = random.Random(number)
    await asyncio.sleep(draw.uniform(0, PAUSE))
    async with visitor(server) as who:
        answers = [await who.open(page)]
        shared, _ = shared_and_own(answers[0])
        for _, entry in zip(range(MOVES), cycle(shared.entries())):
            await asyncio.sleep(PAUSE * draw.uniform(0.7, 1.3))
            answers.append(await rerun(who, entry, shared.fragment_id))
    return [answer.seconds * 1000 for answer in answers]


async def fill(server: Server, page: str) -> tuple[float, list[float]]:
    """Return the ms of CPU of one move, and those that all moves took. Raises what a learner's connection raises."""
    before = server.cpu_seconds
    moves = await asyncio.gather(*(attend(server, page, number) for number in range(LEARNERS)))
    taken = [each for of_learner in moves for each in of_learner]
    return (server.cpu_seconds - before) / len(taken) * 1000, taken


def measure() -> None:
    with running_script(BLANK) as blank:
        blank_cpu, _ = asyncio.run(fill(blank, ""))
    with running_server() as app:
        asyncio.run(visit_all(app.address))
        cpu, taken = asyncio.run(fill(app, "combine"))
    median, p95 = np.percentile(taken, [50, 95])
    result = verdict(over(cpu / blank_cpu, TIMES_BLANK, " x blank"), over(p95, P95, " ms"))
    print(
        f"{LEARNERS} learners, first visits included: {cpu:.1f} ms of CPU for a rerun, {cpu / blank_cpu:.1f} times the "
        f"blank app's {blank_cpu:.1f} ms; complete after {median:.0f} ms in the median, {p95:.0f} ms at the 95th "
        f"percentile: {result}."
    )
