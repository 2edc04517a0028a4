"""A published file that can be downloaded: its size and checksum, and whether there is room for it."""

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from components.base.field_types import quote
from components.base.text_format import readable_bytes


@dataclass(frozen=True)
class PublishedFile(ABC):
    """Its size in `bytes` is exact; its checksum begins with the algorithm: "md5:…" or "sha256:…"."""

    name: str
    title: str
    url: str
    bytes: int
    checksum: str

    folder_variable: ClassVar[str]  # the environment variable that names the folder

    @property
    @abstractmethod
    def target(self) -> Path:
        """The absolute path at which the file is stored once it is complete."""

    @property
    def ready(self) -> bool:
        """Whether the file has been downloaded and can be used."""
        return os.path.exists(self.target)

    @property
    def disk_bytes(self) -> int:
        """The peak disk usage of the download."""
        return self.bytes

    def prepare(self, download: Path, target: Path, progress: Callable[[int, int], None]) -> None:
        """Make `target` of the file that was downloaded; `progress(done, total)` raises if it was cancelled."""
        os.replace(download, target)

    def blocking_reason(self) -> str | None:
        """Return why the file cannot be downloaded to this machine, or None if it can. Nothing is written."""
        folder = self.target.parent
        existing = next(path for path in (folder, *folder.parents) if os.path.exists(path))
        other_folder = f"set the environment variable {self.folder_variable} to another folder"
        if not os.path.isdir(existing) or not os.access(existing, os.W_OK | os.X_OK):
            return f"{self.title} cannot be stored, because {quote(folder, 200)} cannot be written: {other_folder}."
        free = shutil.disk_usage(existing).free
        if free < self.disk_bytes:
            return (
                f"{self.title} needs {readable_bytes(self.disk_bytes)} of disk, and {quote(folder, 200)} has "
                f"{readable_bytes(free)} free: delete files there, or {other_folder}."
            )
        return None
