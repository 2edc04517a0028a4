"""Whether this machine has the room for vectors: a folder that can be written, disk and memory."""

import os
import shutil
from pathlib import Path

import psutil

from components.core.kinds import quote
from components.core.limits import readable_bytes
from components.core.vector_folder import CACHE_VARIABLE
from components.core.vector_sources import Source

CGROUP = Path("/sys/fs/cgroup")
MEMORY_PER_WORD = 150  # bytes of a word with its ID while vectors are converted
MEMORY_AT_LEAST = 50 * 10**6


def memory_needed(source: Source) -> int:
    """Return about how many bytes of memory the conversion of `source` takes: the words, while rows are streamed."""
    return source.words * MEMORY_PER_WORD + MEMORY_AT_LEAST


def disk_needed(source: Source) -> int:
    """Return how many bytes of disk `source` takes at most: its download is deleted only once it is converted."""
    return source.bytes + source.converted_bytes


def free_memory() -> int:
    """Return how many bytes of memory this process can still take: of the machine, or of its container if less."""
    machine = psutil.virtual_memory().available
    container = _free_in_container()
    return machine if container is None else min(machine, container)


def _free_in_container() -> int | None:
    try:
        limit = int((CGROUP / "memory.max").read_text())  # "max" where there is no limit
        used = int((CGROUP / "memory.current").read_text())
        stat = (CGROUP / "memory.stat").read_text() if (CGROUP / "memory.stat").exists() else ""
    except (OSError, ValueError):
        return None
    counts = dict(line.split(maxsplit=1) for line in stat.splitlines() if " " in line)
    # Copies of files that were read or written count as used, but make way: a large download fills memory with them.
    return max(0, limit - used + int(counts.get("inactive_file", 0)))


def refusal(source: Source, folder: Path) -> str | None:
    """Return why `source` cannot be fetched into `folder`, in one sentence with figures; None where nothing is amiss.

    Writes nothing; `folder` need not be there yet.
    """
    there = next((path for path in (folder, *folder.parents) if os.path.exists(path)), folder)
    elsewhere = f"name another folder in the environment variable {CACHE_VARIABLE}"
    if not os.path.isdir(there) or not os.access(there, os.W_OK | os.X_OK):
        return f"{source.title} cannot be kept, because {quote(folder, 200)} cannot be written: {elsewhere}."

    needed, free = disk_needed(source), shutil.disk_usage(there).free
    if free < needed:
        return (
            f"{source.title} needs {readable_bytes(needed)} of disk while it is prepared, and {quote(folder, 200)} has "
            f"{readable_bytes(free)} free: delete what is not needed there, or {elsewhere}."
        )
    needed, free = memory_needed(source), free_memory()
    if free < needed:
        return (
            f"{source.title} needs about {readable_bytes(needed)} of memory while it is prepared, and this machine has "
            f"{readable_bytes(free)} free: choose smaller vectors, or try again when less is running."
        )
    return None
