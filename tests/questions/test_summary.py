import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.questions.summary import Answer, summary


def test_a_summary_counts_first_tries_and_names_what_was_met():
    given = [
        Answer("lookup", "shape", "What shape?", "[2]", False, "D is lost", "the answer is [2, 3]. So."),
        Answer("lookup", "shape", "What shape?", "[2, 3]", True),
        Answer("lookup", "shape", "What other shape?", "[4]", False, "D is lost"),
        Answer("tokens", "word", "How many?", "1", True),
        Answer("errors", "no_row", "Which?", "6", False, "ID = V is legal"),
    ]
    told = summary(given, {"tokens": "Tokens", "windows": "Windows", "lookup": "Lookup"})
    headings = [line for line in told.splitlines() if line.startswith("## ")]
    assert headings == [
        "## Tokens: 1 of 1 correct on the first attempt",
        "## Lookup: 0 of 2 correct on the first attempt",
        "## errors: 0 of 1 correct on the first attempt",
        "## Misconceptions",
    ]
    assert "4 questions answered, 1 correct on the first attempt." in told
    assert "- D is lost: twice\n- ID \\= V is legal: once" in told
    assert told.count("What shape\\?") == 1
    assert "  - wrong: \\[2\\]; the answer is \\[2\\, 3\\]\\. So\\.\n  - correct: \\[2\\, 3\\]" in told


def test_a_summary_of_nothing_says_so():
    assert summary([]).endswith("0 questions answered, 0 correct on the first attempt.")


@given(st.text(), st.text())
def test_markdown_obeys_nothing_in_an_answer(question, chosen):
    told = summary([Answer("tokens", "word", question, chosen, False, "a token is a word")])
    assert len(told.splitlines()) == len(summary([Answer("tokens", "word", "Q", "C", False, "M")]).splitlines())
    kept = " ".join(question.split())
    line = next(line for line in told.splitlines() if line.startswith("- **"))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", line) == f"- **{kept}**"
    assert not re.search(r"(?<!\\)[<>\[\]_`#|~$:]", line.replace("\\\\", ""))


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "](http://x) ![", "# not a heading", "`` ` ``", "1. one"]
)
def test_hostile_text_in_a_question_is_only_shown(hostile):
    told = summary([Answer("tokens", "word", hostile, hostile, False, hostile, hostile)])
    assert not re.search(r"(?<!\\)[<>\[\]`]", told)
    assert told.count("\n#") == 2
