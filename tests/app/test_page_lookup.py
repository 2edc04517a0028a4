"""Lookup: the numbers of the table and of the vectors, and what of them is shown."""

import pytest
from driver import AppDriver, printed, torch_tables

from components.base.presets import SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]  # two windows of four


def assert_cells(cells, weight):
    """Assert that each cell W[i, d] has the number of torch."""
    for name, value in cells.items():
        row, column = map(int, name[2:-1].split(", "))
        assert value == pytest.approx(weight[row, column].item(), abs=5.1e-5), name


@pytest.mark.parametrize("seed", [0, 9, 123, 2**32 - 1])
def test_a_seed_shows_the_numbers_of_torch(seed):
    app = AppDriver().open("lookup", D=5).set(exact_seed=seed)
    weight, _ = torch_tables(50_257, 5, seed)
    first = min(IDS)
    assert f"W[{first}, 0] = {printed(weight[first, 0])}" in app.words
    assert ", ".join(printed(number) for number in weight[IDS[0]]) in app.words
    for number in (0, 1):
        assert_cells(app.cells(number), weight)
    assert set(app.cells()) == {f"W[{i}, {d}]" for i in IDS for d in range(5)}


@pytest.mark.parametrize(
    ("key", "value"), [("exact_vocab_size", 20_000), ("exact_dim", 3), ("row_dim", 2), ("row_vocab_size", 5_000)]
)
def test_another_size_shows_another_table(key, value):
    app = AppDriver().open("lookup", D=4).set(**{key: value})
    V, D = app.state.settings.vocab_size, app.state.settings.dim
    assert value in (V, D)
    assert_cells(app.cells(), torch_tables(V, D, 123)[0])
    assert f"[{V:,}, {D}]" in app.words


def test_vectors_are_in_the_order_of_the_ids():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 5 1")
    weight, _ = torch_tables(6, 3, 123)
    drawn = [row["value"] for row in app.drawn("cell")[1]]
    assert drawn == pytest.approx(weight[[2, 3, 5, 1]].flatten().tolist(), abs=5.1e-5)
    assert app.cells()["W[3, 1]"] == 0.9666


@pytest.mark.parametrize(
    ("form", "shape", "code"),
    [("batch", "[2, 2, 3]", "[[2, 3], [5, 1]]"), ("sequence", "[2, 3]", "[2, 3]"), ("single", "[3]", "2")],
)
def test_output_has_the_shape_of_the_input_and_d(form, shape, code):
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3; 5 1").set(lookup_input=form, lookup_dtype="int32")
    assert f"**token_table(ids)**] `{shape}`" in app.words
    assert f"torch.tensor({code}, dtype=torch.int32)" in app.at.code[0].value


def test_only_rows_in_use_are_framed():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1")
    of_table, of_vectors = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert of_vectors == []
    assert "The batch uses 3 rows, 3 of them framed here." in app.words


def test_rows_that_are_not_in_use_can_be_reached():
    app = AppDriver().open("lookup", D=3).set(lookup_rows_in_use=False, lookup_row=50_000)
    assert next(iter(app.cells())) == "W[50000, 0]"
    assert_cells(app.cells(), torch_tables(50_257, 3, 123)[0])
    app.set(lookup_row=50_245)
    assert list(app.cells())[-1] == "W[50256, 2]"


def test_columns_beyond_the_first_sixteen_can_be_reached():
    app = AppDriver().open("lookup", V=6, D=40, ids="0 5").set(lookup_column=24)
    assert next(iter(app.cells())) == "W[0, 24]"
    assert list(app.cells())[-1] == "W[5, 39]"
    assert_cells(app.cells(), torch_tables(6, 40, 123)[0])


def test_a_repeated_id_has_equal_vectors():
    app = AppDriver().open("lookup", V=6, D=3, ids="4 2 4")
    assert "occurs at positions 0 and 2; both vectors are equal: **True**" in app.words
    assert "both vectors are equal" not in app.set(setting_ids="4 2 1").words


def test_the_table_is_shown_for_ids_out_of_range():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 9")
    assert app.errors()
    assert set(app.cells()) == {f"W[{i}, {d}]" for i in range(6) for d in range(3)}
