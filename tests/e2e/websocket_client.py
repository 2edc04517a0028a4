"""A client without a browser: it sends any message to the server and records the answers."""

import asyncio
import re
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.FileUploader_pb2 import FileUploader
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from .server_processes import Server

Change = tuple[str, str, object]  # ID of a widget, field of the protocol, value
SECONDS_TO_HANG = 240  # without an end of the answer or a change of a progress bar
XSRF = "_streamlit_xsrf"


def finish(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine and return its result; in a thread, since Playwright has a loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@dataclass
class Answer:
    """What the server sent from one message to the end of the run, and what it cost."""

    parts: list[ForwardMsg] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def elements(self) -> list[tuple[str, Message]]:
        found = []
        for part in self.parts:
            if part.WhichOneof("type") == "delta":
                delta = part.delta.WhichOneof("type")
                parent = part.delta.new_element if delta == "new_element" else part.delta.add_block
                if kind := parent.WhichOneof("type"):
                    found.append((kind, getattr(parent, kind)))
        return found

    @property
    def exceptions(self) -> list[str]:
        return [element.message for kind, element in self.elements if kind == "exception"]

    @property
    def widgets(self) -> list[tuple[str, Message]]:
        return list({each.id: (kind, each) for kind, each in self.elements if getattr(each, "id", "")}.values())

    def widget(self, key: str) -> Message:
        """Return the widget whose ID ends so, or whose type this is."""
        return next(each for kind, each in self.widgets if each.id.endswith(f"-{key}") or kind == key)


def addresses(answer: Answer) -> list[str]:
    """Return the addresses that the browser is to show."""
    return [part.page_info_changed.query_string for part in answer.parts if part.HasField("page_info_changed")]


class Visitor:
    """One session on the server."""

    def __init__(self, socket, address: str, cpu_seconds: Callable[[], float]) -> None:
        self.socket, self.address, self.cpu_seconds = socket, address, cpu_seconds
        self.session_id = self.page_hash = ""
        self.last = Answer()
        self.uploaded: Change | None = None  # the change with the last file

    async def send(self, message: BackMsg) -> Answer:
        """Send a message and read until the run has ended. Raises TimeoutError or ConnectionClosed."""
        await self.socket.send(message.SerializeToString())
        return await self.receive()

    async def receive(self) -> Answer:
        """Read until the run has ended. Raises TimeoutError or ConnectionClosed."""
        start, cpu, answer = time.perf_counter(), self.cpu_seconds(), Answer()
        async with asyncio.timeout(SECONDS_TO_HANG) as patience:
            while not (answer.parts and self._ends_with(answer.parts[-1])):
                answer.raw.append(await self.socket.recv())
                answer.parts.append(ForwardMsg.FromString(answer.raw[-1]))
                if answer.parts[-1].delta.new_element.HasField("progress"):
                    patience.reschedule(asyncio.get_running_loop().time() + SECONDS_TO_HANG)
        answer.seconds, answer.cpu_seconds = time.perf_counter() - start, self.cpu_seconds() - cpu
        if answer.parts[-1].WhichOneof("type") == "script_finished":
            self.last = answer
        return answer

    def _ends_with(self, part: ForwardMsg) -> bool:
        kind = part.WhichOneof("type")
        if kind == "new_session":
            self.session_id = part.new_session.initialize.session_id
        if kind == "navigation":
            self.page_hash = part.navigation.page_script_hash
        if kind in ("file_urls_response", "backend_operation_response"):
            return True
        return kind == "script_finished" and part.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    async def open(self, page: str, query: str = "") -> Answer:
        """Open a page by its name; with a query, as a browser does when it goes back or forward."""
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = page, query
        message.rerun_script.is_history_navigation = bool(query)
        return await self.send(message)

    async def follow(self, page: str, query: str) -> Answer:
        """Open the page, then its link as by going back: on a change of page the query would not be read."""
        await self.open(page)
        return await self.open(page, query)

    async def change(self, *changes: Change) -> Answer:
        """Set widgets."""
        return await self.send(self.changing(*changes))

    async def press(self, key: str) -> Answer:
        """Press the button with this key."""
        return await self.change((self.last.widget(key).id, "trigger_value", True))

    def changing(self, *changes: Change, query: str = "") -> BackMsg:
        """Return the message that sets widgets in the same way, with the browser's address."""
        message = BackMsg()
        message.rerun_script.page_script_hash, message.rerun_script.query_string = self.page_hash, query
        for identifier, name, value in changes:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = identifier
            if isinstance(value, list):
                getattr(state, name).data.extend(value)
                getattr(state, name).SetInParent()
            elif isinstance(value, Message):
                getattr(state, name).CopyFrom(value)
            else:
                setattr(state, name, value)
        return message

    async def upload(self, widget: FileUploader, name: str, content: bytes) -> Answer:
        """Send a file to the URL that the server names, then the value of its widget."""
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.session_id = self.session_id
        message.file_urls_request.file_names.append(name)
        (urls,) = (await self.send(message)).parts[-1].file_urls_response.file_urls
        await asyncio.to_thread(put, self.address, urls.upload_url, name, content)
        state = BackMsg().rerun_script.widget_states.widgets.add().file_uploader_state_value
        file = state.uploaded_file_info.add()
        file.file_id, file.name, file.size = urls.file_id, name, len(content)
        file.file_urls.CopyFrom(urls)
        self.uploaded = (widget.id, "file_uploader_state_value", state)
        return await self.change(self.uploaded)


def put(address: str, path: str, name: str, content: bytes) -> None:
    """Send a file as a browser does; the server may refuse it."""
    with urlopen(f"{address}/_stcore/health", timeout=10) as answer:
        token = re.search(f"{XSRF}=([^;]*)", answer.headers["Set-Cookie"])[1]
    headers = {"Content-Type": "multipart/form-data; boundary=edge", "X-Xsrftoken": token, "Cookie": f"{XSRF}={token}"}
    part = f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    try:
        urlopen(
            Request(address + path, part + content + b"\r\n--edge--\r\n", headers, method="PUT"), timeout=30
        ).close()
    except HTTPError as refused:
        refused.close()


@asynccontextmanager
async def visitor(at: Server | str, session_id: str = ""):
    """Open a session on a server, or at an address, for which no CPU time is counted; or go on with an earlier one."""
    address, cpu = (at, lambda: 0.0) if isinstance(at, str) else (at.address, lambda: at.cpu_seconds)
    async with connect(
        address.replace("http", "ws") + "/_stcore/stream",
        subprotocols=["streamlit", *(["no-token", session_id] if session_id else [])],
        max_size=None,
        origin=address,
        compression=None,
        ping_timeout=None,
    ) as socket:
        yield Visitor(socket, address, cpu)
