from lab import Lab, torch_tables

from components.core.presets import PUBLISHED
from components.core.published import all_checks


def rows(lab):
    return [row for table in lab.tables() for row in table]


def metric(lab):
    return lab.at.metric[0].value


def test_every_published_result_agrees_and_the_wrong_one_is_kept_apart():
    lab = Lab().open("reproduce")
    right = [check for check in all_checks() if not check.note]
    assert metric(lab) == f"{len(right)} of {len(right)}"
    assert lab.at.metric[1].value == str(len(all_checks()) - len(right))


def test_a_tick_stands_where_the_printed_digits_agree_and_nowhere_else():
    lab = Lab().open("reproduce")
    assert len(rows(lab)) == len(all_checks())
    for row in rows(lab):
        mark, _, computed = row["computed"].partition(" ")
        assert mark == ("✓" if row["published"] == computed else "✗"), row
    (wrong,) = [row for row in rows(lab) if row["computed"].startswith("✗")]
    assert "wrong" in wrong["what"]


def test_the_published_and_the_computed_rows_are_those_of_torch():
    weight, _ = torch_tables(6, 3, 123)
    of_table = {row["what"]: row for row in rows(Lab().open("reproduce"))}
    for i in range(6):
        assert of_table[f"W[{i}]"]["computed"] == "✓ " + " ".join(f"{number:.4f}" for number in weight[i])


def test_own_settings_leave_the_published_results_as_they_are():
    usual = rows(Lab().open("reproduce"))
    lab = Lab().open("reproduce", seed=9, D=3, position="sinusoidal", ids="1 2", tokenizer="words")
    assert rows(lab) == usual


def test_another_text_of_the_story_s_length_does_not_get_its_tick():
    lab = Lab().open("reproduce")
    agreed = metric(lab)
    lab.set(text="x" * PUBLISHED["story_batch"]["characters"])
    count = int(agreed.split()[0])
    assert metric(lab) == f"{count} of {count + 1}"
    (row,) = [row for row in rows(lab) if "whole story" in row["what"]]
    assert row["computed"].startswith("✗ ")
    assert row["published"] == "5145"
