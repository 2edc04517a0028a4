import re
from types import SimpleNamespace

import pytest

from components.lessons.one_hot import page
from tests.app_driver import AppDriver
from tests.states import RIVER

QUERY = {"V": 6, "D": 3, "T": 5, "ids": "2 3 5 1 2"}


def test_rows_with_the_same_one_are_named():
    app = AppDriver().open("one_hot", V=10, T=12, ids="0 1 2 3 4 5 6 7 8 9 9 1", one_hot_token=9)
    assert "One-hot vectors 9 and 10 both have their 1 at index 9," in app.words
    app = AppDriver().open("one_hot", D=1, T=1_024, B=1, text="red cat " * 600, one_hot_token=1_000)
    assert "One-hot vectors 1,000 and 1,002 both have their 1 at index" in app.words


def test_table_of_one_row_multiplies_nothing_by_0():
    app = AppDriver().open("one_hot", V=1, D=3, ids="0 0").press("Show me").open_sections()
    assert "The product takes n × V × D = 2 × 1 × 3 = 6 multiplications, all by 1." in app.words
    assert "the product takes 6 multiplications, for each ID 3 by 1." in app.words
    assert "every other row" not in app.words
    assert "6 and 6" not in app.words
    assert "only if every row that is multiplied by 0 is finite. Here all rows are in use." in app.words


def test_rows_are_in_id_order_and_infinity_needs_an_unused_one():
    app = AppDriver().open("one_hot", **QUERY).open_sections()
    assert [*dict.fromkeys(row["row"].split("|")[1] for row in app.drawn("cell")[0])] == [
        "row 1", "row 2", "row 3", "row 5", "row 0"
    ]  # fmt: skip
    assert "Here all rows are in use." in app.open("one_hot", **QUERY | {"V": 4, "ids": "0 1 2 3"}).words


def test_timing_runs_on_demand_and_belongs_to_its_sizes(monkeypatch):
    sizes, measure = [], page.measure
    monkeypatch.setattr(page, "measure", lambda *given: sizes.append(given) or measure(*given))
    app = AppDriver().open("one_hot", **QUERY).open_sections()
    assert not app.drawn("microseconds")
    assert re.search(r"For n = 5 \(at most \d+\) and D = 3 \(", app.words)
    timings, ends = app.press("Time both as V grows").drawn("microseconds")
    assert [row["way"] for row in ends] == ["lookup", "one-hot product"]
    assert sizes == [(5, 3)]  # n, D
    assert ends == [row for row in timings if row["V"] == 50_257]
    assert max(row["V"] for row in timings) == 50_257
    assert all(0 < row["first"] <= row["microseconds"] <= row["third"] for row in timings)
    assert "n = 5, D = 3. At GPT-2's V = 50,257 the product took" in app.words
    assert "medians of 25 repetitions" in app.words
    assert app.run().drawn("microseconds")
    assert not app.set(exact_dim=4).drawn("microseconds")
    assert app.run().press("Time both as V grows").drawn("microseconds")
    assert not app.set(exact_dim=3).drawn("microseconds")  # only the last measurement is stored


def test_waiting_timing_can_be_interrupted(monkeypatch):
    shown = []  # a newer message may end the run whenever the bar changes

    def progress(done, text):
        shown.append(text)
        if len(shown) == 5:
            page._one_at_a_time.release()

    monkeypatch.setattr(page.st, "progress", lambda *_, **__: SimpleNamespace(progress=progress, empty=list))
    monkeypatch.setattr(page, "SECONDS_BETWEEN_CHECKS", 0.01)
    page._one_at_a_time.acquire()
    assert len(page.run(1, 1)) > 2
    assert shown[:5] == ["Waiting for another measurement …"] * 5
    assert not page._one_at_a_time.locked()


def test_more_ids_than_fit_are_cut_with_a_note():
    app = AppDriver().open("one_hot", V=200_019, D=2, B=8, T=8, text=RIVER).open_sections()
    assert re.search(r"The first 10 of \d\d IDs: one-hot vectors are V long", app.words)


@pytest.mark.parametrize(
    ("label", "experiment"),
    [
        ("A batch without the largest ID", "one_hot_without_num_classes"),
        ("Integer one-hot times float table", "one_hot_integers"),
    ],
)
def test_pitfall_opens_its_experiment_also_for_ids_out_of_range(label, experiment):
    app = AppDriver().open("one_hot", V=6, D=3, ids="9").open_sections().follow(label, "errors")
    assert app.state.choices.experiment == experiment
    assert app.press("Run").open_section("The whole message").code()[0].splitlines()[1].startswith("RuntimeError")
