"""The score that a browser stores: restored as it was, and nothing else that a browser may send."""

import json
from dataclasses import asdict

import pytest

from components.entry import LESSONS
from components.questions.summary import Answer
from components.ui.kept_score import MAX_ANSWERS, restore_score
from components.ui.session import Score

FIRST = Answer("lookup", "shape", "What shape?", "[2]", False, "D is lost", "the answer is [2, 3].")
SECOND = Answer("tokens", "ids", "How many?", "7", True)


def restored(score: Score, **kept: object) -> tuple[list, set, set]:
    """Restore what a browser has stored; return answers, open figures and lessons visited."""
    restore_score(score, json.loads(json.dumps({"session": "a"} | kept)), LESSONS)
    return score.answers, score.open_figures, score.visited


def test_restored_score_comes_before_the_own_answers_and_once():
    score = Score(answers=[SECOND], visited={"tokens"})
    kept = {"open_figures": ["lookup "], "asked_again": ["check_lookup_shape_0"], "visited": ["lookup"]}
    found = restored(score, answers=[asdict(FIRST)], **kept)
    assert found == ([FIRST, SECOND], {"lookup "}, {"lookup", "tokens"})
    assert (score.restored, score.asked_again) == ("a", {"check_lookup_shape_0"})
    assert restored(score, open_figures=["another"])[1] == {"lookup "}


@pytest.mark.parametrize("page", ["elsewhere", ["lookup"]])
def test_restored_score_leaves_out_what_is_not_of_this_app(page):
    answers = [asdict(FIRST) | {"page": page}, asdict(FIRST) | {"chosen": 7}, {"page": "lookup"}, [], None]
    kept = {"open_figures": [{}, 7], "asked_again": [[]], "visited": [page, 7, None]}
    assert restored(Score(), answers=answers, **kept) == ([], set(), set())
    assert restored(Score(), answers={}, open_figures=7, visited=7) == ([], set(), set())


@pytest.mark.parametrize("stored", [None, True, 7, "answers", [{}], {}])
def test_what_is_no_score_restores_nothing(stored):
    score = Score(visited={"home"})
    restore_score(score, stored, LESSONS)
    assert (score.answers, score.open_figures, score.visited) == ([], set(), {"home"})


def test_restored_score_is_limited():
    kept = [asdict(FIRST)] * (MAX_ANSWERS + 9)
    assert restored(Score(answers=[SECOND]), answers=kept)[0] == [*[FIRST] * (MAX_ANSWERS - 1), SECOND]
    assert restored(Score(), answers=[asdict(FIRST) | {"feedback": "x" * 10**6}])[0] == []
