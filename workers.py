"""Several processes of the app on one machine, one for each core, which share the libraries in its memory:

.venv/bin/python workers.py 2 --port 8501

Each listens on a port of its own, from the one named on; what stands before them (`deploy/nginx.conf`) keeps a browser
with the one that it came to first. One that dies is replaced.

The libraries are loaded once, and the process divides itself. What remains of it then becomes a small one that only
watches: it would otherwise hold a copy of every page of memory that its workers have written to.
"""

import argparse
import gc
import os
import signal
import socket
import sys
import time
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

ROOT = Path(__file__).resolve().parent
LAST_PORT = 65_535
ENDING = {signal.SIGTERM}  # held back while processes begin, so that none is left behind
SECONDS_BEFORE_ANOTHER = 1.0  # a process that cannot start is not tried again and again without a pause


def check_ports(address: str, ports: range) -> None:
    """End this process with a sentence where nothing can listen on one of the ports."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for port in ports:
        try:
            socket.create_server((address, port), family=family).close()
        except OSError as error:
            why = error.strerror.partition(" (")[0]
            sys.exit(f"Port {port} of {address}: {why}. End what uses it, or choose others with --port.")


def load_everything() -> None:
    """Import whatever a page may need."""
    import components
    from components.ui.process_setup import import_all

    import_all()
    for module in walk_packages(components.__path__, "components."):
        import_module(module.name)
    import_module("serve")
    gc.freeze()


def serve(address: str, port: int) -> None:
    """Serve the app on a port until this process is told to end."""
    import uvicorn

    from components.ui.process_setup import configure_malloc
    from serve import app

    configure_malloc()
    uvicorn.run(app, host=address, port=port, ws_per_message_deflate=False)


def divided(address: str, port: int) -> int:
    """Begin a worker that has in memory what this process has, and return its number."""
    if process := os.fork():
        return process
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    try:
        serve(address, port)
    finally:
        os._exit(1)  # what the parent has to tidy up is the parent's


def another(address: str, port: int) -> int:
    """Begin a worker that loads everything for itself, and return its number."""
    command = [sys.executable, str(ROOT / "workers.py"), "--address", address, "--port", str(port), "--alone"]
    return os.spawnv(os.P_NOWAIT, sys.executable, command)


def watch(address: str, running: dict[int, int]) -> None:
    """Replace workers that die, given their ports by process, until this process is told to end; then end them all."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        while True:
            process, status = os.wait()
            port = running.pop(process)
            code = os.waitstatus_to_exitcode(status)
            print(f"The process on port {port} ended ({code}): another takes its place.", flush=True)
            time.sleep(SECONDS_BEFORE_ANOTHER)
            running[another(address, port)] = port
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for process in running:
            os.kill(process, signal.SIGTERM)
        for process in running:
            os.waitpid(process, 0)


def main() -> None:
    """Load, divide, and watch."""
    if not hasattr(os, "fork"):
        sys.exit("This system cannot divide a process: start serve.py once for each port instead.")
    reader = argparse.ArgumentParser(description="Several processes of the app that share its libraries in memory.")
    reader.add_argument("workers", type=int, nargs="?", default=os.cpu_count() or 1, help="as many as cores")
    reader.add_argument("--port", type=int, default=8501, help="of the first; the others follow")
    reader.add_argument("--address", default="127.0.0.1")
    reader.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)  # serve on the port, without any other
    reader.add_argument("--watch", help=argparse.SUPPRESS)  # the processes that are there already, as number:port
    wanted = reader.parse_args()
    os.chdir(ROOT)  # Streamlit reads its settings here
    if wanted.alone:
        serve(wanted.address, wanted.port)
        return
    if wanted.watch:
        pairs = (pair.split(":") for pair in wanted.watch.split())
        watch(wanted.address, {int(process): int(port) for process, port in pairs})
        return
    if not (wanted.workers >= 1 and 1 <= wanted.port <= LAST_PORT - wanted.workers + 1):
        reader.error(f"{wanted.workers} workers from port {wanted.port} on: at least 1, and ports up to {LAST_PORT}.")
    ports = range(wanted.port, wanted.port + wanted.workers)
    check_ports(wanted.address, ports)
    load_everything()
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    running = " ".join(f"{divided(wanted.address, port)}:{port}" for port in ports)
    watcher = [sys.executable, str(ROOT / "workers.py"), "--address", wanted.address, "--watch", running]
    os.execv(sys.executable, watcher)


if __name__ == "__main__":
    main()
