"""The app as it is served to many: serve.py started by either command, on a port of its own."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from .server_processes import ROOT, Server, free_port, healthy, running_server, streamlit_run

STREAMLIT = streamlit_run(ROOT / "serve.py")
UVICORN = [sys.executable, "-m", "uvicorn", "serve:app", "--app-dir", str(ROOT), "--port", "{port}"]
ANYWHERE = tempfile.gettempdir()  # the settings have to be found from there


def ask(address: str, method: str = "GET", **sent: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and body of an answer, whatever the status."""
    try:
        answer = urlopen(Request(address, method=method, headers=sent), timeout=10)
    except HTTPError as error:
        answer = error
    with answer:
        return (
            answer.status,
            {name.lower(): value for name, value in answer.headers.items()},
            answer.read().decode("utf-8", "replace"),
        )


PORTS = (8501, 8502, 8503)  # as they stand in deploy/nginx.conf
NGINX = """daemon off;
master_process off;
pid {folder}/pid;
error_log stderr warn;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@dataclass
class Fleet:
    """Replicas and the address under which nginx offers them as one."""

    address: str
    replicas: dict[str, Server]
    folder: Path

    def taken(self) -> dict[str, int]:
        """Return how many places are taken at each replica that is up."""
        up = {name: replica for name, replica in self.replicas.items() if healthy(replica.address)}
        return {name: int(ask(f"{replica.address}/ready")[2].split()[1]) for name, replica in up.items()}


def nginx_site(port: int, replicas: dict[str, Server], folder: Path) -> str:
    """Return deploy/nginx.conf as it stands, but for ports, the place of its logs, and replicas that are missing."""
    site = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for old, replica in zip(PORTS, [*replicas.values(), None, None], strict=False):
        missing = replica is None
        site = "\n".join(line for line in site.splitlines() if not (missing and f":{old}" in line))
        site = site if missing else site.replace(f":{old}", f":{replica.port}")
    return site.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("/var/log/nginx", str(folder))


@contextmanager
def running_workers(count: int, **environment: str) -> Iterator[list[Server]]:
    """Start workers.py with so many processes, hand them out as servers of one process and one log, and end it."""
    command = [sys.executable, str(ROOT / "workers.py"), str(count), "--port", "{port}"]
    first = Server(command, environment, ANYWHERE, free_port(count))
    first.begin()
    try:
        for number in range(count):
            first.up(f"http://127.0.0.1:{first.port + number}")
        yield [replace(first, port=first.port + number) for number in range(count)]
    finally:
        first.process.terminate()
        first.process.wait()


@contextmanager
def running_fleet(folder: Path, names: str = "abc", shared: bool = False, **environment: str) -> Iterator[Fleet]:
    """Start up to three replicas and nginx before them, without any privilege; hand them out, and end them.

    `shared` replicas are those of one workers.py.
    """
    with ExitStack() as running:
        if shared:
            workers = running.enter_context(running_workers(len(names), **environment))
            replicas = dict(zip(names, workers, strict=True))
        else:
            replicas = {name: Server(STREAMLIT, environment, ANYWHERE) for name in names}
            for each in replicas.values():
                each.begin()
                running.callback(each.kill)
            for each in replicas.values():
                each.up()
        port = free_port()
        (folder / "site.conf").write_text(nginx_site(port, replicas, folder))
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
        command = [find_nginx(), "-p", str(folder), "-c", str(folder / "nginx.conf")]
        nginx = running.enter_context(running_server(command, port=port))
        yield Fleet(nginx.address, replicas, folder)


def find_nginx() -> str | None:
    """Return where nginx is; Debian keeps it where only an administrator's path leads."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
