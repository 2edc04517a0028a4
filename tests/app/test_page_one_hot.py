from threading import Timer
from types import SimpleNamespace

import pytest
from lab import Lab, printed, torch_tables

from components.core.one_hot import costs
from components.ui import stopwatch

IDS = "2 3 5 1 2"


@pytest.mark.parametrize(("V", "D", "seed"), [(6, 3, 123), (50, 7, 9), (50_257, 16, 1)])
def test_both_results_are_the_rows_of_the_table(V, D, seed):
    lab = Lab().open("one_hot", V=V, D=D, seed=seed, T=5, ids=IDS)
    weight, _ = torch_tables(V, D, seed)
    wanted = weight[[2, 3, 5, 1, 2]][:, :16].flatten().tolist()
    for number in (0, 1):
        assert [row["value"] for row in lab.drawn("cell")[number]] == pytest.approx(wanted, abs=5.1e-5)
    assert "equal to the bit" in lab.words
    assert printed(weight[2, 0]) in lab.words


@pytest.mark.parametrize(("key", "value"), [("setting_vocab_size", 40), ("setting_dim", 5)])
def test_the_costs_follow_the_settings(key, value):
    lab = Lab().open("one_hot", V=6, D=3, T=5, ids=IDS).set(**{key: value})
    settings = lab.state.settings
    took = costs(5, settings.vocab_size, settings.dim)
    row = lab.tables()[0][0]
    assert row["one-hot product"].endswith(f" = {took.multiplications:,}")
    assert row["lookup"] == "0"


def test_the_gradient_reaches_the_rows_in_use_and_no_others():
    lab = Lab().open("one_hot", V=6, D=3, T=5, ids=IDS)
    assert "4 of 6 rows get one, those of the 4 IDs in use" in lab.words
    rows = {row["row"].split("|")[1] for row in lab.drawn("cell")[2]}
    assert rows == {"row 1", "row 2", "row 3", "row 5"}


def test_the_measurement_runs_on_demand_and_goes_with_its_sizes():
    lab = Lab().open("one_hot", V=6, D=3, T=5, ids=IDS)
    assert not lab.drawn("microseconds")
    lab.press("Measure both as V grows")
    timings = lab.drawn("microseconds")[0]
    assert {row["way"] for row in timings} == {"lookup", "one-hot product"}
    assert all(row["microseconds"] > 0 for row in timings)
    assert "GPT-2's V = 50,257 comes to" in lab.words
    assert lab.run().drawn("microseconds")
    assert not lab.set(setting_dim=4).drawn("microseconds")


def test_more_ids_than_fit_are_cut_and_it_says_so():
    lab = Lab().open("one_hot", V=200_019, D=2, B=8, T=8)
    assert "The first 10 of " in lab.words or "of 1" in lab.words
    assert not lab.errors()


@pytest.mark.parametrize(
    ("label", "experiment"),
    [
        ("A batch without the largest ID", "one_hot_without_num_classes"),
        ("Whole numbers times the table", "one_hot_integers"),
    ],
)
def test_what_goes_wrong_leads_to_its_experiment(label, experiment):
    lab = Lab().open("one_hot").follow(label, "errors")
    assert lab.state.choices.experiment == experiment
    assert lab.press("Run it").at.code[1].value.splitlines()[1].startswith("RuntimeError")


def test_ids_without_a_row_are_refused_and_the_rest_stays():
    lab = Lab().open("one_hot", V=6, D=3, ids="9")
    assert len(lab.errors()) == 1
    assert "What goes wrong" in "\n".join(h.value for h in lab.at.header)


def test_a_learner_may_go_on_while_a_measurement_waits_for_another(monkeypatch):
    said = []  # to say something is where a newer message may end the run
    bar = SimpleNamespace(progress=lambda done, text: said.append(text), empty=list)
    monkeypatch.setattr(stopwatch.st, "progress", lambda *_, **__: bar)
    monkeypatch.setattr(stopwatch, "SECONDS_BETWEEN_LOOKS", 0.01)
    stopwatch._one_at_a_time.acquire()
    Timer(0.3, stopwatch._one_at_a_time.release).start()
    assert len(stopwatch.run(1, 1)) > 2
    assert said[:5] == ["Waiting for the clock …"] * 5
    assert not stopwatch._one_at_a_time.locked()
