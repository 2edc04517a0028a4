"""What is measured: the app itself, its pages, and a blank app beside it; and how it is summed up."""

from collections.abc import Sequence
from pathlib import Path

import psutil

from components.entry import LESSONS
from tests.e2e.server_processes import ROOT

APP = ROOT / "app.py"
PAGES = ["" if name == "home" else name for name in LESSONS]
BLANK = """import streamlit as st
st.title("Blank")
value = st.select_slider("V", list(range(100)), value=50)
st.write(f"number {value}")
"""
# Those of this project's settings that concern the server.
SETTINGS = """[runner]
postScriptGC = false
[server]
fileWatcherType = "none"
headless = true
[browser]
gatherUsageStats = false
"""


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent of them do not exceed.

    >>> percentile([3.0, 1.0, 2.0], 50), percentile(range(101), 95)
    (2.0, 95)
    """
    return sorted(values)[round(percent / 100 * (len(values) - 1))]


def megabytes_of(process: psutil.Process) -> float:
    """Return the memory of a process and all its children: the sum of PSS, which counts a shared page once."""
    return sum(one.memory_full_info().pss for one in [process, *process.children(recursive=True)]) / 1e6


def blank_app(folder: Path) -> Path:
    """Write the blank app with its settings, and return its script."""
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(SETTINGS)
    script = folder / "blank.py"
    script.write_text(BLANK)
    return script
