import pytest
from lab import Lab, printed, torch_tables

from components.core.presets import SAMPLE_TEXT
from components.core.tokenizers import get_tokenizer

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]  # two windows of four


def assert_cells(cells, weight):
    """Each cell called W[i, d] holds what torch has drawn there."""
    for name, value in cells.items():
        row, column = map(int, name[2:-1].split(", "))
        assert value == pytest.approx(weight[row, column].item(), abs=5.1e-5), name


@pytest.mark.parametrize("seed", [0, 9, 123, 2**32 - 1])
def test_another_seed_shows_the_numbers_that_torch_draws_from_it(seed):
    lab = Lab().open("lookup", D=5).set(setting_seed=seed)
    weight, _ = torch_tables(50_257, 5, seed)
    first = min(IDS)
    assert f"W[{first}, 0] = {printed(weight[first, 0])}" in lab.words
    assert ", ".join(printed(number) for number in weight[IDS[0]]) in lab.words
    for number in (0, 1):
        assert_cells(lab.cells(number), weight)
    assert set(lab.cells()) == {f"W[{i}, {d}]" for i in IDS for d in range(5)}


@pytest.mark.parametrize(("key", "value"), [("setting_vocab_size", 20_000), ("setting_dim", 3), ("slider_dim", 2)])
def test_another_size_draws_another_table(key, value):
    lab = Lab().open("lookup", D=4).set(**{key: value})
    V, D = lab.state.settings.vocab_size, lab.state.settings.dim
    assert value in (V, D)
    assert_cells(lab.cells(), torch_tables(V, D, 123)[0])
    assert f"[{V:,}, {D}]" in lab.words


def test_the_vectors_come_in_the_order_of_the_ids():
    lab = Lab().open("lookup", V=6, D=3, ids="2 3 5 1")
    weight, _ = torch_tables(6, 3, 123)
    drawn = [row["value"] for row in lab.drawn("cell")[1]]
    assert drawn == pytest.approx(weight[[2, 3, 5, 1]].flatten().tolist(), abs=5.1e-5)
    assert lab.cells()["W[3, 1]"] == 0.9666


@pytest.mark.parametrize(
    ("form", "shape", "code"),
    [("batch", "[2, 2, 3]", "[[2, 3], [5, 1]]"), ("sequence", "[2, 3]", "[2, 3]"), ("single", "[3]", "2")],
)
def test_the_output_has_the_shape_of_the_input_and_d_behind_it(form, shape, code):
    lab = Lab().open("lookup", V=6, D=3, ids="2 3; 5 1").set(choice_input=form, choice_dtype="int32")
    assert f"**token_table(ids)**] `{shape}`" in lab.words
    assert f"torch.tensor({code}, dtype=torch.int32)" in lab.at.code[0].value


def test_the_rows_in_use_are_framed_and_no_others():
    lab = Lab().open("lookup", V=6, D=3, ids="2 3 3 1")
    of_table, of_vectors = lab.drawn("idea")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert of_vectors == []
    assert "The batch uses 3 rows, 3 of them framed here." in lab.words


def test_rows_that_are_not_in_use_can_be_reached():
    lab = Lab().open("lookup", D=3).set(choice_rows_in_use=False, choice_row=50_000)
    assert next(iter(lab.cells())) == "W[50000, 0]"
    assert_cells(lab.cells(), torch_tables(50_257, 3, 123)[0])
    lab.set(choice_row=50_245)
    assert list(lab.cells())[-1] == "W[50256, 2]"


def test_columns_beyond_the_first_sixteen_can_be_reached():
    lab = Lab().open("lookup", V=6, D=40, ids="0 5").set(choice_column=24)
    assert next(iter(lab.cells())) == "W[0, 24]"
    assert list(lab.cells())[-1] == "W[5, 39]"
    assert_cells(lab.cells(), torch_tables(6, 40, 123)[0])


def test_the_same_id_gives_the_same_vector_wherever_it_stands():
    lab = Lab().open("lookup", V=6, D=3, ids="4 2 4")
    assert "stands at places 0 and 2; its vectors are equal: **True**" in lab.words
    assert "its vectors are equal" not in lab.set(choice_ids="4 2 1").words


def test_a_batch_that_a_table_has_no_row_for_still_shows_the_table():
    lab = Lab().open("lookup", V=6, D=3, ids="2 9")
    assert lab.errors()
    assert set(lab.cells()) == {f"W[{i}, {d}]" for i in range(6) for d in range(3)}
