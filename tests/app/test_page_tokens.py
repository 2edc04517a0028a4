import re

import pytest
from lab import Lab, as_read

# Published IDs of GPT-2's tokenizer.
PUBLISHED = {
    "Hello, world!": [15496, 11, 995, 0],
    "Akwirw ier": [33901, 86, 343, 86, 220, 959],
    "Hello, I'm a language model,": [15496, 11, 314, 1101, 257, 3303, 2746, 11],
    "你好": [19526, 254, 25001, 121],
    "<|endoftext|>": [27, 91, 437, 1659, 5239, 91, 29],
}
TEXT = "the cat in the hat"


def ids(lab, kind):
    return [int(re.search(r":small\[(\d+)\]", chip)[1]) for chip in lab.widget(f"{kind}_chip").options]


def counts(lab, kind):
    """Tokens and distinct tokens, as counted under the two tokenizers."""
    found = re.findall(r"\*\*([\d,]+) tokens?\*\*, \*\*([\d,]+)\*\* distinct", lab.words)
    return tuple(int(number.replace(",", "")) for number in found[("word", "piece").index(kind)])


@pytest.mark.parametrize("text", PUBLISHED)
def test_gpt2_gives_its_published_ids_and_they_are_counted(text):
    lab = Lab().open("tokens").set(text=text)
    assert ids(lab, "piece") == PUBLISHED[text]
    assert counts(lab, "piece") == (len(PUBLISHED[text]), len(set(PUBLISHED[text])))
    assert f"{len(text):,} characters · {len(text.encode()):,} bytes" in lab.words


def test_words_are_numbered_behind_the_special_tokens_by_first_appearance():
    lab = Lab().open("tokens", text=TEXT)
    assert ids(lab, "word") == [4, 5, 6, 4, 7]
    assert counts(lab, "word") == (5, 4)
    assert "vocabulary of 8" in lab.words


def test_the_selected_token_is_opened_up():
    lab = Lab().open("tokens", text=TEXT).set(piece_chip=1, word_chip=3)
    assert "ID **3,797** = row **3,797**" in lab.words
    assert "begins with a **space**" in lab.words
    assert "Bytes: 20 63 61 74" in lab.words
    assert "place 3 in the text · stands 2 × in the text" in lab.words
    assert (lab.state.choices.piece, lab.state.choices.word) == (1, 3)


def test_part_of_a_character_is_called_a_fragment():
    lab = Lab().open("tokens", text="☕")
    assert "**fragment**" in lab.words
    assert "**fragment**" not in lab.set(text="cat").words


def test_a_selected_place_beyond_the_text_falls_back_to_its_last_token():
    lab = Lab().open("tokens", text=TEXT, word=99, piece=99)
    assert "**hat**: ID **7**" in lab.words
    assert "place 4 in the text" in lab.words


def test_a_long_text_is_drawn_in_parts_and_its_last_token_can_be_reached():
    lab = Lab().open("tokens", text=" ".join(f"w{n}" for n in range(400)))
    assert len(lab.widget("word_chip").options) == 120
    lab.set(choice_word=399)
    assert len(lab.widget("word_chip").options) == 40
    assert "place 399 in the text" in lab.words


def test_chips_of_equal_tokens_can_be_told_apart():
    lab = Lab().open("tokens", text="a b " * 6)
    for place in (0, 4, 8, 1):
        lab.set(word_chip=place)
        assert lab.state.choices.word == place
        assert f"place {place} in the text" in lab.words


def test_a_token_whose_row_the_table_lacks_is_named():
    errors = Lab().open("tokens", text=TEXT, V=100).errors()
    assert any("ID 1,169" in error and "V = 100" in error for error in errors)


@pytest.mark.parametrize(
    ("sentence", "found"), [("the dog in the hat", [4, 1, 6, 4, 7]), ("Cat cat.", [1, 1]), ("<unk>", [1])]
)
def test_a_sentence_with_unknown_words_shares_the_row_of_unk(sentence, found):
    lab = Lab().open("tokens", text=TEXT).set(choice_probe=sentence)
    (line,) = [m.value for m in lab.at.main.markdown if "→" in m.value]
    assert [int(n) for n in re.findall(r"→ \*\*(\d+)\*\*", line)] == found
    assert f"{found.count(1)} of {len(found)} words are unknown" in lab.words


def test_a_spelling_of_a_special_token_typed_by_a_learner_is_an_ordinary_word():
    lab = Lab().open("tokens", text="<unk> cat").set(choice_probe="<unk> dog")
    (line,) = [as_read(m.value) for m in lab.at.main.markdown if "→" in m.value]
    assert line.startswith("<unk> → **4** · dog → **1**")


@pytest.mark.parametrize("search", [" the", "the", "262", "zzzz", "|"])
def test_a_search_finds_every_entry_that_holds_it_and_no_other(search):
    lab = Lab().open("tokens", text=TEXT).set(choice_search=search)
    words = ["<pad>", "<unk>", "<sos>", "<eos>", "the", "cat", "in", "hat"]
    wanted = [str(i) for i, word in enumerate(words) if search.strip() in word or search == str(i)]
    of_words, of_pieces = lab.tables()
    assert [row["ID"] for row in of_words if row["ID"].isdigit()] == wanted
    found = int(re.search(r"gpt2: ([\d,]+) of 50,257", lab.words)[1].replace(",", ""))
    assert all(search.strip() in row["token"] or row["ID"] == search for row in of_pieces if row["ID"].isdigit())
    assert min(found, 12) == sum(row["ID"].isdigit() for row in of_pieces)
    assert ("262" in [row["ID"] for row in of_pieces]) == (search in ("262", " the", "the"))


def test_an_empty_search_counts_the_whole_vocabulary():
    words = Lab().open("tokens", text=TEXT).words
    assert "words: 8 of 8 entries match" in words
    assert "gpt2: 50,257 of 50,257 entries match, 12 are shown" in words


def test_a_long_token_is_cut_between_characters():
    lab = Lab().open("tokens", tokenizer="words", text="河" * 300)
    assert f"{'河' * 40} …**: " in lab.words
    assert "河" * 41 not in "".join(line for line in lab.words.splitlines() if "row of a token table" in line)
