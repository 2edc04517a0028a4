"""Servers to measure: the app itself and a blank one, each in a process of its own."""

import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import psutil

ROOT = Path(__file__).parents[2]
BLANK = """import streamlit as st
st.title("Blank")
value = st.select_slider("V", list(range(100)), value=50)
st.write(f"number {value}")
"""


@contextmanager
def server(script: Path):
    """Start `streamlit run script`; hand over its address, its process, and the seconds until it was healthy."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--server.address", "127.0.0.1", "--server.headless", "true", "--browser.gatherUsageStats", "false"],
        cwd=script.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while time.perf_counter() - start < 30:
            try:
                urlopen(f"{address}/_stcore/health", timeout=1).read()
                break
            except OSError:
                time.sleep(0.005)
        yield address, psutil.Process(process.pid), time.perf_counter() - start
    finally:
        process.terminate()
        process.wait()


def blank_app(folder: Path) -> Path:
    """Write the blank app, with this project's settings for the server, and return its script."""
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text("[runner]\npostScriptGC = false\n")
    script = folder / "blank.py"
    script.write_text(BLANK)
    return script
