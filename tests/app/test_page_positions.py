import math
import re

import pytest
import torch
from lab import Lab, printed, torch_tables

IDS = torch.tensor([2, 3, 5, 1, 0])
V, D, T, SEED = 6, 7, 5, 42


def open_lab(**query):
    return Lab().open("positions", V=V, D=D, T=T, seed=SEED, ids="2 3 5 1 0", **query)


def formula(t, d, layout, D=D):
    """One cell of the published formula, by itself."""
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
def test_the_table_holds_the_published_numbers(position, layout):
    lab = open_lab(layout=layout).set(positions_here=position)
    table, cells = expected(position, layout), lab.cells()
    assert len(cells) == T * D
    for t in range(T):
        for d in range(D):
            assert cells[f"P[{t}, {d}]"] == pytest.approx(table[t, d].item(), abs=5.1e-5)
    assert f"P[0, 0] = {printed(table[0, 0])}" in lab.words


@pytest.mark.parametrize(("position", "layout"), KINDS)
def test_the_length_of_every_row_is_its_norm(position, layout):
    lab = open_lab(position=position, layout=layout)
    norms = expected(position, layout).norm(dim=1).tolist()
    rows, rule = lab.drawn("length")
    assert [row["length"] for row in rows] == pytest.approx(norms, abs=1.1e-4)
    assert f"Lengths from {printed(min(norms))} to {printed(max(norms))}" in lab.words
    ideal = math.sqrt(D / 2 if position == "sinusoidal" else D)
    assert [row["length"] for row in rule] == pytest.approx([ideal], abs=1e-4)
    assert f"**{printed(ideal)}**" in lab.words


def test_every_sinusoidal_row_of_even_d_has_the_same_length():
    rows, _ = Lab().open("positions", D=8, T=40, position="sinusoidal").drawn("length")
    assert {row["length"] for row in rows} == {2.0}


@pytest.mark.parametrize(("position", "places"), [("learned", T), ("sinusoidal", 64)])
def test_the_wave_is_one_column_and_a_formula_goes_on_past_the_table(position, places):
    lab = open_lab(position=position).set(choice_wave=3)
    (wave,) = [data for data in lab.drawn("place") if "value" in data[0]]
    assert [point["place"] for point in wave] == list(range(places))
    column = expected("learned")[:, 3].tolist()
    if position == "sinusoidal":
        column = [formula(t, 3, "interleaved") for t in range(64)]
    assert [point["value"] for point in wave] == pytest.approx(column, abs=5.1e-5)


def test_a_learned_table_raises_torch_s_own_error_past_its_end():
    with pytest.raises(IndexError) as raised:
        torch.nn.Embedding.from_pretrained(expected("learned"))(torch.tensor([T]))
    assert f"Asked for row {T}, torch raises `IndexError: {raised.value}`" in open_lab(position="learned").words


def largest_change(lab):
    return re.search(r"largest change is (\d+\.\d{4})", lab.words)[1]


def moved(order, position):
    """By how much the sum of each token changes, token by token."""
    table = torch_tables(V, D, SEED, T)[0][IDS]
    change = torch.zeros(T, D)
    for place, token in enumerate(order):
        change[token] = (table[token] + position[place]) - (table[token] + position[token])
    return change


@pytest.mark.parametrize("number", [0, 1, 7, 99])
@pytest.mark.parametrize("position", ["learned", "sinusoidal"])
def test_a_shuffle_changes_the_sums_by_the_difference_of_positions(number, position):
    lab = open_lab(position=position).set(choice_shuffle_seed=number)
    order = torch.randperm(T, generator=torch.Generator().manual_seed(number)).tolist()
    change = moved(order, expected(position))
    assert float(largest_change(lab)) == pytest.approx(change.abs().max().item(), abs=1.1e-4)
    cells = lab.cells(1)
    assert [cells[f"change[{t}, {d}]"] for t in range(T) for d in range(D)] == pytest.approx(
        change.flatten().tolist(), abs=1.1e-4
    )
    assert f"{sum(place != token for place, token in enumerate(order))} of {T} tokens moved" in lab.words


@pytest.mark.parametrize("number", [1, 7])
def test_without_positions_order_leaves_no_trace(number):
    lab = open_lab().set(positions_here="none", choice_shuffle_seed=number)
    assert largest_change(lab) == "0.0000"
    assert set(lab.cells().values()) == {0.0}
    assert not lab.drawn("length")


def test_the_page_and_the_panel_set_the_same_position_type():
    lab = open_lab().set(positions_here="sinusoidal", layout_here="halves")
    assert lab.widget("setting_position").value == "sinusoidal"
    assert lab.widget("setting_layout").value == "halves"
    assert lab.set(setting_position="learned").widget("positions_here").value == "learned"


def test_a_wide_table_is_drawn_in_parts():
    lab = Lab().open("positions", D=100, position="sinusoidal").set(choice_column=52)
    assert list(lab.cells())[47] == "P[0, 99]"
    assert lab.cells()["P[3, 99]"] == pytest.approx(formula(3, 99, "interleaved", 100), abs=5.1e-5)
