"""The servers that are measured (the app, its frame alone, a blank app), and the comparison with budgets."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from components.entry import LESSONS
from tests.e2e.server_processes import ROOT, Server, running_server, streamlit_run
from tests.e2e.websocket_client import visitor

PAGES = ["" if name == "home" else name for name in LESSONS]
SECONDS_TO_IMPORT = 6  # what a server imports in the background after its first visit
BLANK = """import streamlit as st
st.title("Blank")
value = st.number_input("V", 0, 100_000, 50)
st.write(f"number {value}")
"""
FRAME_ALONE = """from components.ui import lesson_run
from components.ui.session import current
def without_lesson():
    lesson_run.write_address(current())
    current().run.last_completed = True
lesson_run.run_lesson = without_lesson
from components.entry import run
run()
"""


def over(value: float, budget: float, unit: str = "") -> str:
    """Return by how much a value exceeds its budget, or an empty string.

    >>> over(53, 45), over(45, 45), over(18.25, 16, " ms")
    ('+8', '', '+2.2 ms')
    """
    excess = value - budget
    return f"+{round(excess, 1):g}{unit}" if excess > 0 else ""


def verdict(*excesses: str) -> str:
    """Return what exceeds its budget, or that all budgets are met."""
    return ", ".join(filter(None, excesses)) or "met"


def load_average() -> str:
    """Return the load averages of the last minute, five minutes and quarter of an hour."""
    return "Load average: " + ", ".join(f"{load:.2f}" for load in os.getloadavg())


async def visit_all(address: str) -> None:
    """Open every page once, and wait until the server has imported everything."""
    async with visitor(address) as who:
        for page in PAGES:
            answer = await who.open(page)
            if answer.exceptions:
                raise RuntimeError(f"{page or 'home'}: {answer.exceptions[0]}")
    await asyncio.sleep(SECONDS_TO_IMPORT)


@contextmanager
def running_script(text: str) -> Iterator[Server]:
    """Start a script of its own with this project's theme and settings; yield the server, then kill it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".streamlit").symlink_to(ROOT / ".streamlit")
        (folder / "app.py").write_text(text)
        (folder / "pages").symlink_to(ROOT / "pages")
        with running_server(streamlit_run(folder / "app.py"), env={"PYTHONPATH": str(ROOT)}, folder=folder) as server:
            yield server
