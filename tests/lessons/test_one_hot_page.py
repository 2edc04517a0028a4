import re
from html import unescape
from threading import Timer
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
import torch

from components.embedding.tables import token_table
from components.lessons.one_hot import page_timing
from components.lessons.one_hot.figure import one_hot_figure
from tests.app_driver import AppDriver, torch_tables
from tests.states import RIVER

IDS = [2, 3, 5, 1, 2]
QUERY = {"V": 6, "D": 3, "T": 5, "ids": "2 3 5 1 2"}


def two_digits(number):
    return f"{number:.2f}".replace("-", "−")


def elements(figure, **attributes):
    """Return the elements of a figure with these attributes; `part` means data-part, `column` data-column."""
    wanted = {f"data-{name}": str(value) for name, value in attributes.items()}
    return [each for each in ElementTree.fromstring(figure.file()).iter() if wanted.items() <= each.attrib.items()]


def words(element):
    return " ".join("".join(element.itertext()).split())


@pytest.mark.parametrize("way", ["product", "lookup"])
@pytest.mark.parametrize(("V", "D", "columns"), [(6, 3, [0, 1, 2]), (50, 7, [0, 1, 6]), (50_257, 17, [0, 1, 16])])
def test_figure_has_the_rows_of_torch_both_ways(V, D, columns, way):
    figure = AppDriver().open("one_hot", **QUERY | {"V": V, "D": D, "seed": 9, "way": way}).learner.outputs.figure
    table = torch_tables(V, D, 9)[0]
    for t, token_id in enumerate(IDS):
        for column in columns:
            cells = [each for each in elements(figure, part=t, column=column) if each.get("class", "")[:4] == "cell"]
            assert words(cells[-1]) == two_digits(table[token_id, column])
            (readout,) = [each for each in elements(figure, part=t, column=column) if each.get("class") == "readout"]
            assert words(readout).startswith(f"column {column}: ")
            assert words(readout).endswith(f"= {two_digits(table[token_id, column])}")
    assert (">row 3</text>" in figure.drawing) == (way == "product")


def test_terms_of_a_sum_are_those_of_the_dot_product():
    figure = AppDriver().open("one_hot", V=50, D=2, T=3, ids="7 3 40", seed=9).learner.outputs.figure
    column = torch_tables(50, 2, 9)[0][:, 1].tolist()
    (readout,) = [each for each in elements(figure, part=0, column=1) if each.get("class") == "readout"]
    terms = re.findall(r"([01]) · \(?(−?\d\.\d\d)", words(readout))
    assert terms == [(str(int(row == 7)), two_digits(column[row])) for row in (3, 7, 40)]
    assert "+ 47 more zeros =" in words(readout)
    assert "one-hot vectors" in figure.drawing


def test_multiplications_are_masked_until_they_are_predicted():
    app = AppDriver().open("one_hot", **QUERY | {"seed": 9}).open_sections(masked=True)
    assert not re.search(r"\b90\b", app.learner.outputs.figure.reading + app.learner.outputs.figure.drawing + app.words)
    assert "give the answer: answer the question below the figure first." in app.words
    app.press("Show me")
    assert "= 90" in app.tables()[0][0]["one-hot product"]
    assert "Multiplications: 90." in app.learner.outputs.figure.reading
    assert "5 × 6 × 3 = " in app.learner.outputs.figure.drawing
    assert "it copies 15 numbers instead of multiplying 90 times" in app.words
    assert "Rows 0 and 4 have the same 1, at 2" in app.words
    app.open("one_hot", way="lookup")
    assert "Multiplications: 0." in app.learner.outputs.figure.reading
    assert "0 multiplications" in app.learner.outputs.figure.drawing


@pytest.mark.parametrize("way", ["product", "lookup"])
@pytest.mark.parametrize(("N", "V", "D"), [(1, 1, 1), (1, 50_257, 1_024), (64, 5, 2), (64, 200_019, 80), (9, 2, 16)])
@pytest.mark.parametrize("masked", [False, True])
def test_figure_of_any_size_is_small_and_has_a_part_for_each_token(N, V, D, way, masked):
    ids = torch.randint(V, (N,), generator=torch.Generator().manual_seed(1))
    part = range(max(0, N - 8), N)
    figure = one_hot_figure(ids, ["<b>&"] * len(part), part, token_table(V, D, 1).weight.detach(), way, masked)
    shown = ids[-8:].tolist()
    assert figure.drawing.count("data-stop") == len(shown)
    rows = min(V, 8) if V <= 8 else min(8, len({0, V - 1, *shown}))
    assert figure.drawing.count('class="cell') == (rows + len(shown)) * min(D, 3)
    assert int(figure.lit) < len(shown)
    assert figure.column in figure.columns
    assert figure.height <= 390
    assert len(figure.svg()) < 45_000
    assert "<b>" not in figure.drawing
    assert f"{N * V * D:,} multiplications" not in figure.drawing or not masked
    ElementTree.fromstring(figure.file())  # as a file of its own it is valid XML
    assert all(f"row {row} of the table" in figure.reading for row in shown)


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


@pytest.mark.parametrize(
    ("first", "shown", "moves"), [(0, [0, 1, 6], [2]), (3, [3, 4, 6], [1, 4]), (999, [4, 5, 6], [2])]
)
def test_columns_can_be_moved(first, shown, moves):
    app = AppDriver().open("one_hot", **QUERY | {"D": 7, "seed": 9, "one_hot_column": first})
    figure, table = app.learner.outputs.figure, torch_tables(6, 7, 9)[0]
    assert figure.columns == shown
    cells = [each for each in elements(figure, part=1) if each.get("class", "")[:4] == "cell"]
    numbers = [two_digits(table[3, column]) for column in shown]
    assert [words(each) for each in cells] == 2 * numbers  # of the table and of the result
    assert [int(n) for n in re.findall(r'{"one_hot_column": (\d+)}', unescape(figure.drawing))] == moves


@pytest.mark.parametrize("way", ["product", "lookup"])
def test_tokens_beyond_the_first_can_be_shown(way):
    ids = [*range(9), 9, 9, 1]
    app = AppDriver().open("one_hot", V=10, D=2, T=12, ids=" ".join(map(str, ids)), way=way, one_hot_token=9)
    figure = app.learner.outputs.figure
    assert [f"[0, {t}], ID {ids[t]}: " in figure.reading for t in range(12)] == [t >= 4 for t in range(12)]
    assert "Tokens 4 to 11 of 12." in figure.reading
    assert (">row 9</text>" in figure.drawing) == (way == "product")
    assert figure.lit == "5"  # of those shown: ID 9 occurs twice
    assert "Rows 9 and 10 have the same 1, at 9," in app.words
    assert re.findall(r'{"one_hot_token": (\d+)}', unescape(figure.drawing)) == ["3"]
