"""Security headers on everything that is answered: pages, files, uploads and refusals."""

from components.server.asgi import App, Message, Receive, Send

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # the address holds the learner's text, which is nobody else's business
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class SecurityHeaders:
    """Adds `HEADERS` and the `policy` of the pages to every answer that does not say otherwise itself."""

    def __init__(self, app: App, policy: str) -> None:
        self.app = app
        headers = HEADERS | {"content-security-policy": policy}
        self.headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                given = list(message.get("headers", []))
                names = {name.lower() for name, _ in given}
                message = {**message, "headers": given + [pair for pair in self.headers if pair[0] not in names]}
            await send(message)

        await self.app(scope, receive, send_with_headers)
