from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import published_results
from tests.app_driver import AppDriver


def rows(app):
    return [row for table in app.tables() for row in table]


def test_published_results_are_computed_again_whatever_the_settings():
    app, results = AppDriver().open("reproduce", seed=9, D=3, position="sinusoidal", ids="1 2"), published_results()
    correct = sum(not result.note for result in results)
    assert [metric.value for metric in app.at.metric[:2]] == [f"{correct} of {correct}", str(len(results) - correct)]
    shown = {(row["published"], row["computed"]) for row in rows(app)}
    assert shown == {(each.published, f"{'✗' if each.note else '✓'} {each.computed}") for each in results}
    (wrong,) = [row for row in rows(app) if row["computed"].startswith("✗")]
    assert "incorrect" in wrong["what"]


def test_another_text_as_long_as_the_story_gets_no_tick():
    app = AppDriver().open("reproduce")
    agreed = int(app.at.metric[0].value.split()[0])
    app.set(text="x" * PUBLISHED["story_batch"]["characters"])
    assert app.at.metric[0].value == f"{agreed} of {agreed + 1}"
    (row,) = [row for row in rows(app) if "whole story" in row["what"]]
    assert (row["computed"][:2], row["published"]) == ("✗ ", "5145")
