"""Write gensim's format a block of rows at a time: a folder of three files that processes share in memory.

    google.kv/vectors.kv               the words: a pickle of KeyedVectors without its arrays
    google.kv/vectors.kv.vectors.npy   the vectors [N, D], float32
    google.kv/vectors.kv.norms.npy     the norm of each vector [N], float32

The caller writes to a temporary folder and renames it when it is complete.
"""

import os
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path

import numpy as np
from jaxtyping import Float32

from components.vectors.gensim_reader import keyed_vectors, read_blocks
from components.vectors.layout import Layout, Row
from components.vectors.rows import first_rows

SUFFIX = ".kv"
NATIVE_FILE = "vectors.kv"
VECTORS_FILE = f"{NATIVE_FILE}.vectors.npy"  # the name that gensim expects


def write_native(folder: Path, rows: Iterator[Row], layout: Layout, progress: Callable[[int], None]) -> None:
    """Write the rows that gensim reads into an existing folder, a block at a time; only the words stay in memory.

    If a word is repeated, its first row counts. `progress` is called with the number of different words.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     rows = iter([Row("king", b"king 1\\n", 1), Row("queen", b"queen 2\\n", 2)])
    ...     write_native(Path(folder), rows, Layout(binary=False, dim=1, words=None, start=0), progress=print)
    ...     sorted(path.name for path in Path(folder).iterdir())
    2
    ['vectors.kv', 'vectors.kv.norms.npy', 'vectors.kv.vectors.npy']
    """
    key_to_index: dict[str, int] = {}
    norms: list[np.ndarray] = []
    array_file = folder / "rows.npy"
    with array_file.open("wb") as file:
        _write_header(file, 0, layout.dim)
        for block in read_blocks(first_rows(rows, key_to_index), layout):
            norms.append(_write_block(file, block))
            progress(len(key_to_index))
        file.seek(0)
        _write_header(file, len(key_to_index), layout.dim)
    # gensim would copy the vectors, so it saves an empty array, whose file is then replaced by ours.
    keyed = keyed_vectors(key_to_index, np.empty((0, layout.dim), dtype=np.float32))
    keyed.norms = np.concatenate(norms)
    keyed.save(str(folder / NATIVE_FILE), separately=["vectors", "norms"])
    os.replace(array_file, folder / VECTORS_FILE)


def _write_block(file: BufferedIOBase, block: Float32[np.ndarray, "rows dim"]) -> Float32[np.ndarray, " rows"]:
    file.write(block.astype("<f4", copy=False).data)
    norms = np.linalg.norm(block, axis=1)
    norms[norms == 0] = 1  # a zero vector gets the cosine 0 with every other one, instead of NaN
    return norms


def _write_header(file: BufferedIOBase, rows: int, dim: int) -> None:
    # numpy pads the header for a growing number of rows, so the final header has the same length as the first.
    header = {"descr": "<f4", "fortran_order": False, "shape": (rows, dim)}
    np.lib.format.write_array_header_1_0(file, header)
