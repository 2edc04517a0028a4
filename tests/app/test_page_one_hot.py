"""One-hot: the product and the lookup give the same rows, at very different costs."""

import re
from threading import Timer
from types import SimpleNamespace

import pytest
from driver import AppDriver, printed, torch_tables

from components.embedding.one_hot import costs
from components.lessons.one_hot import page_timing

IDS = "2 3 5 1 2"


@pytest.mark.parametrize(("V", "D", "seed"), [(6, 3, 123), (50, 7, 9), (50_257, 16, 1)])
def test_both_results_are_the_rows_of_the_table(V, D, seed):
    app = AppDriver().open("one_hot", V=V, D=D, seed=seed, T=5, ids=IDS)
    weight, _ = torch_tables(V, D, seed)
    wanted = weight[[2, 3, 5, 1, 2]][:, :16].flatten().tolist()
    for number in (0, 1):
        assert [row["value"] for row in app.drawn("cell")[number]] == pytest.approx(wanted, abs=5.1e-5)
    assert "exactly equal" in app.words
    assert printed(weight[2, 0]) in app.words


@pytest.mark.parametrize(("key", "value"), [("exact_vocab_size", 40), ("exact_dim", 5)])
def test_the_costs_follow_the_settings(key, value):
    app = AppDriver().open("one_hot", V=6, D=3, T=5, ids=IDS).set(**{key: value})
    settings = app.state.settings
    took = costs(5, settings.vocab_size, settings.dim)
    row = app.tables()[0][0]
    assert row["one-hot product"].endswith(f" = {took.multiplications:,}")
    assert row["lookup"] == "0"


def test_only_rows_in_use_get_a_gradient():
    app = AppDriver().open("one_hot", V=6, D=3, T=5, ids=IDS)
    assert "4 of 6 rows get one, those of the 4 IDs in use" in app.words
    rows = {row["row"].split("|")[1] for row in app.drawn("cell")[2]}
    assert rows == {"row 1", "row 2", "row 3", "row 5"}


def test_timing_runs_on_demand_and_belongs_to_its_sizes():
    app = AppDriver().open("one_hot", V=6, D=3, T=5, ids=IDS)
    assert not app.drawn("microseconds")
    app.press("Time both as V grows")
    timings = app.drawn("microseconds")[0]
    assert {row["way"] for row in timings} == {"lookup", "one-hot product"}
    assert all(row["microseconds"] > 0 for row in timings)
    assert "GPT-2's V = 50,257 comes to" in app.words
    assert app.run().drawn("microseconds")
    assert not app.set(exact_dim=4).drawn("microseconds")


def test_more_ids_than_fit_are_cut_with_a_note():
    app = AppDriver().open("one_hot", V=200_019, D=2, B=8, T=8)
    assert re.search(r"The first 10 of \d\d IDs: one-hot rows are V long", app.words)
    assert not app.errors()


@pytest.mark.parametrize(
    ("label", "experiment"),
    [
        ("A batch without the largest ID", "one_hot_without_num_classes"),
        ("Integer one-hot times float table", "one_hot_integers"),
    ],
)
def test_a_pitfall_opens_its_experiment(label, experiment):
    app = AppDriver().open("one_hot").follow(label, "errors")
    assert app.state.choices.experiment == experiment
    assert app.press("Run").at.code[1].value.splitlines()[1].startswith("RuntimeError")


def test_ids_out_of_range_leave_the_pitfalls():
    app = AppDriver().open("one_hot", V=6, D=3, ids="9")
    assert len(app.errors()) == 1
    assert "What goes wrong" in "\n".join(h.value for h in app.at.header)


def test_a_waiting_timing_can_be_interrupted(monkeypatch):
    shown = []  # a newer message may end the run whenever the bar changes
    bar = SimpleNamespace(progress=lambda done, text: shown.append(text), empty=list)
    monkeypatch.setattr(page_timing.st, "progress", lambda *_, **__: bar)
    monkeypatch.setattr(page_timing, "SECONDS_BETWEEN_CHECKS", 0.01)
    page_timing._one_at_a_time.acquire()
    Timer(0.3, page_timing._one_at_a_time.release).start()
    assert len(page_timing.run(1, 1)) > 2
    assert shown[:5] == ["Waiting for another measurement …"] * 5
    assert not page_timing._one_at_a_time.locked()
