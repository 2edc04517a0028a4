"""A whole class on one server: sessions that wander through all pages and move a slider, each with its own settings:

python -m tests.bench.classroom [sessions ...]
"""

import asyncio
import random
import sys
from dataclasses import dataclass, field

from tests.bench.learners import visit
from tests.bench.servers import PAGES, percentile
from tests.e2e.server_processes import Server, running_server
from tests.e2e.websocket_client import visitor

PAUSE = 2.0  # seconds between two moves of one learner
MOVES = 30  # of every learner: about a minute
MOVES_ON_A_PAGE = 4
SECONDS_TO_WARM_UP = 6
SECONDS_KEPT = 125  # for two minutes Streamlit keeps a session whose browser may come back


@dataclass
class Learner:
    """One session: how long its moves took, and how many of them failed."""

    number: int
    seconds: list[float] = field(default_factory=list)
    failures: int = 0

    async def wander(self, address: str) -> None:
        """Open the app, and go from page to page; on each page move sliders."""
        draw = random.Random(self.number)
        async with visitor(address) as who:
            await asyncio.sleep(draw.uniform(0, PAUSE))
            query = f"seed={self.number}&dim={draw.choice([8, 16, 32])}&vocab_size={draw.choice([500, 5_000, 50_257])}"
            for move in range(MOVES):
                sliders = [widget for kind, widget in who.last.widgets if kind == "slider" and len(widget.options) > 1]
                if move % MOVES_ON_A_PAGE == 0 or not sliders:
                    answer = await who.open(PAGES[(self.number + move) % len(PAGES)], query if move == 0 else "")
                else:
                    slider = draw.choice(sliders)
                    step = draw.choice(slider.options[: len(slider.options) // 2])
                    answer = await who.change((slider.id, "string_array_value", [step]))
                self.seconds.append(answer.seconds)
                self.failures += len(answer.exceptions)
                await asyncio.sleep(PAUSE * draw.uniform(0.7, 1.3))


async def run_class(address: str, sessions: int) -> tuple[list[float], int]:
    """Let so many learners wander at once; return the seconds of all their moves, and how much went wrong."""
    learners = [Learner(number) for number in range(1, sessions + 1)]
    results = await asyncio.gather(*(each.wander(address) for each in learners), return_exceptions=True)
    errors = sum(isinstance(result, BaseException) for result in results) + sum(each.failures for each in learners)
    return [second for each in learners for second in each.seconds], errors


async def measure(server: Server, sessions: int) -> str:
    """Return a line of the table for so many sessions."""
    await visit(server.address)
    await asyncio.sleep(SECONDS_TO_WARM_UP)
    before = server.megabytes
    seconds, errors = await run_class(server.address, sessions)
    during = server.megabytes
    await asyncio.sleep(SECONDS_KEPT)
    await visit(server.address)  # Streamlit lets go of old sessions when the next visitor has come and gone
    await asyncio.sleep(1)
    after = server.megabytes
    median, p95 = (percentile(seconds, percent) * 1000 for percent in (50, 95))
    return (
        f"| {sessions} | {len(seconds):,} | {median:.0f} ms | {p95:.0f} ms "
        f"| {max(seconds) * 1000:.0f} ms | {errors} | {before:.0f} MB | {during:.0f} MB | {after:.0f} MB |"
    )


def main() -> None:
    """Measure and print one table."""
    columns = ["sessions", "moves", "median", "95th percentile", "longest", "errors"]
    columns += ["memory before", "at the end", "after all left"]
    print(f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|")
    for sessions in [int(argument) for argument in sys.argv[1:]] or [1, 20, 100]:
        with running_server() as server:
            print(asyncio.run(measure(server, sessions)), flush=True)


if __name__ == "__main__":
    main()
