import math

import pytest
from gensim.models import KeyedVectors

from components.vectors.analogies import analogy, neighbours, similarities
from components.vectors.analogy_questions import score
from components.vectors.load import convert, load_vectors
from components.vectors.uploads import read_upload

WITH_ZEROS = b"king 1 0\nqueen 0.9 0.1\nnothing 0 0\nman 0 1\n"


def assert_all_are_numbers(vectors: KeyedVectors) -> None:
    for keep in (True, False):
        for method in ("add", "mul"):
            ranked = analogy(vectors, ["king", "man"], ["queen"], 4, keep, method)
            assert all(math.isfinite(score) for _, score in ranked)
            assert (method, keep) != ("add", True) or ranked[0][0] in ("king", "man")
    assert dict(neighbours(vectors, "king", 3))["nothing"] == 0
    for ask in (lambda: similarities(vectors, ["nothing", "king"]), lambda: neighbours(vectors, "nothing")):
        with pytest.raises(ValueError, match="The vector of 'nothing' is all zeros and has no direction"):
            ask()
    family = (
        ("king", "queen", "man", "nothing"),
        ("nothing", "king", "queen", "man"),
        ("king", "queen", "king", "man"),
    )
    assert score(vectors, "family", family).covered == 2


def test_a_vector_of_zeros_has_the_cosine_0_with_everything():
    assert_all_are_numbers(read_upload(WITH_ZEROS))


def test_so_it_has_once_it_is_converted(tmp_path):
    (tmp_path / "words.txt").write_bytes(WITH_ZEROS)
    convert(tmp_path / "words.txt", tmp_path / "words.kv")
    assert_all_are_numbers(load_vectors(tmp_path / "words.kv"))


def test_a_vector_too_long_to_be_measured_is_refused():
    with pytest.raises(ValueError, match="The vector of 'queen' has a norm too large for float32"):
        read_upload(b"king 1 0\nqueen 3e38 3e38\n")
