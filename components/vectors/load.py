"""Load vectors that are trusted: a file that gensim reads, or a folder of its own files, to which `convert` saves one.

    google.kv/vectors.kv               the words: a pickle of KeyedVectors without its arrays
    google.kv/vectors.kv.vectors.npy   the vectors [N, D], float32
    google.kv/vectors.kv.norms.npy     the norm of each vector [N], float32

Sessions and processes share the folder: its two arrays are memory-mapped, so they take no memory of a process.
"""

import errno
import gzip
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from subprocess import PIPE, Popen
from zipfile import ZipFile

import numpy as np
from gensim.models import KeyedVectors
from gensim.utils import open as open_unpacked

from components.base.field_types import quote
from components.vectors.layout import layout_in

SUFFIX = ".kv"
NATIVE_FILE = "vectors.kv"
ROWS_PER_BLOCK = 10_000
BLOCK_BYTES = 2**20
OTHER_ERROR = 1  # the exit code of Python after an exception


def load_vectors(path: str | Path) -> KeyedVectors:
    """Return the vectors in `path`: word2vec's text or binary, GloVe's text, plain or .gz, or a folder by `convert`.

    The name of a folder ends in .kv. Its arrays are memory-mapped read-only, shared by sessions and processes. Its
    words are a pickle, which can execute code: load only what this app wrote itself, never an upload. Raises ValueError
    if a folder is damaged or a file has none of the formats; the message is shown to learners. Errors in the rows of a
    file are those of gensim.
    """
    path = Path(path)
    if path.suffix == SUFFIX:
        try:
            return KeyedVectors.load(str(path / NATIVE_FILE), mmap="r")
        except (ValueError, EOFError, OSError, AttributeError, ImportError, pickle.UnpicklingError) as error:
            problem = f"{quote(path.name)} is damaged ({type(error).__name__})"
            raise ValueError(f"{problem}: delete it, and download it again.") from None
    with open_unpacked(str(path), "rb") as file:
        layout = layout_in(file)
    return read_by_gensim(str(path), layout.binary, no_header=layout.words is None)


def read_by_gensim(file: str | int, binary: bool, no_header: bool = False) -> KeyedVectors:
    """Return the vectors in a file, a path or a descriptor, with their norms; of a repeated word the first row counts.

    Raises what gensim raises.
    """
    vectors = KeyedVectors.load_word2vec_format(file, binary=binary, no_header=no_header)
    # For every repeated word gensim leaves a word None and a zero vector at the end.
    del vectors.index_to_key[vectors.next_index :]
    vectors.vectors = vectors.vectors[: vectors.next_index]
    fill_norms(vectors)
    return vectors


def fill_norms(vectors: KeyedVectors) -> None:
    """Store the norm of each vector; a zero vector gets 1, so that its cosine with every other one is 0, not NaN."""
    # gensim's fill_norms squares all vectors at once, which takes as much memory again as they do.
    starts = range(0, len(vectors), ROWS_PER_BLOCK)
    blocks = [np.linalg.norm(vectors.vectors[start : start + ROWS_PER_BLOCK], axis=1) for start in starts]
    vectors.norms = np.concatenate(blocks)
    vectors.norms[vectors.norms == 0] = 1


def convert(
    source: Path, target: Path, binary: bool, progress: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """Convert a published file to the new folder `target`, which load_vectors memory-maps.

    The file is word2vec's text or binary with its header, as a .gz or the only .txt in a .zip. gensim reads it in a
    process of its own, where all vectors are in memory until they are saved. `progress(done_bytes, all_bytes)` may
    raise to cancel. After an exception `target` may be incomplete: the caller deletes it, and otherwise renames it.

    Raises ValueError if gensim cannot read the file, MemoryError if the memory is too small, and OSError for errors of
    the disk.
    """
    command = [sys.executable, "-m", "components.vectors.load", str(target.absolute()), "binary" if binary else ""]
    all_bytes, project = source.stat().st_size, Path(__file__).parents[2]
    with (
        source.open("rb") as packed,
        _unpacked(packed, source.suffix) as file,
        # An interrupt from the keyboard reaches this process alone, which then cancels.
        Popen(command, stdin=PIPE, cwd=project, start_new_session=True) as reader,
        suppress(BrokenPipeError),  # if the reader fails; its exit code is the reason
        reader.stdin as pipe,
    ):
        try:
            while block := file.read(BLOCK_BYTES):
                pipe.write(block)
                pipe.flush()
                progress(packed.tell(), all_bytes)
        except BrokenPipeError:
            raise
        except BaseException:  # `progress` may raise anything to cancel
            reader.kill()
            raise
    _require_success(reader.returncode, source.name)
    progress(all_bytes, all_bytes)


def _unpacked(packed: BufferedIOBase, suffix: str) -> BufferedIOBase:
    if suffix != ".zip":
        return gzip.open(packed)
    archive = ZipFile(packed)
    return archive.open(next(name for name in archive.namelist() if name.endswith(".txt")))


def _require_success(code: int, name: str) -> None:
    if code < 0 or code == errno.ENOMEM:  # a system that is short of memory kills the largest process
        raise MemoryError
    if code > OTHER_ERROR:
        raise OSError(code, os.strerror(code))
    if code == OTHER_ERROR:
        raise ValueError(f"gensim cannot read {name}; the server's log has the reason")


def _save(target: str, form: str) -> None:
    """Save what gensim reads from standard input; the exit code is the number of the error, if there is one."""
    try:
        vectors = read_by_gensim(sys.stdin.fileno(), binary=form == "binary")
        vectors.expandos.clear()  # counts of the words, which gensim makes up
        os.mkdir(target)
        vectors.save(os.path.join(target, NATIVE_FILE), separately=["vectors", "norms"])
    except MemoryError:
        sys.exit(errno.ENOMEM)
    except OSError as error:
        sys.exit(error.errno or errno.ENOSPC)  # numpy reports a full disk without a number


if __name__ == "__main__":
    _save(*sys.argv[1:])
