import re

from hypothesis import example, given
from hypothesis import strategies as st

from components.questions.summary import Answer, summary

TITLES = {"tokens": "Tokens", "windows": "Windows", "lookup": "Lookup", "errors": "Errors"}


def test_summary_is_one_markdown_text():
    wrong = Answer("lookup", "shape", "What?", "7", False, "D is lost", "the answer is 3. D stays.")
    correct = Answer("tokens", "a", "So?", "1", True)
    assert summary([wrong, correct], {"tokens": "Tokens", "lookup": "Lookup"}) == (
        "# Predictions in Embedding Lab\n\n2 questions answered, 1 correct on the first attempt.\n\n"
        "## Tokens: 1 of 1 correct on the first attempt\n\n- **So\\?**\n  - correct: 1\n\n"
        "## Lookup: 0 of 1 correct on the first attempt\n\n- **What\\?**\n"
        "  - wrong: 7; the answer is 3\\. D stays\\.\n\n"
        "## Misconceptions\n\n- D is lost: once"
    )


def test_summary_counts_first_attempts_and_names_misconceptions():
    given_answers = [
        Answer("lookup", "shape", "What shape?", "[2]", False, "D is lost", "the answer is [2, 3]. So."),
        Answer("lookup", "shape", "What shape?", "[2, 3]", True),
        Answer("lookup", "shape", "What other shape?", "[4]", False, "D is lost"),
        Answer("tokens", "word", "How many?", "1", True),
        Answer("errors", "no_row", "Which?", "6", False, "ID = V is legal"),
    ]
    text = summary(given_answers, TITLES)
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Tokens: 1 of 1 correct on the first attempt",
        "## Lookup: 0 of 1 correct on the first attempt",
        "## Errors: 0 of 1 correct on the first attempt",
        "## Misconceptions",
    ]
    assert "3 questions answered, 1 correct on the first attempt." in text
    assert "- D is lost: twice\n- ID \\= V is legal: once" in text
    assert [text.count(f"- **What {kind}\\?**") for kind in ("shape", "other shape")] == [1, 1]
    assert "  - wrong: \\[2\\]; the answer is \\[2\\, 3\\]\\. So\\.\n  - correct: \\[2\\, 3\\]" in text
    assert "- D is lost: 3 times" in summary([*given_answers, given_answers[0]], TITLES)
    assert summary([], TITLES).endswith("0 questions answered, 0 correct on the first attempt.")


@given(st.text(), st.text())
@example("<script>alert(1)</script>", "](http://x) ![")
@example("# not a heading", "`` ` `` 1. one")
def test_summary_of_any_text_shows_it_and_nothing_in_it_is_markdown(question, chosen):
    text = summary([Answer("tokens", "word", question, chosen, False, question, chosen)], TITLES)
    short = summary([Answer("tokens", "word", "Q", "C", False, "M")], TITLES)
    assert len(text.splitlines()) == len(short.splitlines())
    line = next(line for line in text.splitlines() if line.startswith("- **"))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", line) == f"- **{' '.join(question.split())}**"
    assert not re.search(r"(?<!\\)[<>\[\]_`|~$]", text.replace("\\\\", ""))
