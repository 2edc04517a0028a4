from hypothesis import example, given
from hypothesis import strategies as st

from components.base.learner_text import show_hidden
from components.questions.summary import Answer, summary

TITLES = {"tokens": "Tokens", "windows": "Windows", "lookup": "Lookup", "errors": "Errors"}
WRONG = Answer("lookup", "shape", "What shape?", "[2]", False, "D is lost", "the answer is [2, 3].")
ANSWERS = [
    WRONG,
    Answer("lookup", "shape", "What shape?", "[2, 3]", True),
    Answer("lookup", "shape", "What other shape?", "4", False, "ID = V is legal", "No."),
    Answer("tokens", "word", "How many?", "1", True),
]
SUMMARY = """Predictions in Embedding Lab

2 questions answered, 1 correct on the first attempt.

Tokens: 1 of 1 correct on the first attempt

- How many?
  - correct: 1

Lookup: 0 of 1 correct on the first attempt

- What shape?
  - wrong: [2]; the answer is [2, 3].
  - correct: [2, 3]
- What other shape?
  - wrong: 4; No.

Misconceptions

- D is lost: once
- ID = V is legal: once"""


def test_summary_counts_first_attempts_and_names_misconceptions():
    assert summary(ANSWERS, TITLES) == SUMMARY
    assert "- D is lost: twice\n- ID" in summary([*ANSWERS, WRONG], TITLES)
    assert "- D is lost: 3 times\n- ID" in summary([*ANSWERS, WRONG, WRONG], TITLES)
    assert "1 question answered, 0 correct on the first attempt." in summary(ANSWERS[:2], TITLES)
    assert summary([], TITLES).endswith("0 questions answered, 0 correct on the first attempt.")


@given(st.text(), st.text())
@example("left \u202e right", "two\nlines")
def test_summary_of_any_text_shows_it_in_a_line_of_its_own(question, chosen):
    text = summary([Answer("tokens", "word", question, chosen, False, question, chosen)], TITLES)
    short = summary([Answer("tokens", "word", "Q", "C", False, "M")], TITLES)
    assert len(text.splitlines()) == len(short.splitlines())
    assert f"\n- {show_hidden(' '.join(question.split()))}\n" in text
    assert "\u202e" not in text
