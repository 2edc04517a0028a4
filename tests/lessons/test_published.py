import torch

from components.base.presets import PUBLISHED
from components.embedding.walkthrough import Tables, init_tables
from components.lessons.reproduce import published
from components.lessons.reproduce.published import combined_batch, printed, published_results, toy_table


def test_published_results_of_the_whole_story_include_its_tokens(story):
    (added,) = {*published_results(story)} - {*published_results()}
    assert (added.what, added.published, added.computed) == ("tokens in the whole story", "5145", "5145")


def test_published_results_are_computed_again(monkeypatch):
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
