"""A whole class on one server: sessions that wander through all pages and move a slider, each with its own settings:

python tests/bench/classroom.py [sessions ...]
"""

import asyncio
import random
import statistics
import sys
import time
from dataclasses import dataclass, field

from learners import learner
from servers import ROOT, server
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PAGES = ["", "tokens", "windows", "lookup", "one_hot", "positions", "combine", "errors", "training"]
PAGES += ["word2vec", "reproduce", "glossary"]
PAUSE = 2.0  # seconds between two moves of one learner
MOVES = 30  # of every learner: about a minute
MOVES_ON_A_PAGE = 4
SECONDS_TO_WARM_UP = 6
SECONDS_AFTERWARDS = 20  # in which the server notices that all have left


@dataclass
class Learner:
    """One session: what it has seen of the page it is on, and how long its moves took."""

    number: int
    seconds: list[float] = field(default_factory=list)
    page_hash: str = ""
    sliders: list[tuple[str, list[str]]] = field(default_factory=list)  # identifier and steps
    failures: int = 0

    async def ask(self, socket, message: BackMsg) -> float:
        """Send a message and return the seconds until the page has been drawn."""
        start = time.perf_counter()
        await socket.send(message.SerializeToString())
        self.sliders = []
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(await socket.recv())
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.page_hash = answer.new_session.page_script_hash
            element = answer.delta.new_element
            if kind == "delta" and element.WhichOneof("type") == "slider":
                self.sliders.append((element.slider.id, list(element.slider.options)))
            self.failures += kind == "delta" and element.WhichOneof("type") == "exception"
            if kind == "script_finished" and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return time.perf_counter() - start

    async def wander(self, address: str) -> None:
        """Open the app, and go from page to page; on each page move sliders."""
        draw = random.Random(self.number)
        async with learner(address) as socket:
            await asyncio.sleep(draw.uniform(0, PAUSE))
            query = f"seed={self.number}&dim={draw.choice([8, 16, 32])}&vocab_size={draw.choice([500, 5_000, 50_257])}"
            for move in range(MOVES):
                message = BackMsg()
                if move % MOVES_ON_A_PAGE == 0 or not self.sliders:
                    message.rerun_script.page_name = PAGES[(self.number + move) % len(PAGES)]
                    message.rerun_script.query_string = query if move == 0 else ""
                else:
                    identifier, steps = draw.choice(self.sliders)
                    message.rerun_script.page_script_hash = self.page_hash
                    moved = message.rerun_script.widget_states.widgets.add()
                    moved.id = identifier
                    moved.string_array_value.data.append(draw.choice(steps[: len(steps) // 2]))
                self.seconds.append(await self.ask(socket, message))
                await asyncio.sleep(PAUSE * draw.uniform(0.7, 1.3))


async def measure(address: str, process, sessions: int) -> str:
    """Return a line of the table for so many sessions."""
    first = Learner(0)
    async with learner(address) as socket:
        message = BackMsg()
        message.rerun_script.page_name = "lookup"
        await first.ask(socket, message)
        await asyncio.sleep(SECONDS_TO_WARM_UP)
    before = process.memory_info().rss / 1e6
    learners = [Learner(number) for number in range(1, sessions + 1)]
    results = await asyncio.gather(*(each.wander(address) for each in learners), return_exceptions=True)
    seconds = sorted(second for each in learners for second in each.seconds)
    errors = sum(isinstance(result, BaseException) for result in results) + sum(each.failures for each in learners)
    during = process.memory_info().rss / 1e6
    await asyncio.sleep(SECONDS_AFTERWARDS)
    after = process.memory_info().rss / 1e6
    p95 = seconds[int(0.95 * (len(seconds) - 1))]
    return (
        f"| {sessions} | {len(seconds):,} | {statistics.median(seconds) * 1000:.0f} ms | {p95 * 1000:.0f} ms "
        f"| {seconds[-1] * 1000:.0f} ms | {errors} | {before:.0f} MB | {during:.0f} MB | {after:.0f} MB |"
    )


def main() -> None:
    """Measure and print one table."""
    columns = ["sessions", "moves", "median", "95th percentile", "longest", "errors"]
    columns += ["memory before", "at the end", "after all left"]
    print(f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|")
    for sessions in [int(argument) for argument in sys.argv[1:]] or [1, 20, 100]:
        with server(ROOT / "app.py") as (address, process, _):
            print(asyncio.run(measure(address, process, sessions)), flush=True)


if __name__ == "__main__":
    main()
