import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.field_types import field_types_of, write_query
from components.base.settings import SYMBOLS, Settings, read_settings
from tests.strategies import valid_settings

NAMES = [*field_types_of(Settings), *SYMBOLS]
RAW = st.one_of(
    st.text(st.characters(), max_size=30),
    st.integers().map(str),
    st.integers(0, 300_000).map(str),
    st.sampled_from(["", "0", "1", "-1", "9" * 5_000, "10^9", "٣", "words", "none", "halves", "true"]),
)


@given(valid_settings())
def test_settings_survive_the_way_into_a_link_and_back(settings):
    query = write_query(settings)
    assert all(isinstance(value, str) for value in query.values())
    assert read_settings(Settings(), query) == (settings, [])


def test_the_defaults_are_gpt2_tokens_in_short_vectors():
    assert write_query(Settings()) == {
        "vocab_size": "50257",
        "dim": "16",
        "seed": "123",
        "context_length": "4",
        "stride": "4",
        "batch_size": "2",
        "tokenizer": "gpt2",
        "position": "learned",
        "layout": "interleaved",
        "scale": "0",
        "ids": "",
        "batch": "0",
        "shuffle": "0",
        "drop_last": "0",
    }


@pytest.mark.parametrize(
    ("query", "name", "value", "named"),
    [
        ({"V": "0"}, "vocab_size", 1, "V = 0 "),
        ({"V": "abc"}, "vocab_size", 50_257, "V = 'abc' "),
        ({"V": "200020"}, "vocab_size", 200_019, "V = 200,020 "),
        ({"V": ""}, "vocab_size", 50_257, "V = '' "),
        ({"V": "٣"}, "vocab_size", 50_257, "V = '٣' "),
        ({"dim": "10^9"}, "dim", 16, "D = '10^9' "),
        ({"vocab_size": "9", "dim": "1000000000"}, "dim", 1_024, "D = 1,000,000,000 "),
        ({"V": "9", "D": "9" * 5_000}, "dim", 1_024, "D = '99999999999999999999…' "),
        ({"seed": "-1"}, "seed", 0, "seed = -1 "),
        ({"seed": "4294967296"}, "seed", 2**32 - 1, "seed = 4,294,967,296 "),
        ({"T": "0"}, "context_length", 1, "T = 0 "),
        ({"T": "1025"}, "context_length", 1_024, "T = 1,025 "),
        ({"stride": "0"}, "stride", 1, "stride = 0 "),
        ({"stride": "2000"}, "stride", 1_024, "stride = 2,000 "),
        ({"B": "65"}, "batch_size", 64, "B = 65 "),
        ({"batch_size": "-65"}, "batch_size", 1, "B = -65 "),
        ({"tokenizer": "GPT2"}, "tokenizer", "gpt2", "tokenizer = 'GPT2' "),
        ({"position": "foo"}, "position", "learned", "position = 'foo' "),
        ({"layout": ""}, "layout", "interleaved", "layout = '' "),
        ({"scale": "maybe"}, "scale", False, "scale = 'maybe' "),
    ],
)
def test_a_wrong_value_in_a_link_is_named_and_replaced(query, name, value, named):
    settings, problems = read_settings(Settings(), query)
    assert getattr(settings, name) == value
    (problem,) = problems
    assert named in problem
    assert re.search(r": using .+\.$", problem)


def test_a_table_too_large_in_a_link_gets_the_widest_rows_that_fit():
    settings, problems = read_settings(Settings(), {"V": "50257", "D": "768"})
    assert settings == Settings(dim=333)
    assert problems == ["A table of V = 50,257 x D = 768 would take 154.4 MB: using D = 333."]


def test_a_batch_too_large_in_a_link_gets_fewer_rows():
    settings, problems = read_settings(Settings(), {"V": "9", "D": "1024", "T": "1000", "B": "64"})
    assert (settings.batch_size, settings.context_length) == (1, 1_000)
    assert problems == ["A batch has at most 1,048,576 elements: using B = 1 and T = 1,000."]


def test_several_wrong_values_are_all_named():
    assert len(read_settings(Settings(), {"V": "x", "D": "y", "scale": "z", "position": ""})[1]) == 4


def test_what_a_link_does_not_name_stays_as_it_was():
    before = Settings(vocab_size=9, dim=3, seed=7, position="none", scale=True)
    assert read_settings(before, {"seed": "8", "elsewhere": "1"}) == (
        Settings(vocab_size=9, dim=3, seed=8, position="none", scale=True),
        [],
    )


@pytest.mark.parametrize(
    ("vocab_size", "dim", "size"), [(50_257, 768, "154.4 MB"), (200_019, 1_024, "819.3 MB"), (16_385, 1_024, "67.1 MB")]
)
def test_a_table_over_the_limit_is_refused_with_the_size_it_would_take(vocab_size, dim, size):
    with pytest.raises(ValueError, match=f"takes {size}; the limit is 67.1 MB") as caught:
        Settings(vocab_size=vocab_size, dim=dim)
    lower_dim, lower_vocab = (int(n.replace(",", "")) for n in re.findall(r"to ([\d,]+)", str(caught.value)))
    assert Settings(vocab_size=vocab_size, dim=lower_dim).dim < dim
    assert Settings(vocab_size=lower_vocab, dim=dim).vocab_size < vocab_size


def test_the_largest_table_is_allowed_and_the_next_is_not():
    assert Settings(vocab_size=16_384, dim=1_024).vocab_size == 16_384
    with pytest.raises(ValueError, match="Lower D to 1,023 or V to 16,384"):
        Settings(vocab_size=16_385, dim=1_024)


def test_a_batch_over_the_limit_is_refused_with_its_count():
    assert Settings(vocab_size=9, dim=64, context_length=1_024, batch_size=16).batch_size == 16
    with pytest.raises(ValueError, match="has 1,114,112 elements; the limit is 1,048,576"):
        Settings(vocab_size=9, dim=64, context_length=1_024, batch_size=17)


@pytest.mark.parametrize("values", [{"vocab_size": 0}, {"dim": 1_025}, {"seed": -1}, {"position": "foo"}])
def test_settings_that_cannot_work_are_never_made(values):
    with pytest.raises(ValueError, match=" = "):
        Settings(**values)


@given(valid_settings(), st.dictionaries(st.sampled_from(NAMES) | st.text(st.characters()), RAW))
def test_no_link_whatever_raises_and_every_one_gives_settings_that_work(before, query):
    settings, problems = read_settings(before, query)
    assert Settings(**{name: getattr(settings, name) for name in field_types_of(Settings)}) == settings
    assert all(problem.endswith(".") and len(problem) < 300 for problem in problems)
    assert read_settings(settings, write_query(settings)) == (settings, [])
