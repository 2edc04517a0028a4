"""The app as a process of its own, and a browser, started and stopped by the tests that need them."""

import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from subprocess import STDOUT
from typing import IO, Any
from urllib.request import urlopen

import psutil

ROOT = Path(__file__).parents[2]
SECONDS_TO_START = 90  # on a busy machine
PORTS = range(20_000, 28_000)  # without those of deploy/, and below those of outgoing connections
HOST_NAME = "lab.example"  # of this machine, in the browser
# Without windows it takes two thirds of the CPU. Its letters are as wide as with them if they are not hinted.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--font-render-hinting=none"]
BROWSER_ARGS += [f"--host-resolver-rules=MAP {HOST_NAME} 127.0.0.1"]


def free_port() -> int:
    while True:
        port = SystemRandom().choice(PORTS)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def by_name(address: str) -> str:
    """Return an address with the name of the machine, as others of a class open it; it has a QR code."""
    return address.replace("127.0.0.1", HOST_NAME)


def healthy(address: str) -> bool:
    with suppress(OSError), urlopen(f"{address}/_stcore/health", timeout=1) as answer:
        return answer.status == 200
    return False


def streamlit_run(script: Path) -> list[str]:
    address = ["--server.port", "{port}", "--server.address", "127.0.0.1"]
    return [sys.executable, "-m", "streamlit", "run", str(script), *address]


APP = streamlit_run(ROOT / "app.py")


@dataclass
class Server:
    """A server process on a port of its own, which can be killed and started again.

    {port} in the command is replaced by the port; `env` is added to the environment.
    """

    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    folder: Path | str = ROOT
    port: int = field(default_factory=free_port)
    process: psutil.Popen | None = None
    output: IO = field(default_factory=tempfile.TemporaryFile)  # of all its processes

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Start the process; `up` waits for it."""
        command = [part.replace("{port}", str(self.port)) for part in self.command]
        self.process = psutil.Popen(
            command, cwd=self.folder, env=os.environ | self.env, stdout=self.output, stderr=STDOUT
        )

    def up(self) -> None:
        """Wait until it answers. Raises RuntimeError, with the log, if it does not."""
        until = time.monotonic() + SECONDS_TO_START
        while not healthy(self.address):
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The server did not start:\n{self.log()[-2_000:]}")
            time.sleep(0.01)

    def start(self) -> None:
        self.begin()
        self.up()

    def log(self) -> str:
        return os.pread(self.output.fileno(), 10**7, 0).decode("utf-8", "replace")

    @property
    def megabytes(self) -> float:
        return self.process.memory_info().rss / 1e6

    @property
    def peak_megabytes(self) -> float:
        """Return its peak memory, without the files of libraries.

        The kernel maps the pages of these that it has cached, 220 to 270 MB, and takes them back when it needs them.
        """
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        most, files = (int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) for name in ("VmHWM", "RssFile"))
        return (most - files) * 1024 / 1e6

    @property
    def cpu_seconds(self) -> float:
        used = self.process.cpu_times()
        return used.user + used.system

    def kill(self) -> None:
        """Kill it at once, as if the machine lost power."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@contextmanager
def running_server(command: Sequence[str] = APP, **how: Any) -> Iterator[Server]:
    """Start the app, or what the arguments of Server name; yield it, then kill it."""
    server = Server(command, **how)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def running_browser():
    """Start headless Chromium, yield it, then close it. Raises RuntimeError if it is not installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise RuntimeError("Playwright is not installed") from None
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        path = chromium or playwright.chromium.executable_path
        if not Path(path).exists():
            raise RuntimeError("Chromium is not installed")
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGS)
        try:
            yield browser
        finally:
            browser.close()
