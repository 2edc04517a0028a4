"""The uploaded vectors of each session: one file at a time, and a limit on the memory of all sessions together."""

from sys import getsizeof
from threading import Lock
from weakref import WeakKeyDictionary

from gensim.models import KeyedVectors

from components.base.limits import MAX_UPLOADED_VECTOR_BYTES
from components.base.text_format import readable_bytes
from components.vectors.uploads import read_upload

MAX_NAME_CHARS = 60


class SessionVectors:
    """The vectors of one session, or None, the name of their file, and the error of the last file if it has one."""

    def __init__(self) -> None:
        self.vectors: KeyedVectors | None = None
        self.name = ""
        self.file_id = ""  # of the last file, read or refused
        self.vectors_id = ""  # of the file of the vectors
        self.problem = ""
        self.ended = False

    def read(self, file_id: str, name: str, data: bytes) -> None:
        """Replace the vectors by those in a file; if it cannot be read or is too large, `problem` is the reason."""
        self.file_id, name = file_id, name[:MAX_NAME_CHARS]
        try:
            vectors = read_upload(data)
            self._store(vectors)
        except ValueError as error:
            still = f" The vectors of {self.name} are still in use." if self.vectors is not None else ""
            self.problem = f"{name}: {error}{still}"
        else:
            self.name, self.vectors_id, self.problem = name, file_id, ""

    def _store(self, vectors: KeyedVectors) -> None:
        size = memory_of(vectors)
        with _lock:
            others = sum(taken for session, taken in bytes_taken.items() if session is not self)
            if others + size > MAX_UPLOADED_VECTOR_BYTES:
                raise ValueError(
                    f"The vectors take {readable_bytes(size)} of memory, those of other learners take "
                    f"{readable_bytes(others)}, and {readable_bytes(MAX_UPLOADED_VECTOR_BYTES)} is the limit for all "
                    f"together: upload fewer words, or upload the file again when somebody has left."
                )
            if not self.ended:
                self.vectors = vectors
                bytes_taken[self] = size

    def remove(self) -> None:
        """Remove the vectors and return their memory to the other sessions."""
        with _lock:
            self.vectors = None
            bytes_taken.pop(self, None)

    def end(self) -> None:
        """Remove the vectors for good; a file that is still being read is not stored."""
        self.ended = True
        self.remove()


bytes_taken: WeakKeyDictionary[SessionVectors, int] = WeakKeyDictionary()  # bytes
_lock = Lock()


def memory_of(vectors: KeyedVectors) -> int:
    """Return the bytes of memory of the vectors, their norms and their words."""
    words = sum(getsizeof(word) + 32 for word in vectors.index_to_key)  # with the integer of its index
    lists = getsizeof(vectors.index_to_key) + getsizeof(vectors.key_to_index)
    return vectors.vectors.nbytes + vectors.norms.nbytes + words + lists
