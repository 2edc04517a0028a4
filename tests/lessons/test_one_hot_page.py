import re
from threading import Timer
from types import SimpleNamespace

import pytest
import torch

from components.lessons.one_hot import page_timing
from tests.app_driver import AppDriver, torch_tables
from tests.states import RIVER

IDS = [2, 3, 5, 1, 2]
QUERY = {"V": 6, "D": 3, "T": 5, "ids": "2 3 5 1 2"}


def test_multiplications_are_masked_until_they_are_predicted():
    app = AppDriver().open("one_hot", **QUERY | {"seed": 9}).open_sections(masked=True)
    assert not re.search(r"\b90\b", app.words)
    assert "give the answer: answer the question below the figure first." in app.words
    app.press("Show me")
    assert "= 90" in app.tables()[0][0]["one-hot product"]
    assert "A lookup copies 15 numbers instead of multiplying 90 times" in app.words
    assert "Rows 0 and 4 have the same 1, at 2" in app.words
    app.open("one_hot", V=10, T=12, ids="0 1 2 3 4 5 6 7 8 9 9 1", one_hot_token=9)
    assert "Rows 9 and 10 have the same 1, at 9," in app.words


@pytest.mark.parametrize(
    ("V", "D", "columns", "cost"),
    [
        (6, 3, 3, "5 × 6 × 3 = 90"),
        (50_257, 17, 16, "5 × 50,257 × 17 = 4,271,845"),
        (200_019, 17, 5, "5 × 200,019 × 17 = 17,001,615"),
    ],
)
def test_sections_have_the_costs_and_the_equal_results(V, D, columns, cost):
    app = AppDriver().open("one_hot", **QUERY | {"V": V, "D": D, "seed": 9}).open_sections()
    assert app.tables()[0][0] == {"": "multiplications", "one-hot product": f"N × V × D = {cost}", "lookup": "0"}
    assert "Both results are **exactly equal**" in app.words
    assert f"4 of {V:,} rows get one, those of the 4 IDs in use" in app.words
    rows = list(dict.fromkeys(row["row"].split("|")[1] for row in app.drawn("cell")[0]))
    assert rows == ["row 1", "row 2", "row 3", "row 5", "row 0"]
    upstream = torch.randn(len(IDS), D, generator=torch.Generator().manual_seed(9))
    gradient = torch.zeros(6, D).index_add_(0, torch.tensor(IDS), upstream)[[1, 2, 3, 5, 0]]
    assert app.numbers() == pytest.approx(gradient[:, :columns].flatten().tolist(), abs=5.1e-5)


def test_infinity_in_an_unused_row_makes_the_product_nan():
    app = AppDriver().open("one_hot", **QUERY | {"seed": 9}).open_sections()
    first = torch_tables(6, 3, 9)[0][2]
    product, lookup = app.tables()[1]
    assert "W[0, 0] is set to infinity" in app.words
    assert product["column 0"] == "nan"
    assert [lookup[f"column {d}"] for d in range(3)] == [f"{x:.4f}".replace("-", "−") for x in first]
    assert product["column 1"] == lookup["column 1"]
    assert "no row is left out" in app.open("one_hot", **QUERY | {"V": 4, "ids": "0 1 2 3"}).words


def test_timing_runs_on_demand_and_belongs_to_its_sizes():
    app = AppDriver().open("one_hot", **QUERY).open_sections()
    assert not app.drawn("microseconds")
    timings = app.press("Time both as V grows").drawn("microseconds")[0]
    assert {row["way"] for row in timings} == {"lookup", "one-hot product"}
    assert max(row["V"] for row in timings) == 50_257
    assert all(0 < row["first"] <= row["microseconds"] <= row["third"] for row in timings)
    assert "At GPT-2's V = 50,257 the product took" in app.words
    assert "medians of 25 repetitions" in app.words
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
    assert app.press("Run").open_section("run").code()[0].splitlines()[1].startswith("RuntimeError")
