"""Positions: the position table, its columns and norms, and what a shuffle of the tokens changes."""

import math
import re

import pytest
import torch
from driver import AppDriver, printed, torch_tables

IDS = torch.tensor([2, 3, 5, 1, 0])
V, D, T, SEED = 6, 7, 5, 42


def open_app(**query):
    return AppDriver().open("positions", V=V, D=D, T=T, seed=SEED, ids="2 3 5 1 0", **query)


def formula(t, d, layout, D=D):
    """Return one cell of the published formula, computed alone."""
    sines = -(-D // 2)
    pair, cosine = (d // 2, d % 2 == 1) if layout == "interleaved" else (d % sines, d >= sines)
    angle = t / 10_000 ** (2 * pair / D)
    return math.cos(angle) if cosine else math.sin(angle)


def expected(position, layout="interleaved"):
    if position == "learned":
        return torch_tables(V, D, SEED, T)[1]
    return torch.tensor([[formula(t, d, layout) for d in range(D)] for t in range(T)])


KINDS = [("learned", "interleaved"), ("sinusoidal", "interleaved"), ("sinusoidal", "halves")]


@pytest.mark.parametrize(("position", "layout"), KINDS)
def test_the_table_has_the_numbers_of_torch_or_the_formula(position, layout):
    app = open_app(layout=layout).set(row_position=position)
    table, cells = expected(position, layout), app.cells()
    assert len(cells) == T * D
    for t in range(T):
        for d in range(D):
            assert cells[f"P[{t}, {d}]"] == pytest.approx(table[t, d].item(), abs=5.1e-5)
    assert f"P[0, 0] = {printed(table[0, 0])}" in app.words


@pytest.mark.parametrize(("position", "layout"), KINDS)
def test_every_row_shows_its_norm(position, layout):
    app = open_app(position=position, layout=layout)
    norms = expected(position, layout).norm(dim=1).tolist()
    rows, rule = app.drawn("norm")
    assert [row["norm"] for row in rows] == pytest.approx(norms, abs=1.1e-4)
    assert f"Norms from {printed(min(norms))} to {printed(max(norms))}" in app.words
    ideal = math.sqrt(D / 2 if position == "sinusoidal" else D)
    assert [row["norm"] for row in rule] == pytest.approx([ideal], abs=1e-4)
    assert f"**{printed(ideal)}**" in app.words


def test_sinusoidal_rows_of_even_d_have_equal_norms():
    rows, _ = AppDriver().open("positions", D=8, T=40, position="sinusoidal").drawn("norm")
    assert {row["norm"] for row in rows} == {2.0}


@pytest.mark.parametrize(("position", "places"), [("learned", T), ("sinusoidal", 64)])
def test_a_formula_continues_a_column_past_the_table(position, places):
    app = open_app(position=position).set(positions_wave=3)
    (wave,) = [data for data in app.drawn("position") if "value" in data[0]]
    assert [point["position"] for point in wave] == list(range(places))
    column = expected("learned")[:, 3].tolist()
    if position == "sinusoidal":
        column = [formula(t, 3, "interleaved") for t in range(64)]
    assert [point["value"] for point in wave] == pytest.approx(column, abs=5.1e-5)


def test_a_learned_table_shows_the_error_past_its_end():
    with pytest.raises(IndexError) as raised:
        torch.nn.Embedding.from_pretrained(expected("learned"))(torch.tensor([T]))
    assert f"Row {T} raises `IndexError: {raised.value}`" in open_app(position="learned").words


def largest_change(app):
    return re.search(r"largest change is (\d+\.\d{4})", app.words)[1]


def changes(order, position):
    """Return by how much the sum of each token changes."""
    table = torch_tables(V, D, SEED, T)[0][IDS]
    change = torch.zeros(T, D)
    for t, token in enumerate(order):
        change[token] = (table[token] + position[t]) - (table[token] + position[token])
    return change


@pytest.mark.parametrize("number", [0, 1, 7, 99])
@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_a_shuffle_changes_sums_by_position_differences(number, position):
    app = open_app(position=position).set(positions_shuffle_seed=number)
    order = torch.randperm(T, generator=torch.Generator().manual_seed(number)).tolist()
    change = changes(order, expected(position))
    assert float(largest_change(app)) == pytest.approx(change.abs().max().item(), abs=1.1e-4)
    cells = app.cells(1)
    assert [cells[f"change[{t}, {d}]"] for t in range(T) for d in range(D)] == pytest.approx(
        change.flatten().tolist(), abs=1.1e-4
    )
    assert f"{sum(t != token for t, token in enumerate(order))} of {T} tokens moved" in app.words


@pytest.mark.parametrize("number", [1, 7])
def test_without_positions_a_shuffle_changes_nothing(number):
    app = open_app().set(row_position="none", positions_shuffle_seed=number)
    assert largest_change(app) == "0.0000"
    assert set(app.cells().values()) == {0.0}
    assert not app.drawn("norm")


def test_a_wide_table_is_shown_in_parts():
    app = AppDriver().open("positions", D=100, position="sinusoidal").set(positions_position_column=52)
    assert list(app.cells())[47] == "P[0, 99]"
    assert app.cells()["P[3, 99]"] == pytest.approx(formula(3, 99, "interleaved", 100), abs=5.1e-5)
