"""Three ways to serve the journey, each with a learner without a browser, who does what a browser does.

A learner is open as long as its context, which begins when all is sent that a browser needs for number and charts.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen
from uuid import uuid4

import psutil
from tornado.httpclient import AsyncHTTPClient
from websockets.asyncio.client import connect

from tests.bench.learners import open_page
from tests.e2e.server_processes import ROOT, Server
from tests.e2e.websocket_client import visitor

HERE = Path(__file__).parent / "alternatives"
LONGEST = 120  # seconds that a learner waits before it counts as an error
SIGN = "≈"  # stands before the combined number, and nowhere else


@asynccontextmanager
async def streamlit_learner(address: str):
    """Open the page in a session of its own; ends with its WebSocket."""
    async with visitor(address) as who:
        await open_page(who, "combine", "step=9")
        yield


@asynccontextmanager
async def marimo_learner(address: str):
    """Open the page and a session, which runs the app to its end; ends with its WebSocket."""
    await read(address)
    url = f"{address.replace('http', 'ws')}/ws?session_id=s_{uuid4().hex[:6]}"
    async with connect(url, max_size=None, origin=address) as socket:
        arrived = False
        async for message in socket:
            arrived = arrived or has_number(message)
            if json.loads(message)["op"] == "completed-run":
                break
        if not arrived:
            raise RuntimeError("marimo: the run ended without a number")
        yield


@asynccontextmanager
async def voila_learner(address: str):
    """Open the page, which starts a kernel and runs the notebook, and ask for the widgets; ends with the kernel."""
    page, cookies = await read(address)
    kernel, token = re.search(r'"kernelId": "([^"]+)"', page)[1], uuid4().hex
    cookies = {"Cookie": f"{cookies}; _xsrf={token}"}
    url = f"{address.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={token}"
    async with connect(url, max_size=None, origin=address, additional_headers=cookies) as socket:
        comm = {"comm_id": uuid4().hex, "target_name": "jupyter.widget.control"}
        await socket.send(kernel_message("comm_open", {**comm, "data": {}}, {"version": "1.0.0"}))
        await socket.send(kernel_message("comm_msg", {**comm, "data": {"method": "request_states"}}, {}))
        async for message in socket:
            if has_number(message):
                break
        yield
    headers = {**cookies, "X-XSRFToken": token}
    await read(f"{address}/voila/api/shutdown/{kernel}", method="POST", body="", headers=headers)


async def read(address: str, **request) -> tuple[str, str]:
    """Read a page to its end; return it, and its cookies as a browser sends them back."""
    AsyncHTTPClient.configure(None, max_clients=100)
    answer = await AsyncHTTPClient().fetch(address, request_timeout=LONGEST, **request)
    cookies = [cookie.split(";")[0] for cookie in answer.headers.get_list("Set-Cookie")]
    return answer.body.decode(), "; ".join(cookies)


def has_number(message: str | bytes) -> bool:
    """Return whether a message brings the number, its sign spelt as it is or as JSON may spell it."""
    text = message if isinstance(message, str) else message.decode("utf-8", "replace")
    return SIGN in text or json.dumps(SIGN)[1:-1] in text


def kernel_message(kind: str, content: dict, metadata: dict) -> str:
    """Return a message to a kernel, as its WebSocket takes them."""
    header = {"msg_id": uuid4().hex, "msg_type": kind, "username": "", "session": uuid4().hex, "version": "5.3"}
    message = {"header": header, "parent_header": {}, "metadata": metadata, "content": content, "buffers": []}
    return json.dumps({**message, "channel": "shell"})


@dataclass(frozen=True)
class Dashboard:
    """One way to serve the journey: how it starts, where the page is, and a learner without a browser."""

    name: str
    command: str
    page: str
    learner: Callable

    @property
    def version(self) -> str:
        """Return the name and version of the package that serves it."""
        package = self.command.split()[0]
        return f"{package} {version(package)}"


STREAMLIT = "streamlit run app.py --server.port {port} --server.address 127.0.0.1"
VOILA = "voila tests/bench/alternatives/journey.ipynb --no-browser --Voila.ip=127.0.0.1 --port={port}"
MARIMO = "marimo run tests/bench/alternatives/journey_marimo.py --headless --no-token --host 127.0.0.1 --port {port}"
DASHBOARDS = [
    Dashboard("Embedding Lab", STREAMLIT, "/combine?step=9", streamlit_learner),
    Dashboard("Voilà", VOILA, "/", voila_learner),
    Dashboard("marimo", MARIMO, "/", marimo_learner),
]


@contextmanager
def running(dashboard: Dashboard) -> Iterator[Server]:
    """Start a server and wait until it answers; hand it out, and end it with all its processes."""
    server = Server([sys.executable, "-m", *dashboard.command.split()], {"PYTHONPATH": str(ROOT)})
    server.begin()
    try:
        until_it_answers(f"{server.address}/favicon.ico")
        yield server
    finally:
        everything = [server.process, *server.process.children(recursive=True)]
        server.process.terminate()
        for one in psutil.wait_procs(everything, timeout=20)[1]:
            one.kill()


def until_it_answers(address: str) -> None:
    """Return as soon as a server answers anything at all; raises TimeoutError after a minute."""
    start = time.perf_counter()
    while time.perf_counter() - start < 60:
        try:
            return urlopen(address, timeout=5).close()
        except HTTPError:
            return None
        except OSError:
            time.sleep(0.01)
    raise TimeoutError(address)
