import re

import pytest
import tiktoken

from components.base.link import to_query
from components.lessons.tokens.line import SHEET, make_line, spans
from components.lessons.tokens.page import TEXTS
from components.lessons.tokens.page_sections import search
from components.text.tokenizers import BytePairTokenizer, get_tokenizer
from tests.app_driver import AppDriver, as_read
from tests.figures.drawn import all_of, joined, root_of

TEXT = "the cat in the hat"


CHIP = re.compile("\u200e:(blue|orange|green|violet)-background\\[(.*)\\]\u200e\u00a0:small\\[(\\d+)\\]\u2060*")


def chips(app, kind):
    found = [CHIP.fullmatch(as_read(chip)).groups() for chip in app.widget(f"{kind}_chip").options]
    return [(text, int(token_id)) for _, text, token_id in found]


def test_selected_tokens_are_described():
    app = AppDriver().open("tokens", text=TEXT, V=100).open_sections()
    assert "Byte-pair encoding: gpt2 · in use" in app.words
    assert any("ID 1,169" in error and "V = 100" in error for error in app.errors())
    assert "includes the leading **space**" in app.set(piece_chip=1).words
    app.open("tokens", word=99, tokenizer="words")
    assert "**hat**: ID **7**" in app.words
    assert "hat → **7** · dog → **1** <unk>" in app.set(tokens_probe="hat dog").words
    assert "Words of your text · in use" in app.words
    assert app.errors() == []
    app.open("tokens", text="你好", tokenizer="gpt2", word=0)
    assert "**incomplete character**: only part of the UTF-8 bytes of 你" in app.words
    assert "2 characters · 6 bytes" in app.words


def test_sheet_of_a_narrow_screen_does_not_end_with_a_short_word():
    line = make_line(spans("هو بالعالم كله", "gpt2"), 0, masked=False)
    assert [n for n, token in enumerate(line.tokens) if token.x in line.sheets] == [0, 7]


@pytest.mark.parametrize("text", ["unbelievable", "我们今天去银行存钱", "🧑‍🚀👩‍👩‍👧‍👦", "สวัสดีครับ", "שלוםלכלהעולם"])
def test_description_on_a_narrow_screen_is_broken_between_tokens(text):
    piece = make_line(spans(text, "gpt2"), 0, masked=False).pieces[0]
    whole = piece.name.replace("\xa0", " ")
    app = AppDriver().open("tokens", text=text).press("Show me")
    drawn = all_of(root_of(app.learner.outputs.figure), "g[@class='readout'][@data-part='p0']/text")
    narrow = [line for line in drawn if line.get("class") == "narrow-only"]
    assert [float(line.get("y")) for line in narrow] == [112, 130]
    first, second = map(joined, narrow)
    assert whole.startswith(f"{first} {second}".removesuffix(" …"))
    assert re.search(r"(?<! \+) \d+ \+( …)?$|tokens:$", first)
    assert re.search(r" \d+( \+ …)?$", second)


@pytest.mark.parametrize("n", range(1, 9))
def test_last_token_of_a_line_fits_its_sheet_of_a_narrow_screen(n):
    line = make_line(spans(" river" * n, "gpt2"), 0, masked=False)
    assert line.tokens[-1].x + line.tokens[-1].width - line.sheets[-1] <= SHEET


def test_long_text_in_parts_has_a_chip_for_each_equal_token():
    app = AppDriver().open("tokens", text="a b " * 200).open_sections().set(word_chip=4)
    assert len(app.widget("word_chip").options) == 120
    assert app.widget("word_chip").proto.wrap  # a long text is not one line
    assert "position 4 in the text" in app.words
    assert "Tokens 0 to 119 are shown." in app.words
    app.set(tokens_word=399)
    assert len(app.widget("word_chip").options) == 40
    assert "position 399 in the text" in app.words
    assert "Tokens 360 to 399 are shown." in app.words
    assert [text for text, _ in chips(app, "word")] == ["a", "b"] * 20


@pytest.mark.parametrize(("search", "words"), [(" the", "4"), ("6", "6"), ("zzzz", "")])
def test_search_finds_the_entries_that_contain_it(search, words):
    app = AppDriver().open("tokens", text=TEXT, search=search).open_sections()
    of_words, of_pieces = (rows for rows in app.tables() if "bytes" in rows[0])
    tokens = ["<pad>", "<unk>", "<sos>", "<eos>", "the", "cat", "in", "hat"]
    rows = [(i, tokens[int(i)], tokens[int(i)].encode().hex(" ").upper()) for i in words.split()]
    assert [tuple(row.values()) for row in of_words] == (rows or [("–", "nothing matches", "")])
    assert f"words: found: {len(rows)} of 8 IDs, shown: {len(rows)}." in app.words
    found = int(re.search(r"gpt2: found: ([\d,]+) of 50,257", app.words)[1].replace(",", ""))
    assert all(search.strip() in row["token"] or row["ID"] == search for row in of_pieces if row["ID"].isdigit())
    assert min(found, 12) == sum(row["ID"].isdigit() for row in of_pieces)


def test_search_for_an_id_without_a_token_finds_nothing():
    ranks, end = {b"a": 0, b"b": 1}, {"<|endoftext|>": 3}
    tokenizer = BytePairTokenizer(tiktoken.Encoding("gaps", pat_str="", mergeable_ranks=ranks, special_tokens=end))
    assert [search(tokenizer, token_id) for token_id in "123"] == [[1], [], [3]]


def test_merges_are_learned_from_the_beginning_of_a_long_text():
    text = "ab" * 2000 + "cd" * 2000
    app = AppDriver().open("tokens", learned=50).set(text=text).open_sections()
    assert "Learned from the first 4,000 characters of your text" in app.words
    (rows,) = (rows for rows in app.tables() if "merge" in rows[0])
    assert not any("c" in row["merge"] for row in rows)


def test_languages_are_counted_beside_the_published_ratios():
    app = AppDriver().open("tokens").open_sections()
    rows = {row["language"]: row for row in next(rows for rows in app.tables() if "language" in rows[0])}
    english = len(get_tokenizer("gpt2").encode(rows["English"]["sentence"]))
    for row in rows.values():
        n = len(get_tokenizer("gpt2").encode(row["sentence"]))
        assert (row["tokens"], row["× English"]) == (str(n), f"{n / english:.2f}")
        assert row["per character"] == f"{n / len(row['sentence']):.2f}"
        assert row["per word"] in ("–", f"{n / len(row['sentence'].split()):.2f}")
    assert {name for name, row in rows.items() if row["per word"] == "–"} == {"Japanese", "Burmese"}
    published = [float(row["published"]) for row in rows.values()]
    assert published == sorted(published) == [1.0, 2.0, 2.1, 3.0, 5.7, 6.5, 7.5, 16.9]
    assert "Burmese 11.7" in app.words
    assert "**GPT-2**, V = 50,257" in app.words


def test_new_text_is_shown_from_its_first_token_in_every_lesson():
    of_text = [f"{name}_token" for name in ("home", "lookup", "near", "one_hot", "first")]
    of_text += ["window_index", "piece", "opened", "merge"]
    app = AppDriver().open("tokens", text="word " * 40, **dict.fromkeys(of_text, 20))
    assert {*of_text} <= to_query(app.app_state).keys()
    assert not {*of_text} & to_query(app.set(**{"try": "Toucan"}).app_state).keys()


def test_page_without_a_text_has_texts_to_try():
    app = AppDriver().open("tokens", text="")
    assert "No tokens yet: type a text above." in app.words
    for label, example in TEXTS.items():
        app.set(**{"try": label})
        assert app.app_state.text == example["text"]
    assert f"{label}: {example['about']}." in app.press("Show me").words
