"""The memory of the uploaded vectors of all sessions together."""

import pytest

from components.vectors import session_vectors
from components.vectors.session_vectors import SessionVectors, bytes_taken, memory_of
from components.vectors.uploads import read_upload

SMALL = b"king 1 0\nqueen 0 1\n"
LARGE = b"".join(b"w%d " % i + b"1 " * 100 + b"\n" for i in range(100))


@pytest.fixture
def limit(monkeypatch):
    """Let one large file fit beside those of other tests, but not two."""
    size = memory_of(read_upload(LARGE))
    assert size > 100 * (100 * 4 + 4) + 100 * len("w10")  # with norms and words
    monkeypatch.setattr(session_vectors, "MAX_UPLOADED_VECTOR_BYTES", sum(bytes_taken.values()) + 2 * size - 1)


def test_read_over_total_limit_is_refused_and_earlier_file_stays(limit, monkeypatch):
    first, second = SessionVectors(), SessionVectors()
    first.read("1", "first.txt", LARGE)
    second.read("1", "small.txt", SMALL)
    earlier = second.vectors
    second.read("2", "large.txt" + 60 * "x", LARGE)
    assert second.problem.startswith(f"large.txt{51 * 'x'}: The vectors take ")
    assert "is the limit for all together: upload fewer words, or upload the file again when" in second.problem
    assert second.problem.endswith("The vectors of small.txt are still in use.")
    assert (second.vectors, second.vectors_id, second.file_id) == (earlier, "1", "2")
    assert first.vectors is not None
    fits = sum(bytes_taken.values()) - memory_of(second.vectors) + memory_of(first.vectors)
    monkeypatch.setattr(session_vectors, "MAX_UPLOADED_VECTOR_BYTES", fits)
    second.read("3", "large.txt", LARGE)
    assert (second.name, second.problem) == ("large.txt", "")
    assert bytes_taken[second] == memory_of(second.vectors)


@pytest.mark.parametrize("leave", [SessionVectors.remove, SessionVectors.end])
def test_memory_of_a_removed_file_is_released(limit, leave):
    before = sum(bytes_taken.values())
    SessionVectors().read("1", "large.txt", LARGE)  # deleted with its session
    assert sum(bytes_taken.values()) == before
    first, second = SessionVectors(), SessionVectors()
    for file_id in ("1", "2"):
        first.read(file_id, "large.txt", LARGE)  # the second one replaces the first
    assert (first.vectors_id, first.problem) == ("2", "")
    leave(first)
    second.read("1", "large.txt", LARGE)
    assert (first.vectors, second.problem) == (None, "")


def test_read_in_a_session_that_ends_meanwhile_stores_nothing(monkeypatch):
    session, before = SessionVectors(), sum(bytes_taken.values())

    def read_while_the_session_ends(data):
        session.end()
        return read_upload(data)

    monkeypatch.setattr(session_vectors, "read_upload", read_while_the_session_ends)
    session.read("1", "small.txt", SMALL)
    assert (session.vectors, sum(bytes_taken.values())) == (None, before)
