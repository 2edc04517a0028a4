import pytest

from components.base.presets import SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver, torch_tables

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]  # two windows of four


@pytest.mark.parametrize(("V", "D", "seed"), [(50_257, 5, 0), (50_257, 5, 2**32 - 1), (20_000, 3, 123)])
def test_table_and_vectors_have_the_numbers_of_torch(V, D, seed):
    app, (weight, _) = AppDriver().open("lookup", V=V, D=D, seed=seed), torch_tables(V, D, seed)
    assert f"W[{min(IDS)}, 0] = {weight[min(IDS), 0]:.4f}" in app.words
    assert ", ".join(f"{number:.4f}" for number in weight[IDS[0]]) in app.words
    assert f"[{V:,}, {D}]" in app.words
    assert app.numbers(0) == pytest.approx(weight[sorted(set(IDS))].flatten().tolist(), abs=5.1e-5)
    assert app.numbers(1) == pytest.approx(weight[IDS].flatten().tolist(), abs=5.1e-5)
    assert set(app.cells()) == {f"W[{i}, {d}]" for i in IDS for d in range(D)}


@pytest.mark.parametrize(
    ("form", "shape", "code"),
    [("batch", "[2, 2, 3]", "[[2, 3], [5, 1]]"), ("sequence", "[2, 3]", "[2, 3]"), ("single", "[3]", "2")],
)
def test_output_has_the_shape_of_the_input_and_d(form, shape, code):
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3; 5 1", input=form, dtype="int32")
    assert f"**token_table(ids)**] `{shape}`" in app.words
    assert f"torch.tensor({code}, dtype=torch.int32)" in app.code()[0]


def test_rows_in_use_are_framed_and_a_repeated_id_has_equal_vectors():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1")
    of_table, of_vectors = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert of_vectors == []
    assert "The batch uses 3 rows, 3 of them framed here." in app.words
    assert "ID **3** occurs at positions 1 and 2; both vectors are equal: **True**" in app.words
    assert "both vectors are equal" not in app.set(setting_ids="4 2 1").words


def test_rows_and_columns_beyond_the_first_can_be_reached():
    app = AppDriver().open("lookup", D=40).set(lookup_rows_in_use=False, lookup_row=50_000, lookup_column=24)
    assert next(iter(app.cells())) == "W[50000, 24]"
    assert app.numbers() == pytest.approx(
        torch_tables(50_257, 40, 123)[0][50_000:50_012, 24:].flatten().tolist(), abs=5.1e-5
    )
    assert list(app.set(lookup_row=50_245).cells())[-1] == "W[50256, 39]"
