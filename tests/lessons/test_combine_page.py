import math
import re
from collections import Counter
from unittest.mock import Mock

import pytest
import torch

from components.base.settings import Settings
from components.embedding.norm_ratio import NormRatio
from components.embedding.walkthrough import walk
from components.figures.cells import FULL_COLOR, number
from components.lessons.combine import page
from components.lessons.combine.figure import combine_figure
from components.lessons.combine.figure_move import move_figure
from components.lessons.combine.page import trained_norms
from tests.app_driver import AppDriver
from tests.figures.drawn import all_of, names, root_of, texts
from tests.figures.geometry import boxes, check_axis, check_colors, check_layout, stacked
from tests.figures.on_figure.combine import sheets

IDS = torch.tensor([[2, 3, 5, 1], [0, 1, 1, 4]])
V, D, T, SEED = 6, 6, 4, 42


def open_app(position="learned", **query):
    return AppDriver().open("combine", V=V, D=D, T=T, seed=SEED, ids="2 3 5 1; 0 1 1 4", position=position, **query)


@pytest.mark.parametrize(
    ("scale", "positions"),
    [
        (False, {"position": "learned"}),
        (True, {"layout": "interleaved"}),
        (False, {"layout": "halves"}),
        (True, {"position": "none"}),
        (False, {"position": "none"}),
    ],
)
def test_figure_of_a_step_has_its_tensors(scale, positions):
    steps, shown = walk(IDS, Settings(V, D, SEED, scale=scale, **positions)), []
    for name, tensor in steps.items():
        figure, root = combine_figure(steps, ["a"] * T, (1, 0, 0), stage=name), math.sqrt(D) if scale else 1
        check_layout(figure)
        check_colors(figure, FULL_COLOR * (root if name not in ("ids", "token") else 1))
        assert f">{[*tensor.shape]}" in figure.drawing
        assert (f"token embeddings × √{D}" in figure.drawing) == (scale and name not in ("ids", "token"))
        block = [tensor[-1] if tensor.dim() == 3 else tensor] if name != "ids" else []
        shown = block if name in ("ids", "scaled") else shown[: 1 + (name == "combined")] + block
        found = Counter(box.text for box in boxes(figure) if box.kind == "cell")
        assert found == Counter(number(each) for rows in shown for each in rows[:, [0, 1, 2, 3, 5]].flatten().tolist())
        assert sheets(figure) == {"ids": 0, "position_broadcast": 2, "combined": 2}.get(name, 1)
        assert figure.drawing.count("stroke-dasharray") == (name == "position_broadcast")
        assert ("readout" in figure.drawing) == (name == "combined")


@pytest.mark.parametrize(("dim", "root", "extra"), [(1, 1.0, 0), (6, 1.0, 0), (300, math.sqrt(300), 0), (9, 1.0, 2)])
def test_figure_of_a_moved_token_has_both_sums_and_difference(dim, root, extra):
    generator = torch.Generator().manual_seed(dim)
    token, P = torch.randn(dim, generator=generator), torch.randn(9, dim, generator=generator)
    figure = move_figure("W[<b>]", token * root, P, (8, 2), dim - 1, root, extra)
    first = max(0, dim - 5 - extra)
    vectors = [token * root, P[8], token * root + P[8], token * root, P[2], token * root + P[2], P[2] - P[8]]
    cells = [box.text for box in boxes(figure) if box.kind == "cell"]
    assert cells == [number(value, 2) for vector in vectors for value in vector[first:].tolist()]
    assert (figure.lit, figure.column, figure.columns[-1]) == ("position", dim - 1, dim - 1)
    check_layout(figure)
    check_colors(figure, FULL_COLOR * root)
    check_axis(figure)
    heights = {kind: {box.middle for box in boxes(stacked(figure)) if box.kind == kind} for kind in ("chip", "cell")}
    assert heights["chip"] == heights["cell"]  # on a phone each row has its name beside it as well
    (shown,) = all_of(root_of(figure), "g[@class='numbers']")  # whatever is lit
    assert len([each for each in shown.iter() if "--share" in each.get("style", "")]) == len(cells)
    found = {each.text for each in texts(figure)}
    headings = {"one token", "two positions", "token", "position", "sum", "change of the sum", "P[2] − P[8]"}
    assert headings | {"at position 8", "at position 2"} <= found
    assert {"W[<b>] + P[8]", "W[<b>] + P[2]"} <= found
    by_part = [", ".join(number(each) for each in vector[first:].tolist()) for vector in vectors]
    shown = f"columns {', '.join(map(str, range(first, dim)))}: "
    for part, n in (("token", 0), ("position", 1), ("combined", 2)):
        assert names(figure)[part] == f"{part}, {shown}{by_part[n]}; {by_part[n + 3]}"
    assert figure.reading.endswith(f"in {shown}{by_part[2]}; {by_part[5]}. Change: {by_part[6]}")


@pytest.mark.parametrize("scale", [0, 1])
def test_colors_of_a_moved_token_fit_its_scale(monkeypatch, scale):
    drawing = Mock(wraps=move_figure)
    monkeypatch.setattr(page, "move_figure", drawing)
    open_app(scale=scale).open_sections()
    check_colors(move_figure(*drawing.call_args.args), FULL_COLOR * math.sqrt(D) ** scale)


def test_indices_are_clamped_to_a_smaller_batch():
    app = open_app(b=1, t=3, d=5, move=3, to=2).open_sections().set(setting_ids="3 3")
    assert [app.widget(f"combine_{name}").value for name in ("t", "d", "move", "to")] == [1, 5, 1, 1]


def test_negative_cosine_has_a_true_minus_sign():
    row = AppDriver().open("combine", T=1, B=1, D=1).open_sections().tables()[-1][0]
    assert row["cosine of sum and token"] == "−1.0000"


def test_the_row_of_the_settings_is_marked():
    rows = open_app("learned", scale=1).open_sections().tables()[-1]
    assert [row["tokens"] for row in rows] == ["as they are", "times √D (now)", "as they are", "times √D"]
    assert "each combined embedding is a token embedding times √D." in open_app("none", scale=1).words
    assert "(now)" not in str(
        open_app("none").open_sections().tables() + open_app(init_std="0.02").open_sections().tables()
    )


@pytest.mark.parametrize(
    ("ratio", "cosine", "words"),
    [
        (1.09, 0.71, "the same norms as .* as much of"),
        (1.11, 0.73, "larger norms than .* more of"),
        (0.92, 0.69, "the same norms as .* as much of"),
        (0.9, 0.67, "smaller norms than .* less of"),
    ],
)
def test_norms_of_trained_rows_are_compared_in_words(ratio, cosine, words):
    compared = trained_norms(NormRatio(ratio, 1.0, ratio, cosine), NormRatio(1.0, 1.0, 1.0, 0.7))
    assert re.search(f"embeddings of this batch have .*{words} the token is left in it", compared)
