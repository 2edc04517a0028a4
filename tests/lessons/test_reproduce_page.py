from collections import Counter

from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import published_results
from tests.app_driver import AppDriver

STORY = PUBLISHED["story_batch"]


def test_table_has_each_topic_with_its_source_and_each_incorrect_result():
    app = AppDriver().open("reproduce", seed=9, D=3, position="sinusoidal", ids="1 2")
    (table,) = app.tables()
    sizes = Counter(result.topic for result in published_results())
    assert [*sizes.values()] == [10, 16, 3, 4, 6, 8, 1, 2]
    assert [row["result"].partition(":")[0] for row in table][: len(sizes)] == [*sizes]
    assert [row["agree"] for row in table] == [*(f"{n} of {n}" for n in (10, 16, 3, 4, 6, 8, 1, 1)), "incorrect"]
    assert (table[-1]["published"], table[-1]["computed here"]) == ("13.0639", "16.0000 ✗")
    sources = [entry["source"] for entry in PUBLISHED.values() if isinstance(entry, dict) and "source" in entry]
    assert all(f"]({source})" in app.words for source in sources)
    assert "13.0639 is √(D/3), published as the norm of a row: D numbers sampled uniformly" in app.words
    assert "so the norm is 16.0000." in app.words


def test_another_text_as_long_as_the_story_gets_no_tick():
    app = AppDriver().open("reproduce", text="x" * STORY["characters"]).open_sections()
    assert "49 of 50 published results" in app.words
    assert app.tables()[0][1]["agree"] == "16 of 17"
    (row,) = [row for table in app.tables() for row in table if "whole story" in row["result"]]
    assert (row["computed here"][-2:], row["published"]) == (" ✗", "5145")
    assert not app.at.info
