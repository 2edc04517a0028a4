"""PostgreSQL as Debian installs it, started in a temporary folder by an unprivileged user."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.e2e.server_processes import free_port
from tests.skipping import skip_or_fail

USER = "nobody"  # PostgreSQL refuses to run as root


@dataclass
class Postgres:
    """A server that can be stopped and started again."""

    programs: Path
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://lab@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> None:
        who = {"user": USER, "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        command = [str(self.programs / program), "-D", str(self.folder / "data"), *arguments]
        # To a file: the server would keep a pipe open.
        with (self.folder / "output").open("wb") as output:
            subprocess.run(command, cwd=self.folder, stdout=output, stderr=output, check=True, timeout=60, **who)

    def start(self) -> None:
        self.run("pg_ctl", "start", "-w", "-o", f"-p {self.port} -h 127.0.0.1 -k {self.folder} -F")

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-m", "immediate")


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start a server, yield it, then stop it; if it is not installed, the test skips, or fails in CI."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), *map(Path, os.get_exec_path())]
    programs = next((folder for folder in found if (folder / "pg_ctl").exists() and (folder / "initdb").exists()), None)
    if programs is None:
        skip_or_fail("PostgreSQL is not installed: rooms are tried with SQLite alone.")
    with TemporaryDirectory() as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        server = Postgres(programs, Path(folder), free_port())
        server.run("initdb", "-A", "trust", "-U", "lab", "--no-sync")
        server.start()
        try:
            yield server
        finally:
            server.stop()
