import re
from threading import Timer
from types import SimpleNamespace

import pytest

from components.lessons.one_hot import page_timing
from tests.app_driver import AppDriver, torch_tables

IDS = [2, 3, 5, 1, 2]
QUERY = {"V": 6, "D": 3, "T": 5, "ids": "2 3 5 1 2"}


@pytest.mark.parametrize(
    ("V", "D", "cost"),
    [(6, 3, "5 × 6 × 3 = 90"), (50, 7, "5 × 50 × 7 = 1,750"), (50_257, 17, "5 × 50,257 × 17 = 4,271,845")],
)
def test_product_and_lookup_are_the_rows_of_torch_at_different_costs(V, D, cost):
    app = AppDriver().open("one_hot", **QUERY | {"V": V, "D": D, "seed": 9})
    wanted = torch_tables(V, D, 9)[0][IDS][:, :16].flatten().tolist()
    assert app.numbers(0) == app.numbers(1) == pytest.approx(wanted, abs=5.1e-5)
    assert "Both results are **exactly equal**" in app.words
    assert app.tables()[0][0] == {"": "multiplications", "one-hot product": f"N × V × D = {cost}", "lookup": "0"}
    assert f"4 of {V:,} rows get one, those of the 4 IDs in use" in app.words
    assert {row["row"].split("|")[1] for row in app.drawn("cell")[2]} == {"row 1", "row 2", "row 3", "row 5"}


def test_timing_runs_on_demand_and_belongs_to_its_sizes():
    app = AppDriver().open("one_hot", **QUERY)
    assert not app.drawn("microseconds")
    timings = app.press("Time both as V grows").drawn("microseconds")[0]
    assert {row["way"] for row in timings} == {"lookup", "one-hot product"}
    assert all(row["microseconds"] > 0 for row in timings)
    assert "GPT-2's V = 50,257 comes to" in app.words
    assert app.run().drawn("microseconds")
    assert not app.set(exact_dim=4).drawn("microseconds")


def test_waiting_timing_can_be_interrupted(monkeypatch):
    shown = []  # a newer message may end the run whenever the bar changes
    bar = SimpleNamespace(progress=lambda done, text: shown.append(text), empty=list)
    monkeypatch.setattr(page_timing.st, "progress", lambda *_, **__: bar)
    monkeypatch.setattr(page_timing, "SECONDS_BETWEEN_CHECKS", 0.01)
    page_timing._one_at_a_time.acquire()
    Timer(0.3, page_timing._one_at_a_time.release).start()
    assert len(page_timing.run(1, 1)) > 2
    assert shown[:5] == ["Waiting for another measurement …"] * 5
    assert not page_timing._one_at_a_time.locked()


def test_more_ids_than_fit_are_cut_with_a_note():
    app = AppDriver().open("one_hot", V=200_019, D=2, B=8, T=8)
    assert re.search(r"The first 10 of \d\d IDs: one-hot rows are V long", app.words)


@pytest.mark.parametrize(
    ("label", "experiment"),
    [
        ("A batch without the largest ID", "one_hot_without_num_classes"),
        ("Integer one-hot times float table", "one_hot_integers"),
    ],
)
def test_pitfall_opens_its_experiment_also_for_ids_out_of_range(label, experiment):
    app = AppDriver().open("one_hot", V=6, D=3, ids="9").follow(label, "errors")
    assert app.state.choices.experiment == experiment
    assert app.press("Run").code()[1].splitlines()[1].startswith("RuntimeError")
