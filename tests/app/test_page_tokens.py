"""Tokens: words and byte-pair tokens with their IDs, unknown words, and the vocabularies."""

import re

import pytest
from driver import AppDriver, as_read

# Published IDs of GPT-2's tokenizer.
PUBLISHED = {
    "Hello, world!": [15496, 11, 995, 0],
    "Akwirw ier": [33901, 86, 343, 86, 220, 959],
    "Hello, I'm a language model,": [15496, 11, 314, 1101, 257, 3303, 2746, 11],
    "你好": [19526, 254, 25001, 121],
    "<|endoftext|>": [27, 91, 437, 1659, 5239, 91, 29],
}
TEXT = "the cat in the hat"


def ids(app, kind):
    return [int(re.search(r":small\[(\d+)\]", chip)[1]) for chip in app.widget(f"{kind}_chip").options]


def counts(app, kind):
    """Return tokens and distinct tokens, as counted under one of the two tokenizers."""
    found = re.findall(r"\*\*([\d,]+) tokens?\*\*, \*\*([\d,]+)\*\* distinct", app.words)
    return tuple(int(number.replace(",", "")) for number in found[("word", "piece").index(kind)])


@pytest.mark.parametrize("text", PUBLISHED)
def test_gpt2_gives_its_published_ids(text):
    app = AppDriver().open("tokens").set(text=text)
    assert ids(app, "piece") == PUBLISHED[text]
    assert counts(app, "piece") == (len(PUBLISHED[text]), len(set(PUBLISHED[text])))
    assert f"{len(text):,} characters · {len(text.encode()):,} bytes" in app.words


def test_words_are_numbered_by_first_occurrence():
    app = AppDriver().open("tokens", text=TEXT)
    assert ids(app, "word") == [4, 5, 6, 4, 7]
    assert counts(app, "word") == (5, 4)
    assert "vocabulary of 8" in app.words


def test_the_selected_token_shows_its_details():
    app = AppDriver().open("tokens", text=TEXT).set(piece_chip=1, word_chip=3)
    assert "ID **3,797** = row **3,797**" in app.words
    assert "includes the leading **space**" in app.words
    assert "Bytes: 20 63 61 74" in app.words
    assert "position 3 in the text · occurs 2 times" in app.words
    assert (app.state.choices.piece, app.state.choices.word) == (1, 3)


def test_an_incomplete_character_is_named():
    app = AppDriver().open("tokens", text="☕")
    assert "**incomplete character**" in app.words
    assert "**incomplete character**" not in app.set(text="cat").words


def test_an_index_beyond_the_text_selects_the_last_token():
    app = AppDriver().open("tokens", text=TEXT, word=99, piece=99)
    assert "**hat**: ID **7**" in app.words
    assert "position 4 in the text" in app.words


def test_a_long_text_is_shown_in_parts():
    app = AppDriver().open("tokens", text=" ".join(f"w{n}" for n in range(400)))
    assert len(app.widget("word_chip").options) == 120
    app.set(tokens_word=399)
    assert len(app.widget("word_chip").options) == 40
    assert "position 399 in the text" in app.words


def test_chips_of_equal_tokens_are_different():
    app = AppDriver().open("tokens", text="a b " * 6)
    for position in (0, 4, 8, 1):
        app.set(word_chip=position)
        assert app.state.choices.word == position
        assert f"position {position} in the text" in app.words


def test_a_token_out_of_range_is_named():
    errors = AppDriver().open("tokens", text=TEXT, V=100).errors()
    assert any("ID 1,169" in error and "V = 100" in error for error in errors)


@pytest.mark.parametrize(
    ("sentence", "found"), [("the dog in the hat", [4, 1, 6, 4, 7]), ("Cat cat.", [1, 1]), ("<unk>", [1])]
)
def test_unknown_words_share_the_row_of_unk(sentence, found):
    app = AppDriver().open("tokens", text=TEXT).set(tokens_probe=sentence)
    (line,) = [m.value for m in app.at.main.markdown if "→" in m.value]
    assert [int(n) for n in re.findall(r"→ \*\*(\d+)\*\*", line)] == found
    assert f"{found.count(1)} of {len(found)} words are unknown" in app.words


def test_a_typed_special_token_is_an_ordinary_word():
    app = AppDriver().open("tokens", text="<unk> cat").set(tokens_probe="<unk> dog")
    (line,) = [as_read(m.value) for m in app.at.main.markdown if "→" in m.value]
    assert line.startswith("<unk> → **4** · dog → **1**")


@pytest.mark.parametrize("search", [" the", "the", "262", "zzzz", "|"])
def test_a_search_finds_the_entries_that_contain_it(search):
    app = AppDriver().open("tokens", text=TEXT).set(tokens_search=search)
    words = ["<pad>", "<unk>", "<sos>", "<eos>", "the", "cat", "in", "hat"]
    wanted = [str(i) for i, word in enumerate(words) if search.strip() in word or search == str(i)]
    of_words, of_pieces = app.tables()
    assert [row["ID"] for row in of_words if row["ID"].isdigit()] == wanted
    found = int(re.search(r"gpt2: ([\d,]+) of 50,257", app.words)[1].replace(",", ""))
    assert all(search.strip() in row["token"] or row["ID"] == search for row in of_pieces if row["ID"].isdigit())
    assert min(found, 12) == sum(row["ID"].isdigit() for row in of_pieces)
    assert ("262" in [row["ID"] for row in of_pieces]) == (search in ("262", " the", "the"))


def test_an_empty_search_counts_the_whole_vocabulary():
    words = AppDriver().open("tokens", text=TEXT).words
    assert "words: 8 of 8 entries match" in words
    assert "gpt2: 50,257 of 50,257 entries match, 12 are shown" in words


def test_a_long_token_is_cut_between_characters():
    app = AppDriver().open("tokens", tokenizer="words", text="河" * 300)
    assert f"{'河' * 40} …**: " in app.words
    assert "河" * 41 not in "".join(line for line in app.words.splitlines() if "row of a token table" in line)
