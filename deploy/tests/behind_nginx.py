"""Processes of the app behind nginx, as deploy/nginx.conf arranges them."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.e2e.server_processes import APP, ROOT, Server, free_port
from tests.skipping import skip_or_fail

DEPLOY = ROOT / "deploy"
NO_CHANGE: Mapping[str, str] = {}
SHIPPED_PORTS = ("8501", "8502")  # in deploy/processes.conf
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # on Debian only root can write to these folders


@dataclass
class Fleet:
    """Processes of the app by their port, and the address under which nginx offers them as one."""

    address: str
    processes: dict[str, Server]
    folder: Path

    @property
    def stream(self) -> str:
        return self.address.replace("http", "ws") + "/_stcore/stream"

    def log(self) -> str:
        return (self.folder / "access.log").read_text("utf-8")


def ask(address: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, dict, str]:
    """Return status, headers and body of an answer, whatever the status."""
    try:
        answer = urlopen(Request(address, body, headers, method=method), timeout=10)
    except HTTPError as error:
        answer = error
    with answer:
        names = {name.lower(): value for name, value in answer.headers.items()}
        return answer.status, names, answer.read().decode("utf-8", "replace")


def find_nginx() -> str:
    """Return the path of nginx, which Debian installs in /usr/sbin; without it the test skips."""
    path = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
    return path or skip_or_fail("nginx is not installed: nothing is in front of the app.")


def configuration(folder: Path, port: int, processes: list[str], limits: Mapping[str, str]) -> str:
    """Return the files of deploy/ as one, with other ports and folders, and with the limits that a test changes."""
    changes = {
        "include processes.conf;": (DEPLOY / "processes.conf").read_text("utf-8"),
        **dict(zip(SHIPPED_PORTS, processes, strict=True)),
        "listen 8080;": f"listen 127.0.0.1:{port};",
        "/var/log/nginx": str(folder),
        "root /etc/nginx;": f"root {DEPLOY};",
        r"85\d\d": r"\d{5}",
        "http {": "http {" + "".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY),
    }
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for old, new in (changes | limits).items():
        assert old in text, f"{old!r} is not in the configuration of nginx."
        text = text.replace(old, new)
    return text


@contextmanager
def running_nginx(folder: Path, processes: dict[str, Server], limits: Mapping[str, str]) -> Iterator[Fleet]:
    """Start nginx in front of running processes, yield both, then stop nginx."""
    port = free_port()
    (folder / "nginx.conf").write_text(configuration(folder, port, list(processes), limits))
    command = [find_nginx(), "-c", str(folder / "nginx.conf"), "-g", f"daemon off; pid {folder}/pid;"]
    if os.geteuid() == 0:
        command[-1] += " user root;"  # its workers write into the folder of the test
    nginx = Server(command, port=port)
    nginx.begin()
    try:
        nginx.up()
        yield Fleet(nginx.address, processes, folder)
    finally:
        nginx.process.terminate()
        nginx.process.wait()


@contextmanager
def running_fleet(folder: Path, limits: Mapping[str, str] = NO_CHANGE) -> Iterator[Fleet]:
    """Start the processes of deploy/processes.conf and nginx in front of them, yield them, then stop them all."""
    with ExitStack() as running:
        servers = [Server(APP) for _ in SHIPPED_PORTS]
        for server in servers:
            running.callback(server.kill)
            server.begin()
        for server in servers:
            server.up()
        processes = {str(server.port): server for server in servers}
        yield running.enter_context(running_nginx(folder, processes, limits))
