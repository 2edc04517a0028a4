import re
from html import unescape
from xml.etree import ElementTree

import pytest
import torch

from components.embedding.tables import token_table
from components.lessons.lookup.figure import lookup_figure
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver, torch_tables
from tests.states import RIVER

IDS = get_tokenizer("gpt2").encode(RIVER)[:8]  # two windows of four


@pytest.mark.parametrize(("V", "D", "seed"), [(50_257, 5, 0), (50_257, 5, 2**32 - 1), (20_000, 3, 123)])
def test_figure_and_table_have_the_numbers_of_torch(V, D, seed):
    app = AppDriver().open("lookup", V=V, D=D, seed=seed, text=RIVER).open_sections()
    weight, _ = torch_tables(V, D, seed)
    assert f"W[{min(IDS)}, 0] = {weight[min(IDS), 0]:.4f}" in app.words
    assert app.numbers() == pytest.approx(weight[sorted(set(IDS))].flatten().tolist(), abs=5.1e-5)
    assert set(app.cells()) == {f"W[{i}, {d}]" for i in IDS for d in range(D)}
    drawn = re.findall(r">(−?\d\.\d\d)</text>", app.learner.outputs.figure.drawing)
    assert drawn[:D] == [f"{number:.2f}".replace("-", "−") for number in weight[min(IDS)]]


@pytest.mark.parametrize(
    ("form", "shape", "code"),
    [("batch", "[2, 2, 3]", "[[2, 3], [5, 1]]"), ("sequence", "[2, 3]", "[2, 3]"), ("single", "[3]", "2")],
)
def test_output_has_the_shape_of_the_input_and_d(form, shape, code):
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3; 5 1", input=form, dtype="int32").open_sections(masked=True)
    assert f"`{shape}`" not in app.words
    assert f"torch.tensor({code}, dtype=torch.int32)" in app.code()[0]
    assert f">{shape}<" not in app.learner.outputs.figure.drawing  # what the prediction asks for
    assert f">{shape}<" in app.press("Show me").learner.outputs.figure.drawing
    assert f"**token_table(ids)**] `{shape}`" in app.words


def test_rows_in_use_are_framed_and_a_repeated_id_is_named():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1").open_sections()
    (of_table,) = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert "The batch uses 3 rows, 3 of them framed here." in app.words
    assert "4 IDs select 3 rows of V = 6. ID 3 occurs more than once: every copy is the same row." in app.words
    assert "more than once" not in app.set(setting_ids="4 2 1").words


def test_rows_and_columns_beyond_the_first_can_be_reached():
    app = AppDriver().open("lookup", D=40).open_sections()
    app.set(lookup_rows_in_use=False, lookup_row=50_000, lookup_column=24)
    assert next(iter(app.cells())) == "W[50000, 24]"
    assert app.numbers() == pytest.approx(
        torch_tables(50_257, 40, 123)[0][50_000:50_012, 24:].flatten().tolist(), abs=5.1e-5
    )
    assert list(app.set(lookup_row=50_245).cells())[-1] == "W[50256, 39]"
    assert app.learner.outputs.figure.columns == [24, 25, 26, 27, 39]


@pytest.mark.parametrize(
    ("at", "first", "turns"), [(0, 0, [9]), (8, 0, [9]), (9, 9, [8, 18]), (19, 11, [10]), (10**4, 11, [10])]
)
def test_tokens_beyond_the_first_can_be_shown(at, first, turns):
    app = AppDriver().open(
        "lookup", V=20, D=2, T=10, B=2, ids="[[0,1,2,3,4,5,6,7,8,9],[10,11,12,13,14,15,16,17,18,19]]"
    )
    figure = app.open("lookup", lookup_token=at).press("Show me").learner.outputs.figure
    assert re.findall(r"(\[\d, \d\]), ID \d+: row (\d+) of", figure.reading) == [
        (str([*divmod(n, 10)]), str(n)) for n in range(first, first + 9)
    ]
    assert f"IDs {first} to {first + 8} of 20." in figure.reading
    assert [int(n) for n in re.findall(r'{"lookup_token": (\d+)}', unescape(figure.drawing))] == turns
    assert "lookup_token" not in app.set(setting_ids="1 2 3").learner.outputs.figure.drawing


@pytest.mark.parametrize(
    ("shape", "V", "D"), [((), 1, 1), ((1, 1), 1, 1_024), ((64, 1_024), 50, 2), ((2, 4), 50_257, 5), ((3,), 2, 64)]
)
@pytest.mark.parametrize("masked", [False, True])
def test_figure_of_any_shape_is_small_and_has_a_part_for_each_row(shape, V, D, masked):
    ids = torch.randint(V, shape, generator=torch.Generator().manual_seed(1))
    part = range(max(0, ids.numel() - 9), ids.numel())
    figure = lookup_figure(ids, ["<b>&"] * len(part), part, token_table(V, D, 1).weight.detach(), 10**6, masked)
    shown = ids.flatten()[-9:].tolist()
    assert figure.drawing.count("data-stop") == len(shown)
    assert figure.drawing.count('class="cell') == (len(set(shown)) + (not masked) * len(shown)) * min(D, 5)
    assert figure.lit in map(str, shown)
    assert figure.column in figure.columns
    assert figure.height <= 390
    assert len(figure.svg()) < 31_000
    assert "<b>" not in figure.drawing
    ElementTree.fromstring(figure.file())  # as a file of its own it is valid XML
    assert all(f"row {row}" in figure.reading for row in shown)
