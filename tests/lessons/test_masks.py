"""What gives the answer of the question below the figure is on no page, nor in its sections, until it is shown."""

import pytest

from components.entry import LESSONS
from tests.app_driver import AppDriver
from tests.states import WITH_QUESTIONS

BANK = {"text": "She left the bank for the riverbank."}
SMALL = {"V": 6, "D": 3, "T": 5, "ids": "2 3 5 1 2"}
FISH = {"text": "one fish two fish red fish blue fish", "tokenizer": "words", "train_steps": 1}
CATS = {"text": "the red cat and the blue cat", "tokenizer": "words", "train_steps": 60, "T": 3}
TEXT = {"position": "learned", "head": "text"}
HANDS = TEXT | {"attention_positions": "rotary", "attention_view": "hands", "query": 7, "key": 3}
# A page, how many of its sections are left out, and words that come with the answer.
CASES = [
    ("home", {"text": "a"}, 0, "The model reads no letter: it reads 1 × 1 × 16 = 16 numbers."),
    ("tokens", BANK, 1, "7 words became 9 tokens: 1.29 tokens per word. “bank” (ID 17,796) and “␣bank” (ID 3,331)"),
    ("windows", BANK | {"stride": 2, "B": 2}, 2, "Unused: 0 left over at the end, 0 skipped, 0 dropped."),
    ("lookup", SMALL, 1, "**token_table(ids)**] `[1, 5, 3]`"),
    ("one_hot", SMALL, 1, "A lookup copies 15 numbers; the product takes 90 multiplications"),
    ("positions", {}, 0, "cosine similarity of 5 and 6 is "),
    ("combine", SMALL | {"ids": "2 3; 5 1"}, 0, "2 × 3 position numbers are added to each of the B = 2 sequences"),
    ("attention", {}, 0, "With positions it completes 240 of 240, without 80."),
    ("attention", TEXT, 0, "Shuffled, no output changes by more than 0.0000"),
    ("attention", HANDS, 0, "it depends on the signed offset −4 alone. Exchanged, the offset is +4"),
    ("attention", {"head": "meaning", "head_positions": 0}, 1, "what the noun is suffices."),
    ("training", {}, 1, "have come nearest: the cosine similarity of their rows was "),
    ("training", FISH, 1, "Step 1 moved 3 of the V = 9 rows: only the 3 looked up have a gradient."),
    ("training", CATS, 1, "“red” and “blue” have come nearest: "),
    ("word2vec", {}, 0, "“wears” pulls “king” (error 0.13), “bakes” and “crown” push it (errors −0.13 and −0.81)"),
    (
        "word2vec",
        {"scene": "film"},
        1,
        "“king” ends nearest to “queen” of these words, with a cosine similarity of 0.96",
    ),
    ("word2vec", {"scene": "analogy"}, 1, "With nothing excluded “king” is nearest"),
]


@pytest.mark.parametrize(("page", "query", "left_out", "words"), CASES)
def test_answer_is_shown_on_request_alone(page, query, left_out, words):
    app = AppDriver().open(page, **query).open_sections(masked=True)
    assert app.words.count("give the answer: answer the question below the figure first.") == left_out
    assert words not in app.words
    app.press("Show me").open_sections()
    assert words in app.words
    assert "answer the question below the figure first." not in app.words


def test_every_lesson_that_asks_is_among_the_cases():
    assert {page for page, *_ in CASES} == {*WITH_QUESTIONS} & {*LESSONS} - {"errors", "reproduce"}
