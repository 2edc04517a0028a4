"""Whatever is put into a link, an entry or a settings field: a value within its limits or a sentence, and soon."""

import gzip
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.base.field_types import check_all, field_types_of
from components.base.learner_text import clean_text, decode_upload
from components.base.limits import MAX_LINE_CHARS, MAX_TEXT_CHARS, MAX_TYPED_IDS
from components.base.link import VERSION, AppState, read_query, to_query
from components.base.packed_text import MAX_UNPACKED_BYTES, unpack
from components.base.settings import SYMBOLS, Settings
from components.text.nested_ids import flatten_with_index, parse_nested
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary
from components.vectors.corpora import read_grammar, write_sentences
from components.vectors.limits import MAX_UPLOAD_CELLS
from components.vectors.uploads import read_upload
from tests.states import CHOICES, app_state
from tests.strategies import valid_app_states

SOON = timedelta(seconds=2)
LONGEST_SENTENCE = 400
NAMES = [
    *field_types_of(Settings),
    *(name for own in CHOICES.values() for name in field_types_of(own)),
    *SYMBOLS,
    "v",
    "present",
    "text",
    "packed_text",
    "long_text",
]
NUMBERS = st.sampled_from(
    ["NaN", "inf", "-inf", "1e400", "-0", "9" * 5_000, "0x1", "1_0", "٣", "２", "²", "1.", ".5", "+"]
)
HOSTILE = st.sampled_from(["\0", "<b>", "$x$", ":red[x]", "'; DROP", "../..", "%s{0}", "\ud800", "\u202e", "[" * 400])
RAW = st.text(st.characters()) | NUMBERS | HOSTILE | st.integers().map(str) | st.floats().map(str)
LONG = st.tuples(RAW, st.integers(1, 20_000)).map(lambda made: (made[0] * made[1])[:300_000])


def deflated(content: bytes) -> str:
    squeeze = zlib.compressobj(1, zlib.DEFLATED, -15)
    return urlsafe_b64encode(squeeze.compress(content) + squeeze.flush()).decode("ascii").rstrip("=")


def check_state(state: AppState) -> None:
    for values in (state.settings, *state.lessons.values()):
        check_all(values)


def refused(function: Callable, *values: object) -> bool:
    """Return whether the values are refused, and check that it is done in a sentence."""
    try:
        function(*values)
    except ValueError as error:
        sentence = str(error)
    else:
        return False
    assert 0 < len(sentence) <= LONGEST_SENTENCE
    assert sentence[-1] in ".…"
    assert sentence.isprintable()
    return True


@settings(deadline=SOON, max_examples=200)
@given(st.dictionaries(st.sampled_from(NAMES), RAW | LONG, min_size=1, max_size=8), valid_app_states())
def test_any_values_of_the_known_names_give_a_valid_state_and_short_sentences(query, before):
    state, problems = read_query(before, query)
    check_state(state)
    assert len(state.text) <= max(MAX_TEXT_CHARS, len(before.text))
    assert len(set(problems)) <= len(query) + 2
    assert all(len(problem) <= LONGEST_SENTENCE and problem.endswith(".") for problem in problems)
    assert read_query(state, to_query(state), long_text=state.text) == (state, [])


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=SOON, max_examples=12)
@given(RAW | LONG)
def test_every_name_alone_takes_any_value(name, raw):
    state, problems = read_query(app_state(), {"v": VERSION, name: raw})
    check_state(state)
    assert all(len(problem) <= LONGEST_SENTENCE for problem in problems)


@settings(deadline=SOON)
@given(
    st.binary().map(deflated)
    | st.binary().map(lambda raw: urlsafe_b64encode(raw).decode())
    | st.tuples(st.binary(min_size=1, max_size=4), st.integers(1, 500_000)).map(
        lambda made: deflated(made[0] * made[1])
    )
    | RAW
)
def test_any_packed_text_is_unpacked_to_the_limit_or_refused_in_a_sentence(packed):
    if not refused(unpack, packed):
        assert len(unpack(packed)) <= MAX_UNPACKED_BYTES + 1
        assert len(clean_text(unpack(packed))[0]) <= MAX_TEXT_CHARS


@settings(deadline=SOON)
@given(LONG)
def test_a_text_of_any_length_is_cleaned_to_one_that_travels(text):
    clean, problem = clean_text(text)
    assert len(clean) <= MAX_TEXT_CHARS
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert problem is None or len(problem) <= LONGEST_SENTENCE


@settings(deadline=SOON)
@given(st.binary() | st.tuples(st.binary(max_size=9), st.integers(1, 200_000)).map(lambda made: made[0] * made[1]))
def test_any_uploaded_bytes_are_a_text_or_a_sentence(content):
    if not refused(decode_upload, content):
        assert decode_upload(content).encode("utf-8") in (content, content.removeprefix(b"\xef\xbb\xbf"))


@settings(deadline=SOON, max_examples=300)
@given(RAW | LONG | st.text("0123456789+-., ;[]()eE\t\n", max_size=MAX_LINE_CHARS + 9))
def test_any_line_is_a_bounded_number_of_ids_or_a_sentence(line):
    if not refused(parse_nested, line):
        assert len(list(flatten_with_index(parse_nested(line)))) <= MAX_TYPED_IDS


@settings(deadline=SOON, max_examples=200)
@given(st.text("ab: []-+=\n") | st.text(st.characters(codec="utf-8")) | HOSTILE)
def test_any_grammar_writes_sentences_or_is_refused_in_a_sentence(text):
    if not refused(read_grammar, text):
        assert len(write_sentences(read_grammar(text), 50, seed=1)) == 50


@settings(deadline=SOON, max_examples=60)
@given(st.text() | st.tuples(st.text(max_size=4), st.integers(1, 100_000)).map(lambda made: made[0] * made[1]))
def test_every_tokenizer_gives_back_the_text_and_bounded_ids(text):
    text, _ = clean_text(text)
    gpt2 = get_tokenizer("gpt2")
    ids = gpt2.encode(text)
    assert gpt2.decode(ids) == text
    assert len(ids) <= len(text.encode("utf-8"))
    words = Vocabulary.from_text(text)
    assert words.decode(words.encode(text)).split() == text.split()


@settings(deadline=SOON, max_examples=200)
@given(
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.lists(st.binary(max_size=40), max_size=6),
    st.sampled_from([b" ", b"\n", b"\t", b"\0", b" 1e400 ", b" nan ", b"\xff"]),
    st.booleans(),
    st.integers(0, 20),
)
def test_any_file_of_vectors_is_read_within_its_limits_or_refused_in_a_sentence(words, dim, parts, glue, packed, cut):
    data = b"%d %d\n" % (words, dim) + glue.join(parts)
    data = gzip.compress(data)[: -cut or None] if packed else data[: -cut or None]
    if not refused(read_upload, data):
        assert read_upload(data).vectors.size <= MAX_UPLOAD_CELLS
