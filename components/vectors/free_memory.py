"""How much memory is free: of the machine, or of the container that the app runs in."""

from pathlib import Path

import psutil

CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Return the free memory of the machine in bytes, or of its container if that is less."""
    machine = psutil.virtual_memory().available
    container = _free_in_container()
    return machine if container is None else min(machine, container)


def _free_in_container() -> int | None:
    try:
        limit = int((CGROUP / "memory.max").read_text())  # "max" if there is no limit
        used = int((CGROUP / "memory.current").read_text())
        stat = (CGROUP / "memory.stat").read_text() if (CGROUP / "memory.stat").exists() else ""
    except (OSError, ValueError):
        return None
    counts = dict(line.split(maxsplit=1) for line in stat.splitlines() if " " in line)
    # The page cache counts as used, but is evicted on demand: a large download fills memory with it.
    return max(0, limit - used + int(counts.get("inactive_file", 0)))
