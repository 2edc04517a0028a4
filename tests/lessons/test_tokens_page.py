import re

import pytest

from tests.app_driver import AppDriver, as_read

TEXT = "the cat in the hat"


def ids(app, kind):
    return [int(re.search(r":small\[(\d+)\]", chip)[1]) for chip in app.widget(f"{kind}_chip").options]


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("Hello, world!", [15496, 11, 995, 0]),
        ("Akwirw ier", [33901, 86, 343, 86, 220, 959]),
        ("Hello, I'm a language model,", [15496, 11, 314, 1101, 257, 3303, 2746, 11]),
        ("你好", [19526, 254, 25001, 121]),
        ("<|endoftext|>", [27, 91, 437, 1659, 5239, 91, 29]),
    ],
)
def test_chips_have_the_published_ids_of_gpt2(text, published):
    app = AppDriver().open("tokens", text=text)
    assert ids(app, "piece") == published
    sizes = f"{len(text)} characters · {len(text.encode())} bytes · vocabulary of 50,257"
    assert f"**{len(published)} tokens**, **{len(set(published))}** distinct · {sizes}" in app.words
    assert ("**incomplete character**" in app.words) == (text == "你好")


def test_words_are_numbered_by_first_occurrence_and_the_selected_one_is_described():
    app = AppDriver().open("tokens", text=TEXT, V=100)
    assert ids(app, "word") == [4, 5, 6, 4, 7]
    assert "**5 tokens**, **4** distinct" in app.words
    assert any("ID 1,169" in error and "V = 100" in error for error in app.errors())
    app.set(piece_chip=1, word_chip=3)
    assert "ID **3,797** = row **3,797**" in app.words
    assert "includes the leading **space**" in app.words
    assert "Bytes: 20 63 61 74" in app.words
    assert "position 3 in the text · occurs 2 times" in app.words
    app.open("tokens", word=99)
    assert "**hat**: ID **7**" in app.words


def test_long_text_is_shown_in_parts_with_a_chip_for_each_equal_token():
    app = AppDriver().open("tokens", text="a b " * 200).set(word_chip=4)
    assert len(app.widget("word_chip").options) == 120
    assert "position 4 in the text" in app.words
    app.set(tokens_word=399)
    assert len(app.widget("word_chip").options) == 40
    assert "position 399 in the text" in app.words


@pytest.mark.parametrize(
    ("text", "sentence", "found"),
    [
        (TEXT, "the dog in the hat", "the → **4** · dog → **1** <unk> · in → **6** · the → **4** · hat → **7**"),
        (TEXT, "Cat <unk>", "Cat → **1** <unk> · <unk> → **1** <unk>"),
        ("<unk> cat", "<unk> dog", "<unk> → **4** · dog → **1** <unk>"),  # a word of the text like any other
    ],
)
def test_unknown_words_share_the_row_of_unk(text, sentence, found):
    app = AppDriver().open("tokens", text=text).set(tokens_probe=sentence)
    assert [as_read(m.value) for m in app.at.main.markdown if "→" in m.value] == [found]
    assert f"{found.count('**1**')} of {len(sentence.split())} words are unknown" in app.words


@pytest.mark.parametrize(("search", "words"), [(" the", "4"), ("6", "6"), ("zzzz", ""), ("", "0 1 2 3 4 5 6 7")])
def test_search_finds_the_entries_that_contain_it(search, words):
    app = AppDriver().open("tokens", text=TEXT, search=search)
    of_words, of_pieces = app.tables()
    assert [row["ID"] for row in of_words] == words.split() or [row["token"] for row in of_words] == ["nothing matches"]
    found = int(re.search(r"gpt2: ([\d,]+) of 50,257", app.words)[1].replace(",", ""))
    assert all(search.strip() in row["token"] or row["ID"] == search for row in of_pieces if row["ID"].isdigit())
    assert min(found, 12) == sum(row["ID"].isdigit() for row in of_pieces)
