from components.base.presets import PUBLISHED
from tests.app_driver import AppDriver


def test_another_text_as_long_as_the_story_gets_no_tick():
    app = AppDriver().open("reproduce", text="x" * PUBLISHED["story_batch"]["characters"]).open_sections()
    assert "49 of 50 published results" in app.words
    assert app.tables()[0][1]["result"] == "Story batch: inputs[0] (16 of 17 agree)"
    (row,) = [row for table in app.tables() for row in table if "whole story" in row["result"]]
    assert (row["computed here"][-2:], row["published"]) == (" ≠", "5145")
    assert not app.at.info
