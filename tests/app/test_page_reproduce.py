"""Reproduce: every published result beside the one computed here."""

from driver import AppDriver, torch_tables

from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import published_results


def rows(app):
    return [row for table in app.tables() for row in table]


def metric(app):
    return app.at.metric[0].value


def test_published_results_agree_besides_the_wrong_one():
    app = AppDriver().open("reproduce")
    right = [check for check in published_results() if not check.note]
    assert metric(app) == f"{len(right)} of {len(right)}"
    assert app.at.metric[1].value == str(len(published_results()) - len(right))


def test_only_equal_digits_get_a_tick():
    app = AppDriver().open("reproduce")
    assert len(rows(app)) == len(published_results())
    for row in rows(app):
        mark, _, computed = row["computed"].partition(" ")
        assert mark == ("✓" if row["published"] == computed else "✗"), row
    (wrong,) = [row for row in rows(app) if row["computed"].startswith("✗")]
    assert "incorrect" in wrong["what"]


def test_computed_rows_are_those_of_torch():
    weight, _ = torch_tables(6, 3, 123)
    of_table = {row["what"]: row for row in rows(AppDriver().open("reproduce"))}
    for i in range(6):
        assert of_table[f"W[{i}]"]["computed"] == "✓ " + " ".join(f"{number:.4f}" for number in weight[i])


def test_own_settings_do_not_change_the_results():
    usual = rows(AppDriver().open("reproduce"))
    app = AppDriver().open("reproduce", seed=9, D=3, position="sinusoidal", ids="1 2", tokenizer="words")
    assert rows(app) == usual


def test_another_text_as_long_as_the_story_gets_no_tick():
    app = AppDriver().open("reproduce")
    agreed = metric(app)
    app.set(text="x" * PUBLISHED["story_batch"]["characters"])
    count = int(agreed.split()[0])
    assert metric(app) == f"{count} of {count + 1}"
    (row,) = [row for row in rows(app) if "whole story" in row["what"]]
    assert row["computed"].startswith("✗ ")
    assert row["published"] == "5145"
