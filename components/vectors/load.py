"""Load trusted vector files of any size, and convert them to gensim's own format, which is memory-mapped."""

import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from gensim.models import KeyedVectors

from components.base.field_types import quote
from components.vectors.gensim_reader import keyed_vectors, read_vectors
from components.vectors.mapped import NATIVE_FILE, SUFFIX, write_native
from components.vectors.rows import count_lines, first_rows, layout_in, rows_of
from components.vectors.unpack import open_trusted

MAX_WORD_CHARS = 10_000  # web texts have words of 1,000 characters


def load_vectors(path: str | Path) -> KeyedVectors:
    """Return the vectors in `path`: word2vec's text or binary, GloVe's text, or the result of `convert`.

    A file may be plain, gzip, or the only one in a zip; if a word is repeated, its first row counts. A path that ends
    in .kv is in gensim's format: a folder by `convert` or a file by KeyedVectors.save. Its arrays are memory-mapped
    read-only, shared by sessions and processes. It is a pickle, which can execute code: load only what this app wrote
    itself, never an upload. Raises ValueError if the file cannot be read; the message is shown to learners. Raises
    OSError for errors of the disk.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.txt").write_text("king 1 0\\nqueen 0 1\\n")
    ...     load_vectors(Path(folder, "two.txt"))["queen"]
    array([0., 1.], dtype=float32)
    """
    path = Path(path)
    if path.suffix == SUFFIX:
        return _load_native(path)
    with open_trusted(path) as file:
        layout = layout_in(file)
        key_to_index: dict[str, int] = {}
        vectors = read_vectors(first_rows(rows_of(file, layout, MAX_WORD_CHARS), key_to_index), layout)
    return keyed_vectors(key_to_index, vectors)


def _load_native(path: Path) -> KeyedVectors:
    file = path / NATIVE_FILE if path.is_dir() else path
    if not file.is_file():  # checked first, because gensim would open a URL
        raise ValueError(f"There are no vectors at {quote(file, 200)}: convert them first.")
    try:
        vectors = KeyedVectors.load(str(file), mmap="r")
    except (ValueError, EOFError, OSError, AttributeError, ImportError, pickle.UnpicklingError) as error:
        problem = f"{quote(path.name)} is damaged ({type(error).__name__})"
        raise ValueError(f"{problem}: delete it, and convert it again.") from None
    if not isinstance(vectors, KeyedVectors):
        raise ValueError(f"{quote(path.name)} contains a {type(vectors).__name__}, not KeyedVectors: convert it again.")
    return vectors


def _no_progress(done_words: int, all_words: int) -> None:
    pass


def convert(source: Path, target: Path, progress: Callable[[int, int], None] = _no_progress) -> None:
    """Convert a trusted file to gensim's format at `target`, a folder "….kv" that load_vectors memory-maps.

    The source is word2vec's text or binary or GloVe's text, plain, gzip, or the only file in a zip. Its rows are
    checked, and gensim reads them in blocks, so only the words and 0.5 MB of vectors are in memory; the norms are
    stored as well. If a word is repeated, its first row counts.

    The files are written to a hidden folder beside `target` that is renamed at the end, so the target is complete or
    missing, and of two concurrent conversions the later one fails. `progress(done_words, all_words)` may raise to
    cancel. After an exception nothing remains; a killed process leaves the hidden folder (".name.kv.…").

    Raises ValueError if the target exists or does not end in .kv, or if the source is invalid; the message is shown to
    learners. Raises OSError for errors of the disk.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     source, target = Path(folder, "two.txt"), Path(folder, "two.kv")
    ...     _ = source.write_text("king 1 0\\nqueen 0 1\\n")
    ...     convert(source, target, progress=print)
    ...     type(load_vectors(target).vectors)
    2 2
    <class 'numpy.memmap'>
    """
    if target.suffix != SUFFIX or not target.parent.is_dir():
        raise ValueError(
            f"{quote(target, 200)} cannot be written: name a folder ending in {SUFFIX} in one that exists."
        )
    _require_missing(target)
    with open_trusted(source) as file:
        layout = layout_in(file)
        all_words = count_lines(file) if layout.words is None else layout.words
        part = target.with_name(f".{target.name}.{uuid4().hex}")
        try:
            part.mkdir()
            rows = rows_of(file, layout, MAX_WORD_CHARS)
            write_native(part, rows, layout, lambda done: progress(done, all_words))
            _rename(part, target)
        except BaseException:  # `progress` may raise anything to cancel
            shutil.rmtree(part, ignore_errors=True)
            raise


def _rename(part: Path, target: Path) -> None:
    try:
        part.rename(target)
    except OSError:  # a folder that is not empty cannot be replaced
        _require_missing(target)
        raise


def _require_missing(target: Path) -> None:
    if target.exists():
        raise ValueError(f"{quote(target.name)} exists already: load it, or delete it first.")
