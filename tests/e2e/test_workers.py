"""workers.py: every process serves, one that dies is replaced, and all end together."""

import socket
import subprocess
import sys
import time

import pytest

from .multi_process import running_workers
from .page_actions import no_traceback, visit
from .server_processes import ROOT, SECONDS_TO_START, free_port, healthy


def test_workers_serve_and_a_killed_one_is_replaced(new_learner):
    with running_workers(2) as workers:
        parent = workers[0].process
        for worker in workers:
            page = new_learner()
            visit(page, worker.address, "combine", "vocab_size=60&dim=8&ids=2+3")
            no_traceback(page)
        before = parent.children()
        before[0].kill()
        until = time.monotonic() + SECONDS_TO_START
        while before[0] in parent.children() or not (len(parent.children()) == 2 and healthy(workers[0].address)):
            assert time.monotonic() < until, "the killed process was not replaced"
            time.sleep(0.05)
        visit(new_learner(), workers[0].address, "lookup")
        everyone = parent.children()
    assert f"The process on port {workers[0].port} ended (-9)" in workers[0].log()
    assert not any(process.is_running() for process in everyone)
    assert not any(healthy(worker.address) for worker in workers)


def test_workers_share_the_libraries():
    with running_workers(2) as workers:
        parent = workers[0].process
        own = [process.memory_full_info().uss / 1e6 for process in parent.children()]
    assert max(own) < 60, "torch and the others are meant to be in memory once"


@pytest.mark.parametrize("arguments", [["0"], ["2", "--port", "65535"], ["2", "--port", "0"]])
def test_invalid_arguments_are_refused_with_a_message(arguments):
    done = subprocess.run([sys.executable, str(ROOT / "workers.py"), *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert "at least 1, and ports up to 65535." in done.stderr
    assert "Traceback" not in done.stderr


def test_port_in_use_is_named():
    with socket.create_server(("127.0.0.1", free_port(2) + 1)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, str(ROOT / "workers.py"), "2", "--port", str(port - 1)]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Port {port} of 127.0.0.1: Address already in use.")
    assert "--port" in done.stderr
