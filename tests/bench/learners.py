"""Learners without a browser: they speak Streamlit's WebSocket protocol and read until the page is drawn."""

import asyncio
import time
from contextlib import asynccontextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

PAUSE = 0.3  # seconds between two moves of one learner


@asynccontextmanager
async def learner(address: str):
    """Open a session on the server at `address`; it lasts as long as the context."""
    url = address.replace("http", "ws") + "/_stcore/stream"
    async with connect(url, subprotocols=["streamlit"], max_size=None, origin=address) as socket:
        yield socket


async def open_page(socket: ClientConnection, page: str, query: str) -> float:
    """Open a page and return the seconds until it was drawn. Raises RuntimeError where the page failed."""
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.page_name = page
    start = time.perf_counter()
    await socket.send(message.SerializeToString())
    while True:
        answer = ForwardMsg()
        answer.ParseFromString(await socket.recv())
        if answer.WhichOneof("type") == "delta" and answer.delta.new_element.WhichOneof("type") == "exception":
            raise RuntimeError(f"{page or 'home'}: {answer.delta.new_element.exception.message}")
        if answer.WhichOneof("type") == "script_finished":
            return time.perf_counter() - start


async def walk(socket: ClientConnection, pages: list[str], query: str) -> list[float]:
    """Open several pages one after the other; return the seconds of each."""
    seconds = []
    for page in pages:
        seconds.append(await open_page(socket, page, query))
        await asyncio.sleep(PAUSE)
    return seconds
