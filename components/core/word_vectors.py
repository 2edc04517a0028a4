"""Word vectors from files of any size that are trusted: read by gensim, or mapped into memory from its own format."""

import pickle
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from gensim.models import KeyedVectors

from components.core.kinds import quote
from components.core.word_gzip import GZIP
from components.core.word_native import NATIVE_FILE, SUFFIX, write_native
from components.core.word_rows import rows_of
from components.core.word_sources import ZIP, count_lines, layout_in, open_source

LONGEST_WORD = 10_000  # characters; web texts have words of 1,000


def load_vectors(path: str | Path) -> KeyedVectors:
    """Return the vectors in `path`: word2vec's text or binary, GloVe's text, plain or .gz, or what `convert` wrote.

    What ends in .kv is gensim's own format, a folder by `convert` or a file by KeyedVectors.save. Its arrays are mapped
    into memory read-only: sessions and processes share them. It is a pickle, which can execute anything: load only what
    this app wrote itself, never an upload. Raises ValueError, in one sentence, for what cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.txt").write_text("king 1 0\\nqueen 0 1\\n")
    ...     load_vectors(Path(folder, "two.txt"))["queen"]
    array([0., 1.], dtype=float32)
    """
    path = Path(path)
    if path.suffix == SUFFIX:
        return _load_native(path)
    with open_source(path) as file:
        layout = layout_in(file)
    start = _first_bytes(path)
    if start == ZIP or start.startswith(GZIP) != (path.suffix == ".gz"):
        raise ValueError(f"{quote(path.name)} is packed in another way than its name says: convert it first.")
    try:
        loaded = KeyedVectors.load_word2vec_format(str(path), binary=layout.binary, no_header=layout.words is None)
    except (ValueError, EOFError, OSError, zlib.error, AssertionError) as error:
        problem = f"gensim cannot read {quote(path.name)} ({type(error).__name__}: {quote(error, 100)})"
        raise ValueError(f"{problem}: check that it is whole.") from None
    return _without_gaps(loaded)


def _without_gaps(loaded: KeyedVectors) -> KeyedVectors:
    # gensim skips a word that comes again, and leaves a row without a word at the end for each
    words = len(loaded.key_to_index)
    if words < len(loaded.index_to_key):
        loaded.index_to_key = loaded.index_to_key[:words]
        loaded.vectors = loaded.vectors[:words]
        loaded.allocate_vecattrs()
    return loaded


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(ZIP))


def _load_native(path: Path) -> KeyedVectors:
    file = path / NATIVE_FILE if path.is_dir() else path
    if not file.is_file():  # looked for first, because gensim would take a name for an address
        raise ValueError(f"There are no vectors at {quote(file, 200)}: convert them first.")
    try:
        vectors = KeyedVectors.load(str(file), mmap="r")
    except (ValueError, EOFError, OSError, AttributeError, ImportError, pickle.UnpicklingError) as error:
        problem = f"{quote(path.name)} is not as it was written ({type(error).__name__})"
        raise ValueError(f"{problem}: delete it, and convert it again.") from None
    if not isinstance(vectors, KeyedVectors):
        raise ValueError(f"{quote(path.name)} holds a {type(vectors).__name__}, no KeyedVectors: convert it again.")
    return vectors


def _silent(done_words: int, all_words: int) -> None:
    pass


def convert(source: Path, target: Path, progress: Callable[[int, int], None] = _silent) -> None:
    """Turn a trusted file into gensim's own format at `target`, a folder "….kv" that load_vectors maps into memory.

    The source is word2vec's text or binary or GloVe's text, plain, gzip, or alone in a zip. Rows are streamed to the
    disk, so only the words and 2 MB of vectors are in memory; the norms are stored as well. Of a word that comes twice
    the first is kept, as by load_vectors.

    All is written into a hidden folder beside `target`, which gets its name at the very end by one rename: there is a
    whole target or none, and of two conversions at once the later one is refused. `progress(done_words, all_words)` may
    raise to cancel. Whatever is raised, nothing stays behind, except where the process is killed (".name.kv.…").

    Raises ValueError, in one sentence, for a target that is there already or does not end in .kv, and for a source that
    is not as it should be; OSError where the disk refuses.

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
    _check_is_free(target)
    with open_source(source) as file:
        layout = layout_in(file)
        all_words = count_lines(file) if layout.words is None else layout.words
        part = target.with_name(f".{target.name}.{uuid4().hex}")
        try:
            part.mkdir()
            rows = rows_of(file, layout, LONGEST_WORD)
            write_native(part, rows, layout.dim, lambda done: progress(done, all_words))
            _rename(part, target)
        except BaseException:  # cancelling may raise anything
            shutil.rmtree(part, ignore_errors=True)
            raise


def _rename(part: Path, target: Path) -> None:
    try:
        part.rename(target)
    except OSError:  # a folder that is not empty is never replaced
        _check_is_free(target)
        raise


def _check_is_free(target: Path) -> None:
    if target.exists():
        raise ValueError(f"{quote(target.name)} is there already: load it, or delete it first.")
