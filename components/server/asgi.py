"""What stands between a server and the app, by the ASGI specification (https://asgi.readthedocs.io)."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


async def answer(send: Send, status: int, kind: str, body: str, retry: int | None = None, of: str = "http") -> None:
    """Send a whole answer that nobody keeps."""
    headers = [(b"content-type", f"{kind}; charset=utf-8".encode("ascii")), (b"cache-control", b"no-store")]
    if retry is not None:
        headers.append((b"retry-after", str(retry).encode("ascii")))
    await send({"type": f"{of}.response.start", "status": status, "headers": headers})
    await send({"type": f"{of}.response.body", "body": body.encode("utf-8")})
