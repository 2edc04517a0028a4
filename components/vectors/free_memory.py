"""How much memory is free: of the machine, or of the container that the app runs in."""

from pathlib import Path

import psutil

CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Return the free memory of the machine in bytes, or of its container if that is less."""
    machine = psutil.virtual_memory().available
    try:
        limit = int((CGROUP / "memory.max").read_text())  # "max" if there is no limit
        used = int((CGROUP / "memory.current").read_text())
        counts = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):  # no container, or no limit
        return machine
    # The page cache counts as used, but is evicted on demand: a large download fills memory with it.
    return min(machine, max(0, limit - used + int(counts.get("inactive_file", 0))))
