"""How soon the server is there, beside a blank Streamlit app in the same run, and how much memory it takes:

python -m tests.bench.journey
"""

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.learners import visit, walk
from tests.bench.servers import APP, PAGES, blank_app
from tests.e2e.server_processes import Server, running_server, streamlit_run
from tests.e2e.websocket_client import visitor

STARTS, SESSIONS = 9, 20


def start_seconds(script: Path) -> float:
    """Return the seconds from the start of the process to its health."""
    start = time.perf_counter()
    with running_server(streamlit_run(script), folder=script.parent):
        return time.perf_counter() - start


async def memory(server: Server) -> list[tuple[str, float]]:
    """Return the server's memory in MB after one and after twenty sessions, all still open, and its worst case."""
    megabytes = []
    query = "vocab_size=50257&dim=256"
    async with AsyncExitStack() as sessions:
        first = await sessions.enter_async_context(visitor(server))
        await walk(first, PAGES, query)
        megabytes.append(("one session, every page, V 50,257, D 256", server.megabytes))
        others = [await sessions.enter_async_context(visitor(server)) for _ in range(SESSIONS - 1)]
        await asyncio.gather(*(walk(other, PAGES, query) for other in others))
        megabytes.append(("twenty sessions, every page, one link", server.megabytes))
        everyone = [first, *others]
        await asyncio.gather(*(walk(one, PAGES, f"{query}&seed={seed}") for seed, one in enumerate(everyone)))
        megabytes.append(("the same, every session its own seed", server.megabytes))
    return megabytes


def main() -> None:
    """Measure and print two tables."""
    with tempfile.TemporaryDirectory() as folder:
        blank = blank_app(Path(folder))
        starts = [(start_seconds(blank), start_seconds(APP)) for _ in range(STARTS)]
        with running_server(streamlit_run(blank), folder=blank.parent) as server:
            asyncio.run(visit(server.address, ""))
            blank_memory = server.megabytes
    empty, app = (statistics.median(seconds) * 1000 for seconds in zip(*starts, strict=True))
    print("| figure | blank app | Embedding Lab | ratio |\n| --- | --- | --- | --- |")
    print(f"| process start to health | {empty:.0f} ms | {app:.0f} ms | {app / empty:.2f} |")
    print(f"\n| server memory | MB |\n| --- | --- |\n| blank app, one session | {blank_memory:.0f} |")
    with running_server() as server:
        for name, megabytes in asyncio.run(memory(server)):
            print(f"| {name} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
