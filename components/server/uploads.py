"""No more uploads than the memory holds: Streamlit keeps a file that no page asks for as long as its session."""

import time
from collections import deque
from collections.abc import Callable

from components.server.asgi import App, Message, Receive, Send, answer

UPLOADS = "/_stcore/upload_file/"
MOST_BYTES = 100 * 10**6  # in all; five of the largest files that the app takes
REFUSED = 400  # the first status that says no
SECONDS = 120.0  # so long Streamlit keeps a session after its browser has left


class UploadLimit:
    """Answers 429 to an upload with which the last `seconds` would bring more than `most_bytes`."""

    def __init__(
        self,
        app: App,
        most_bytes: int = MOST_BYTES,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self.seconds = seconds
        self.clock = clock
        self.taken: deque[tuple[float, int]] = deque()  # when, and how many bytes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or UPLOADS not in scope["path"] or scope["method"] not in ("PUT", "POST"):
            await self.app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"")
        if not length.isdigit():
            await answer(send, 411, "text/plain", "An upload has to say how long it is.\n")
        elif taken := self.take(int(length)):
            await self.app(scope, receive, self.giving_back(taken, send))
        else:
            sentence = "Too much was uploaded here in the last two minutes: wait a little, and try again.\n"
            await answer(send, 429, "text/plain", sentence, retry=int(self.seconds))

    def take(self, size: int) -> tuple[float, int] | None:
        """Count so many bytes more, and return the entry; None where there is no room for them."""
        now = self.clock()
        while self.taken and self.taken[0][0] <= now - self.seconds:
            self.taken.popleft()
        if size + sum(taken for _, taken in self.taken) > self.most_bytes:
            return None
        self.taken.append((now, size))
        return self.taken[-1]

    def giving_back(self, taken: tuple[float, int], send: Send) -> Send:
        """Return `send` so that an upload which the app refuses no longer counts."""

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= REFUSED and taken in self.taken:
                self.taken.remove(taken)
            await send(message)

        return watch
