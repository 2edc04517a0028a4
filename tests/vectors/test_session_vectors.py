"""The memory of the uploaded vectors of all sessions together."""

import pytest

from components.vectors import session_vectors
from components.vectors.session_vectors import SessionVectors, bytes_in_use, memory_of
from components.vectors.uploads import read_upload

SMALL = b"king 1 0\nqueen 0 1\n"
LARGE = b"".join(b"w%d " % i + b"1 " * 100 + b"\n" for i in range(100))


@pytest.fixture
def limit(monkeypatch):
    """Let one large file fit beside those of other tests, but not two."""
    size = memory_of(read_upload(LARGE))
    monkeypatch.setattr(session_vectors, "MAX_UPLOADED_VECTOR_BYTES", bytes_in_use() + 2 * size - 1)


def test_memory_is_counted_with_norms_and_words():
    vectors = read_upload(LARGE)
    assert memory_of(vectors) > 100 * (100 * 4 + 4) + sum(map(len, vectors.index_to_key))


def test_a_file_over_the_limit_of_all_sessions_is_refused_and_the_old_one_stays(limit):
    first, second = SessionVectors(), SessionVectors()
    first.read("1", "first.txt", LARGE)
    second.read("1", "small.txt", SMALL)
    kept = second.vectors
    second.read("2", "large.txt", LARGE)
    assert second.problem.startswith("large.txt: The vectors take ")
    assert "is the limit for all together: upload fewer words, or upload the file again when" in second.problem
    assert second.problem.endswith("The vectors of small.txt are still in use.")
    assert second.vectors is kept
    assert first.vectors is not None


def test_a_second_file_of_a_session_replaces_the_first(limit):
    session = SessionVectors()
    session.read("1", "large.txt", LARGE)
    session.read("2", "again.txt", LARGE)
    assert (session.name, session.problem) == ("again.txt", "")


@pytest.mark.parametrize("leave", [SessionVectors.remove, SessionVectors.end])
def test_the_memory_of_a_removed_file_is_returned(limit, leave):
    first, second = SessionVectors(), SessionVectors()
    first.read("1", "large.txt", LARGE)
    leave(first)
    second.read("1", "large.txt", LARGE)
    assert (first.vectors, second.problem) == (None, "")


def test_a_session_that_is_dropped_returns_its_memory(limit):
    before = bytes_in_use()
    SessionVectors().read("1", "large.txt", LARGE)
    assert bytes_in_use() == before


def test_a_session_that_ends_while_its_file_is_read_stores_nothing(monkeypatch):
    session, before = SessionVectors(), bytes_in_use()

    def read_until_the_session_ends(data):
        session.end()
        return read_upload(data)

    monkeypatch.setattr(session_vectors, "read_upload", read_until_the_session_ends)
    session.read("1", "small.txt", SMALL)
    assert (session.vectors, bytes_in_use()) == (None, before)
