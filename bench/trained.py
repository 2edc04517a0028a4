"""GPT-2's rows, from a made-up file on this machine: one fetch for forty learners, reruns, memory with 20 sessions."""

import asyncio
import os
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from tempfile import TemporaryDirectory

from bench.reruns import page_lines
from bench.servers import visit_all
from components.base.link import VERSION
from tests.e2e.server_processes import ROOT, Server, running_server
from tests.e2e.websocket_client import visitor
from tests.faulty_server import running_http_server
from tests.gpt2_server import MadeUpFile, RangeHandler, fill_cache

PAGES = ["", "lookup", "positions", "combine", "attention"]
QUERY = f"v={VERSION}&table=gpt2&position=learned&head=gpt2"
LEARNERS, SESSIONS = 40, 20
# All sections of three pages in sessions of one process, with a table; prints MB that are anonymous, and resident.
IN_ONE_PROCESS = """import re, sys
from tests.app_driver import AppDriver
apps = []
for _ in range(int(sys.argv[2])):
    app = AppDriver()
    for page in ("lookup", "combine", "positions"):
        app.open(page, table=sys.argv[1], position="learned").open_sections()
    apps.append(app)
rollup = open("/proc/self/smaps_rollup").read()
print(*(int(re.search(name + r":\\s+(\\d+)", rollup)[1]) // 1024 for name in ("Anonymous", "Rss")))
"""


async def one_fetch(app: Server) -> None:
    """Open the same link in many sessions at once, on a server that has fetched nothing."""
    async with AsyncExitStack() as stack:
        learners = [await stack.enter_async_context(visitor(app)) for _ in range(LEARNERS)]
        await asyncio.gather(*(who.open("lookup") for who in learners))
        RangeHandler.requests.clear()
        start = time.perf_counter()
        answers = await asyncio.gather(*(who.open("lookup", QUERY) for who in learners))
        seconds = time.perf_counter() - start
    shown = sum(b"50,257" in b"".join(answer.raw) for answer in answers)
    print(f"{LEARNERS} learners: {len(RangeHandler.requests)} requests, {seconds:.1f} s; {shown} have GPT-2's rows.\n")


def memory(table: str, sessions: int) -> tuple[int, ...]:
    """Return the MB of a process with this many sessions: anonymous, resident."""
    command = [sys.executable, "-c", IN_ONE_PROCESS, table, str(sessions)]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(map(int, out.split()[-2:]))


def measure() -> None:
    RangeHandler.file = MadeUpFile()
    with TemporaryDirectory() as cache, running_http_server(handler=RangeHandler) as server:
        url = f"{server.address}/model.safetensors"
        os.environ |= {"EMBEDDING_LAB_CACHE": cache, "EMBEDDING_LAB_GPT2_URL": url, "NO_PROXY": "127.0.0.1"}
        with running_server() as app:
            asyncio.run(one_fetch(app))
            fill_cache()
        with running_server() as app:
            asyncio.run(visit_all(app.address))  # else the imports in the background are measured as well
            asyncio.run(page_lines(app, PAGES, QUERY))
        print("\n| table | sessions | anonymous, MB | resident, MB |\n| --- | --- | --- | --- |")
        for table in ("random", "gpt2"):
            for sessions in (1, SESSIONS):
                print(f"| {table} | {sessions} | {' | '.join(map(str, memory(table, sessions)))} |", flush=True)
