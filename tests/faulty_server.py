"""A local HTTP server that answers correctly or with a fault, as a test chooses."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from threading import Event, Thread

SECONDS_OF_SILENCE = 30.0


class FaultyHandler(BaseHTTPRequestHandler):
    """Answers with the method `send_<mode>` of the server's mode or, without one, of the name of the requested file."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        with suppress(OSError):  # the client has closed the connection
            getattr(self, f"send_{self.server.mode or PurePosixPath(self.path).stem}")()

    def head(self, length: int | None, status: int = 200, **headers: str) -> None:
        """Send status and headers; without a length the content ends with the connection."""
        self.send_response(status)
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def send(self, content: bytes) -> None:
        self.head(len(content))
        self.wfile.write(content)

    def send_good(self):
        self.send(self.server.content)

    def send_short(self):
        self.head(len(self.server.content))
        self.wfile.write(self.server.content[: len(self.server.content) // 2])

    def send_stalled(self):
        self.send_short()
        self.send_silent()

    def send_dripping(self):
        self.head(len(self.server.content))
        while not self.server.closing.wait(0.05):
            self.wfile.write(b"A")

    def send_missing(self):
        self.head(0, 404)

    def send_redirect(self):
        self.head(0, 302, Location="/good.gz")

    def send_circle(self):
        self.head(0, 302, Location="/circle.gz")

    def send_silent(self):
        self.server.closing.wait(SECONDS_OF_SILENCE)

    def send_endless(self):
        self.head(None)
        while not self.server.closing.is_set():
            self.wfile.write(b"A" * 2**16)


@contextmanager
def running_http_server(
    content: bytes = b"", handler: type[FaultyHandler] = FaultyHandler
) -> Iterator[ThreadingHTTPServer]:
    """Run a server of this content; it has an `address`, and a `mode` that can be changed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.closing, server.mode, server.content = Event(), "", content
    server.address = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
