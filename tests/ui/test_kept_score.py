"""The score that a browser keeps: given back as it was, and nothing else of what a browser may send."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.entry import LESSONS
from components.questions.summary import Answer
from components.ui.kept_score import MAX_ANSWERS, restore_score
from components.ui.session import Score

FIRST = Answer("lookup", "shape", "What shape?", "[2]", False, "D is lost", "the answer is [2, 3].")
SECOND = Answer("tokens", "ids", "How many?", "7", True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
)


def kept(**changed):
    score = {"session": "a", "answers": [asdict(FIRST)], "open_figures": ["lookup "], "visited": ["lookup"]}
    return json.loads(json.dumps(score | changed))


def test_restored_score_comes_before_the_own_answers():
    score = Score(answers=[SECOND], visited={"tokens"})
    restore_score(score, kept(), LESSONS)
    assert (score.answers, score.open_figures, score.visited) == ([FIRST, SECOND], {"lookup "}, {"lookup", "tokens"})
    assert score.restored == "a"


@pytest.mark.parametrize(
    "changed",
    [
        {"answers": {}},
        {
            "answers": [
                asdict(FIRST) | {"page": "elsewhere"},
                asdict(FIRST) | {"chosen": 7},
                {"page": "lookup"},
                [],
                None,
            ]
        },
        {"answers": [asdict(FIRST) | {"page": ["lookup"]}], "visited": [["lookup"], "elsewhere", None]},
        {"open_figures": [{}, 7], "visited": 7},
    ],
)
def test_restored_score_leaves_out_what_is_not_of_this_app(changed):
    score = Score()
    restore_score(score, kept(answers=[], open_figures=[], visited=[]) | changed, LESSONS)
    assert (score.answers, score.open_figures, score.visited) == ([], set(), set())


@given(JSON | st.fixed_dictionaries({"answers": JSON, "open_figures": JSON, "visited": JSON}))
def test_restored_score_of_anything_raises_nothing(stored):
    restore_score(Score(), stored, LESSONS)


def test_restored_score_is_limited():
    score = Score()
    restore_score(score, kept(answers=[asdict(FIRST)] * (MAX_ANSWERS + 9)), LESSONS)
    assert len(score.answers) == MAX_ANSWERS
    restore_score(score, kept(open_figures=["another"]), LESSONS)
    assert score.open_figures == {"lookup "}
    restore_score(empty := Score(), kept(answers=[asdict(FIRST) | {"feedback": "x" * 10**6}]), LESSONS)
    assert empty.answers == []
