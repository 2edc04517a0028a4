import pytest
import torch

from components.base.presets import PUBLISHED
from components.embedding.walkthrough import Tables, init_tables
from components.lessons.reproduce import published
from components.lessons.reproduce.published import (
    PublishedResult,
    combined_batch,
    digits,
    published_results,
    story_batch,
)

CHECKS = published_results()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.topic}: {check.what}")
def test_a_published_result_is_reproduced_unless_its_note_says_why_not(check):
    assert check.agrees is (check.note == "")
    assert (check.published == check.computed) is (check.note == "")


def test_only_the_published_length_known_to_be_wrong_disagrees():
    (wrong,) = [check for check in CHECKS if not check.agrees]
    assert (wrong.published, wrong.computed) == ("13.0639", "16.0000")
    assert "incorrect" in wrong.note


@pytest.mark.parametrize(
    ("topic", "count"),
    [
        ("Toy table", 10),
        ("Story batch", 16),
        ("Small vocabulary", 3),
        ("Text vocabulary", 4),
        ("Input shapes", 6),
        ("Combined batch", 8),
        ("Error", 1),
        ("Row lengths", 2),
    ],
)
def test_every_published_result_is_checked(topic, count):
    assert sum(check.topic == topic for check in CHECKS) == count


def test_no_two_checks_look_alike():
    assert len({(check.topic, check.what) for check in CHECKS}) == len(CHECKS)


def test_the_whole_story_adds_the_check_of_its_tokens(story):
    assert len(story) == PUBLISHED["story_batch"]["characters"]
    added = [check for check in published_results(story) if check not in CHECKS]
    assert [(check.what, check.published, check.computed) for check in added] == [
        ("tokens in the whole story", "5145", "5145")
    ]


@pytest.mark.parametrize("more", [-1, 1])
def test_a_text_of_another_length_adds_no_check(more):
    assert story_batch("x" * (PUBLISHED["story_batch"]["characters"] + more)) == story_batch()


def test_another_text_of_the_same_length_is_seen_to_differ():
    check = story_batch("x" * PUBLISHED["story_batch"]["characters"])[-1]
    assert check.what == "tokens in the whole story"
    assert not check.agrees


def test_the_checks_compute_their_values_anew(monkeypatch):
    monkeypatch.setitem(PUBLISHED["toy_table"], "seed", 124)
    assert not any(check.agrees for check in published.toy_table())


def test_the_sum_uses_the_tables_that_are_handed_in():
    def zeros(settings) -> Tables:
        tables = init_tables(settings)
        return Tables(tables.token, torch.zeros_like(tables.position))

    disagreeing = [check.what for check in combined_batch(zeros) if not check.agrees]
    assert disagreeing == ["position[0, :5]", "combined[0, 0, :5]"]


def test_a_check_agrees_only_with_equal_text():
    assert PublishedResult("t", "w", "1.0000", "1.0000").agrees
    assert not PublishedResult("t", "w", "1.0000", "1.0001").agrees
    assert digits([1.0, -0.04999, 12.34567]) == "1.0000 -0.0500 12.3457"
