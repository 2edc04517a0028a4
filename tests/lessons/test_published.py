from collections import Counter

import pytest
import torch

from components.base.presets import PUBLISHED
from components.embedding.walkthrough import Tables, init_tables
from components.lessons.reproduce import published
from components.lessons.reproduce.published import combined_batch, printed, published_results, story_batch, toy_table

RESULTS = published_results()
STORY_CHARACTERS = PUBLISHED["story_batch"]["characters"]


def test_published_results_all_agree_besides_the_wrong_length():
    assert [*Counter(result.topic for result in RESULTS).values()] == [10, 16, 3, 4, 6, 8, 1, 2]
    assert len({(result.topic, result.what) for result in RESULTS}) == len(RESULTS)
    assert all(result.agrees is (result.published == result.computed) is (result.note == "") for result in RESULTS)
    (wrong,) = [result for result in RESULTS if not result.agrees]
    assert (wrong.published, wrong.computed) == ("13.0639", "16.0000")
    assert "incorrect" in wrong.note


def test_published_results_of_the_whole_story_include_its_tokens(story):
    (added,) = {*published_results(story)} - {*RESULTS}
    assert (added.what, added.published, added.computed) == ("tokens in the whole story", "5145", "5145")


@pytest.mark.parametrize(("characters", "added"), [(-1, []), (0, [("tokens in the whole story", False)]), (1, [])])
def test_story_batch_of_another_text_never_agrees(characters, added):
    rows = [*story_batch("x" * (STORY_CHARACTERS + characters))][len([*story_batch()]) :]
    assert [(what, as_published == computed) for what, as_published, computed in rows] == added


def test_published_results_are_computed_anew(monkeypatch):
    def zeros(settings) -> Tables:
        tables = init_tables(settings)
        return Tables(tables.token, torch.zeros_like(tables.position))

    def disagreeing(rows):
        return [what for what, as_published, computed in rows if printed(as_published) != printed(computed)]

    monkeypatch.setattr(published, "init_tables", zeros)
    assert disagreeing(combined_batch()) == ["position[0, :5]", "combined[0, 0, :5]"]
    monkeypatch.setitem(PUBLISHED["toy_table"], "seed", 124)
    assert len(disagreeing(toy_table())) == 10
    assert printed([1.0, -0.04999, 12.34567]) == "1.0000 -0.0500 12.3457"
