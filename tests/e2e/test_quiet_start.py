"""The server contacts no other machine: its process records each name that it looks up and each connection it opens."""

import time
from pathlib import Path

import pytest

from .page_actions import visit
from .server_processes import APP, ROOT, Server, running_server

# Python imports a module of this name at its start.
SITECUSTOMIZE = """
import os, sys

def record(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        with open(os.environ["RECORDED_CONNECTIONS"], "a") as file:
            print(event, args, file=file)

sys.addaudithook(record)
"""


@pytest.fixture
def recorder(tmp_path) -> dict[str, str]:
    """Return the environment of a server which records its connections in a file of the test's folder."""
    (tmp_path / "sitecustomize.py").write_text(SITECUSTOMIZE)
    return {"PYTHONPATH": f"{tmp_path}:{ROOT}", "RECORDED_CONNECTIONS": str(tmp_path / "connections")}


def connections(folder: Path) -> list[str]:
    """Return the connections and look-ups that a server recorded, except those to its own machine."""
    recorded = folder / "connections"
    lines = recorded.read_text().splitlines() if recorded.exists() else []
    return [line for line in lines if not any(own in line for own in ("127.0.0.1", "'localhost'", "'::'", "::1"))]


def printed_address(server: Server) -> list[str]:
    return [line.split(": ", 1)[1].strip() for line in server.log().splitlines() if "URL: " in line]


COMMAND = [part for part in APP if part not in ("--server.address", "127.0.0.1")]


def test_server_with_the_settings_of_the_project_contacts_nobody(page, recorder, tmp_path):
    with running_server(COMMAND, env=recorder) as server:
        visit(page, server.address)
        assert printed_address(server) == [f"http://localhost:{server.port}"]
        assert connections(tmp_path) == []


def test_server_without_these_settings_is_recorded(recorder, tmp_path):
    (tmp_path / "plain.py").write_text("")
    command = [str(tmp_path / "plain.py") if part == str(ROOT / "app.py") else part for part in COMMAND]
    with running_server([*command, "--server.headless", "true"], env=recorder, folder=tmp_path):
        until = time.monotonic() + 10
        while not connections(tmp_path) and time.monotonic() < until:
            time.sleep(0.1)
        assert any(
            "8.8.8.8" in line for line in connections(tmp_path)
        )  # how Streamlit finds its address in the network
