"""The app as a process of its own and a browser to visit it, started and ended by the tests that need them."""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
SECONDS_TO_START = 30
BROWSER_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def healthy(address: str) -> bool:
    """Return whether the server at `address` answers."""
    try:
        with urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            return answer.status == 200
    except (URLError, OSError):
        return False


@contextmanager
def running_app() -> Iterator[str]:
    """Start the app on a free port of this machine, hand out its address, and end it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
    with tempfile.TemporaryFile("w+") as log:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + SECONDS_TO_START
            while not healthy(address):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise RuntimeError(f"The app did not start:\n{log.read()[-2_000:]}")
                time.sleep(0.05)
            yield address
        finally:
            process.kill()
            process.wait()


@contextmanager
def running_browser():
    """Start Chromium without a window, hand it out, and end it; raises RuntimeError where it is not installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise RuntimeError("Playwright is not installed") from None
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        path = chromium or playwright.chromium.executable_path
        if not Path(path).exists():
            raise RuntimeError("Chromium is not installed")
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGS)
        try:
            yield browser
        finally:
            browser.close()
