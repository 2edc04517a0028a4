"""What can be downloaded: a published file with its size and checksum, or parts of one, and whether there is room."""

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from components.base.cache_folder import CACHE_VARIABLE
from components.base.field_types import quote
from components.base.text_format import readable_bytes


class Offer(ABC):
    """Something to download: a title, an address, a size in bytes."""

    title: str
    url: str
    bytes: int

    folder_variable: ClassVar[str] = CACHE_VARIABLE  # the environment variable that names the folder
    exclusive: ClassVar[bool] = True  # of its folder: other exclusive ones wait

    @property
    @abstractmethod
    def target(self) -> Path:
        """The absolute path at which it is stored."""

    @property
    def key(self) -> Hashable:
        """What distinguishes downloads: one of each key runs at a time."""
        return self.target

    @property
    @abstractmethod
    def ready(self) -> bool:
        """Whether it has been downloaded and can be used."""

    @property
    def disk_bytes(self) -> int:
        """The peak disk usage of the download."""
        return self.bytes

    def blocking_reason(self) -> str | None:
        """Return why it cannot be downloaded to this machine, or None if it can. Nothing is written."""
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


@dataclass(frozen=True)
class PublishedFile(Offer):
    """A whole file: its size in `bytes` is exact; its checksum begins with the algorithm: "md5:…" or "sha256:…"."""

    name: str
    title: str
    url: str
    bytes: int
    checksum: str

    @property
    def ready(self) -> bool:
        return os.path.exists(self.target)

    def prepare(self, download: Path, target: Path, progress: Callable[[int, int], None]) -> None:
        """Make `target` of the file that was downloaded; `progress(done, total)` raises if it was cancelled."""
        os.replace(download, target)
