"""Every right answer against one found in another way; see answers.py."""

import pytest

from tests.questions.answers import FOUND
from tests.questions.varied_states import ASKED

BY_MEASUREMENT = {("word2vec", "nearest"), ("word2vec", "opposites"), ("word2vec", "corpus")}  # each has its own test


def test_every_question_has_another_way_to_its_answer():
    assert {(page, question.name) for page, question, _ in ASKED} == {*FOUND} | BY_MEASUREMENT


@pytest.mark.parametrize(("page", "name"), FOUND)
def test_the_right_answer_is_found_another_way(page, name):
    asked = [(question, state) for where, question, state in ASKED if (where, question.name) == (page, name)]
    assert len(asked) >= 10
    for question, state in asked:
        found = FOUND[page, name](state, question.prompt)
        if isinstance(found, float):
            given = float(question.answer.replace(",", ""))
            assert abs(given - found) < 0.05 * max(0.4, abs(found)), (question, found)
        else:
            assert question.answer.startswith(found), (question, found)
