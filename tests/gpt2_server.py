"""A made-up GPT-2: a safetensors file with the header's shapes of the real one, on a server that answers ranges only.

The server redirects first, as the real one does. Its mode chooses an answer that is broken.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from math import prod
from pathlib import Path
from threading import Lock
from typing import ClassVar

import numpy as np
import pytest

from components.downloads import gpt2
from components.downloads.gpt2 import RowFile, cache_path, row_file
from tests.faulty_server import FaultyHandler

V, D, T = 50_257, 768, 1_024
LAYERS = {"attn.c_attn": [D, 3 * D], "attn.c_proj": [D, D], "mlp.c_fc": [D, 4 * D], "mlp.c_proj": [4 * D, D]}
LAYERS |= {"ln_1": [D], "ln_2": [D]}
SHAPES = {"ln_f.bias": [D], "ln_f.weight": [D], "wpe.weight": [T, D], "wte.weight": [V, D]}
for n in range(12):
    SHAPES[f"h.{n}.attn.bias"] = [1, 1, T, T]
    for name, shape in LAYERS.items():
        SHAPES |= {f"h.{n}.{name}.bias": shape[-1:], f"h.{n}.{name}.weight": shape}


@cache
def tables() -> dict[str, np.ndarray]:
    """Return the tensors that have numbers; all others of the file are zero."""
    rng = np.random.default_rng(5)
    wte = rng.standard_normal((V, D), dtype=np.float32) * np.float32(0.14)
    wte *= rng.uniform(0.7, 1.2, (V, 1)).astype(np.float32)
    wte[460] = wte[5171] + 0.4 * wte[460]  # " can" and "can"
    wte[177:188] = wte[177] + 0.1 * wte[177:188]  # bytes that are in no text, and a token like them
    wte[43453] = wte[177] + 0.2 * wte[43453]
    for token_id, norm in ((29_174, 46), (464, 29.5), (286, 26)):  # " worms": above a random norm, √D = 27.7
        wte[token_id] *= norm / np.linalg.norm(wte[token_id])  # "The" and " of" are near it
    turn, noise = np.arange(T)[:, None] * 2 * np.pi / 400, rng.standard_normal((T, D))
    axes = np.linalg.qr(rng.standard_normal((D, 3)))[0].T
    wpe = 3 * (np.cos(turn) * axes[0] + np.sin(turn) * axes[1]) + turn / 4 * axes[2] + 0.01 * noise
    wpe[8] = -wpe[8]  # unlike its neighbors
    wpe[56] = wpe[7]  # as much like 6
    layer = {
        "h.0.ln_1.weight": 1 + 0.1 * rng.standard_normal(D),
        "h.0.ln_1.bias": 0.1 * rng.standard_normal(D),
        "h.0.attn.c_attn.weight": 0.1 * rng.standard_normal((D, 3 * D)),
        "h.0.attn.c_attn.bias": 0.1 * rng.standard_normal(3 * D),
    }
    return {name: each.astype("<f4") for name, each in ({"wte.weight": wte, "wpe.weight": wpe} | layer).items()}


def random_tables() -> dict[str, np.ndarray]:
    """Return tables of these shapes without structure: rows of equal standard deviation, no winding positions."""
    rng = np.random.default_rng(6)
    wte = rng.standard_normal((V, D), dtype=np.float32) * 2
    return tables() | {"wte.weight": wte, "wpe.weight": rng.standard_normal((T, D), dtype=np.float32)}


class MadeUpFile:
    """The file, of which only the tensors with numbers are in memory."""

    def __init__(self, **changes) -> None:
        entries, at = {"__metadata__": {"format": "pt"}}, 0
        for name, shape in SHAPES.items():
            end = at + 4 * prod(shape)
            entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, end]}
            at = end
        for name, change in changes.items():
            entries[name] = None if change is None else entries[name] | change
        kept = {name: entry for name, entry in entries.items() if entry is not None}
        header = json.dumps(kept, separators=(",", ":")).encode()
        header += b" " * (1 - len(header) % 2)  # so that the data begins at an odd byte, as in the real file
        self.begin = 8 + len(header)
        self.size = self.begin + at
        self.segments = [(0, len(header).to_bytes(8, "little") + header)]
        for name, array in tables().items():
            if entries[name] and isinstance(entries[name]["data_offsets"][0], int):
                first = entries[name]["data_offsets"][0]
                self.segments.append((self.begin + first, memoryview(array.reshape(-1).view(np.uint8))))

    def read(self, first: int, count: int) -> bytes:
        content = bytearray(count)
        for begin, segment in self.segments:
            start, end = max(first, begin), min(first + count, begin + len(segment))
            if start < end:
                content[start - first : end - first] = segment[start - begin : end - begin]
        return bytes(content)


class RangeHandler(FaultyHandler):
    """Sends ranges of `file` after a redirect; a mode applies to the requests from byte `faulty_from` on."""

    file: MadeUpFile
    faulty_from = 0
    requests: ClassVar[list[tuple[int, int]]] = []
    counting = Lock()

    def do_GET(self):
        with suppress(OSError):
            if not self.path.startswith("/cdn/"):
                return self.head(0, 302, Location=f"/cdn{self.path}")
            found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            if not found:
                return self.head(0, 400)
            self.first, self.count = int(found[1]), int(found[2]) + 1 - int(found[1])
            with self.counting:
                self.requests.append((self.first, self.count))
            mode = self.server.mode if self.first >= self.faulty_from else ""
            getattr(self, f"send_{mode or 'good'}")()

    def send_part(self, content=None, status=206, stated=None, length=None, **headers):
        content = self.file.read(self.first, self.count) if content is None else content
        stated = stated or f"bytes {self.first}-{self.first + self.count - 1}/{self.file.size}"
        length = len(content) if length is None else length
        headers = {"Content-Range": stated, "Content-Type": "application/octet-stream"} | headers
        self.head(length if length >= 0 else None, status, **headers)
        self.wfile.write(content)

    def send_good(self):
        self.send_part()

    def send_whole(self):
        self.head(self.file.size)  # the connection ends when the client has seen enough

    def send_page(self):
        self.send_part(b"<!doctype html>".ljust(self.count), **{"Content-Type": "text/html"})

    def send_text(self):
        self.send_part((b"<p>Please log in." * self.count)[: self.count])

    def send_other_part(self):
        self.send_part(stated=f"bytes {self.first + 4}-{self.first + self.count + 3}/{self.file.size}")

    def send_other_size(self):
        self.send_part(stated=f"bytes {self.first}-{self.first + self.count - 1}/{self.file.size + 1}")

    def send_short(self):
        self.send_part(self.file.read(self.first, self.count)[: self.count // 2], length=self.count)

    def send_longer(self):
        self.send_part(self.file.read(self.first, 2 * self.count))

    def send_unannounced(self):
        self.send_part(self.file.read(self.first, 2 * self.count), length=-1)

    def send_limited(self):
        self.head(0, 429)

    def send_not_finite(self):
        self.send_part(np.full(self.count // 4, np.nan, "<f4").tobytes())


@contextmanager
def filled_cache(folder: Path, numbers: dict[str, np.ndarray] | None = None) -> Iterator[None]:
    """Have the whole of a made-up GPT-2 in a cache of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDING_LAB_CACHE", str(folder))
        fill_cache(numbers)
        yield


def fill_cache(numbers: dict[str, np.ndarray] | None = None) -> None:
    """Write the tensors of a made-up GPT-2 to the cache as if they had been fetched."""
    numbers = numbers or tables()
    RowFile.create(cache_path(), dict.fromkeys(gpt2.SHAPES, 0), 0)
    for name in gpt2.SHAPES:
        row_file().write(name, 0, numbers[name].tobytes())
