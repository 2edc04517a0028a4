"""The memory of the server by part: what each library takes when it is imported, and what sessions take."""

import asyncio
import subprocess
import sys
from contextlib import AsyncExitStack

from bench.servers import BLANK, PAGES, running_script, visit_all
from tests.e2e.server_processes import ROOT, running_server
from tests.e2e.websocket_client import visitor

SESSIONS = 20
PARTS = {  # in the order in which the app imports them
    "Python": "pass",
    "streamlit": "import streamlit",
    "numpy": "import numpy",
    "pyarrow": "import pyarrow",
    "altair": "import altair",
    "GPT-2's tokenizer": "from components.text.tokenizers import get_tokenizer; get_tokenizer('gpt2').encode('a')",
    "torch": "import torch",
    "gensim with scipy": "import gensim.models",
}
IMPORTS = """import sys, psutil
process, before = psutil.Process(), 0.0
for code in sys.argv[1:]:
    exec(code)
    now = process.memory_info().rss / 1e6
    print(now - before)
    before = now
"""


def libraries() -> dict[str, float]:
    """Return the MB that each library adds to a process that has imported those before it."""
    command = [sys.executable, "-c", IMPORTS, *PARTS.values()]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(PARTS, map(float, lines), strict=True))


async def sessions() -> dict[str, float]:
    """Return the memory in MB of a blank server, of this one with every lesson visited, and of a session."""
    with running_script(BLANK) as blank:
        async with visitor(blank.address) as who:
            await who.open("")
            found = {"blank app, one session": blank.megabytes}
    with running_server() as server:
        await visit_all(server.address)
        found["this app, every lesson visited"] = before = server.megabytes
        async with AsyncExitStack() as stack:
            for _ in range(SESSIONS):
                who = await stack.enter_async_context(visitor(server.address))
                for page in PAGES:
                    await who.open(page)
            found["each session that has opened every page"] = (server.megabytes - before) / SESSIONS
    return found


def measure() -> None:
    print("| part | MB |\n| --- | --- |")
    for name, megabytes in (libraries() | asyncio.run(sessions())).items():
        print(f"| {name} | {megabytes:.1f} |")
