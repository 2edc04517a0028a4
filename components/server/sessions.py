"""No more sessions than a process can serve well: whoever comes later is told so, and whoever is in stays in."""

import random
import re
import secrets

from components.server.asgi import App, Message, Receive, Send, answer
from components.server.full_page import full_page
from components.server.places import Places

COOKIE = "embedding_lab_browser"  # a random name for the browser, so that a reload finds its place again
STREAM = "/_stcore/stream"  # one open WebSocket here is one session
READY = "/ready"
NO_PAGES = {"_stcore", "static", "media", "component"}  # folders of what pages are made of
RETRY_SECONDS = (20, 40)  # drawn anew each time, so that a class does not come back all at once


class SessionLimit:
    """Answers 503 to newcomers when all places are taken; `/ready` says whether there is room. A limit of 0 is none."""

    def __init__(self, app: App, places: Places) -> None:
        self.app = app
        self.places = places

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"].endswith(STREAM):
            await self.stream(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].endswith(READY):
            await self.ready(scope, send)
        elif scope["type"] == "http" and is_page(scope["method"], scope["path"]):
            await self.page(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def stream(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a session in for as long as its WebSocket is open, or refuse it."""
        browser = browser_of(scope)
        if not self.places.enter(browser):
            await refuse_stream(scope, receive, send)
            return
        accepted = False

        async def watch(message: Message) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            self.places.leave(browser, keep=accepted)

    async def page(self, scope: Message, receive: Receive, send: Send) -> None:
        """Hand out the page, with a name for a browser that has none; or say that there is no place."""
        browser = browser_of(scope)
        if not self.places.may_open(browser):
            seconds = random.randint(*RETRY_SECONDS)
            body = full_page(self.places.limit, seconds)
            await answer(send, 503, "text/html", "" if scope["method"] == "HEAD" else body, seconds)
            return

        async def send_with_name(message: Message) -> None:
            if message["type"] == "http.response.start" and not browser and self.places.limit:
                secure = "; Secure" if scope.get("scheme") == "https" else ""
                cookie = f"{COOKIE}={secrets.token_urlsafe(16)}; Path=/; HttpOnly; SameSite=Lax{secure}"
                headers = [*message.get("headers", []), (b"set-cookie", cookie.encode("ascii"))]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_name)

    async def ready(self, scope: Message, send: Send) -> None:
        """Say whether newcomers find a place here."""
        limit = self.places.limit or "unlimited"
        sentence = f"{'full' if self.places.full else 'ready'}: {self.places.taken} of {limit} places taken\n"
        body = "" if scope["method"] == "HEAD" else sentence
        await answer(send, 503 if self.places.full else 200, "text/plain", body)


def is_page(method: str, path: str) -> bool:
    """Return whether this request opens the app, rather than a file or a route that an open page needs.

    >>> [is_page("GET", path) for path in ("/", "/tokens", "/static/js/index.js", "/favicon.png", "/_stcore/health")]
    [True, True, False, False, False]
    """
    *folders, name = path.split("/")
    of_a_page = NO_PAGES.intersection([*folders, name]) or ("." in name and name != "index.html")
    return method in ("GET", "HEAD") and not of_a_page


def browser_of(scope: Message) -> str:
    """Return the name that this browser was given, or "" where it has none."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    found = re.search(rf"(?:^|;\s*){COOKIE}=([\w-]{{1,64}})(?:;|$)", cookies)
    return found[1] if found else ""


async def refuse_stream(scope: Message, receive: Receive, send: Send) -> None:
    """Refuse a WebSocket before it is open; where the server can say it, with 503, and a proxy tries elsewhere."""
    await receive()  # the wish to connect
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(send, 503, "text/plain", "All places are taken.\n", RETRY_SECONDS[0], of="websocket.http")
    else:
        await send({"type": "websocket.close", "code": 1013, "reason": "All places are taken."})
