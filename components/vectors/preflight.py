"""Check before a download that the folder is writable and that disk and memory are sufficient."""

import os
import shutil
from pathlib import Path

import psutil

from components.base.field_types import quote
from components.base.text_format import readable_bytes
from components.vectors.folder import CACHE_VARIABLE
from components.vectors.sources import Source

CGROUP = Path("/sys/fs/cgroup")
MEMORY_PER_WORD = 150  # bytes of a word with its ID during the conversion
BASE_MEMORY = 50 * 10**6  # bytes, whatever the number of words


def memory_needed(source: Source) -> int:
    """Return an estimate of the memory of the conversion in bytes: that of the words, as rows are streamed."""
    return source.words * MEMORY_PER_WORD + BASE_MEMORY


def disk_needed(source: Source) -> int:
    """Return the peak disk usage of `source` in bytes: its download is deleted after the conversion."""
    return source.bytes + source.converted_bytes


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


def blocking_reason(source: Source, folder: Path) -> str | None:
    """Return why `source` cannot be downloaded into `folder`, with the required sizes, or None if it can.

    Nothing is written, and `folder` may not exist yet.
    """
    existing = next((path for path in (folder, *folder.parents) if os.path.exists(path)), folder)
    other_folder = f"set the environment variable {CACHE_VARIABLE} to another folder"
    if not os.path.isdir(existing) or not os.access(existing, os.W_OK | os.X_OK):
        return f"{source.title} cannot be stored, because {quote(folder, 200)} cannot be written: {other_folder}."

    needed, free = disk_needed(source), shutil.disk_usage(existing).free
    if free < needed:
        return (
            f"{source.title} needs {readable_bytes(needed)} of disk while it is prepared, and {quote(folder, 200)} has "
            f"{readable_bytes(free)} free: delete files there, or {other_folder}."
        )
    needed, free = memory_needed(source), free_memory()
    if free < needed:
        return (
            f"{source.title} needs about {readable_bytes(needed)} of memory while it is prepared, and this machine has "
            f"{readable_bytes(free)} free: choose smaller vectors, or stop other programs and try again."
        )
    return None
