"""Classes of several sizes on one process and on two, through nginx: the figures of docs/scaling.md.

python -m tests.bench.replicas [processes:sessions ...]
"""

import asyncio
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.classroom import SECONDS_TO_WARM_UP, run_class
from tests.bench.learners import visit
from tests.bench.servers import megabytes_of, percentile
from tests.e2e.behind_nginx import Fleet, running_fleet

CLASSES = ["1:40", "1:100", "2:100"]
NO_LIMIT = {"limit_conn sessions 100": "limit_conn sessions 10000"}


async def measure(fleet: Fleet, sessions: int) -> str:
    """Return a line of the table for so many sessions, dealt out by nginx."""
    for process in fleet.processes.values():
        await visit(process.address)
    await asyncio.sleep(SECONDS_TO_WARM_UP)
    seconds, errors = await run_class(fleet.address, sessions)
    memory = sum(megabytes_of(process.process) for process in fleet.processes.values())
    return (
        f"| {len(fleet.processes)} | {sessions} | {statistics.median(seconds) * 1000:.0f} ms "
        f"| {percentile(seconds, 95) * 1000:.0f} ms | {errors} "
        f"| {memory:.0f} MB |"
    )


def main() -> None:
    """Measure and print one table."""
    columns = ["processes", "sessions", "median", "95th percentile", "errors", "memory in all (PSS)"]
    print(f"| {' | '.join(columns)} |\n{'| --- ' * len(columns)}|")
    for size in sys.argv[1:] or CLASSES:
        processes, sessions = map(int, size.split(":"))
        with TemporaryDirectory() as folder, running_fleet(Path(folder), processes, NO_LIMIT) as fleet:
            print(asyncio.run(measure(fleet, sessions)), flush=True)


if __name__ == "__main__":
    main()
