import math

import pytest
import torch

from tests.app_driver import AppDriver, torch_tables

IDS = torch.tensor([[2, 3, 5, 1], [0, 1, 1, 4]])
V, D, T, SEED = 6, 6, 4, 42


def open_app(**query):
    return AppDriver().open("combine", V=V, D=D, T=T, seed=SEED, ids="2 3 5 1; 0 1 1 4", **query)


def sinusoids(layout="interleaved"):
    """Return the published formula, computed alone."""
    table = torch.tensor([[t / 10_000 ** (pair / 3) for pair in range(3)] for t in range(T)])
    sines, cosines = torch.sin(table), torch.cos(table)
    return torch.hstack([sines, cosines]) if layout == "halves" else torch.stack([sines, cosines], 2).flatten(1)


@pytest.mark.parametrize(("scale", "position"), [(0, "learned"), (1, "interleaved"), (0, "halves"), (1, "none")])
def test_every_step_and_the_chosen_sum_have_the_numbers_of_torch(scale, position):
    layout = {"layout": position} if position in ("interleaved", "halves") else {}
    app = open_app(scale=scale, b=1, position="sinusoidal" if layout else position, **layout)
    W, P = torch_tables(V, D, SEED, T)
    P = sinusoids(position) if layout else P * (position == "learned")
    steps = {"ids": None, "token": W[IDS]} | ({"scaled": W[IDS] * math.sqrt(D)} if scale else {})
    if position != "none":
        steps |= {"position": P, "position unsqueezed": P[None], "position broadcast": P.expand(2, T, D)}
    steps["combined"] = steps["scaled" if scale else "token"] + P
    assert app.widget("combine_step").options == list(steps)
    for number, (name, tensor) in list(enumerate(steps.items()))[1:]:
        app.set(combine_step=number)
        shown = tensor[min(1, len(tensor) - 1)] if tensor.dim() == 3 else tensor
        assert app.numbers() == pytest.approx(shown.flatten().tolist(), abs=5.1e-5)
        assert f"**{name.replace(' ', '_')}**] `{[*tensor.shape]}`" in app.words
    app.set(combine_t=3, combine_d=5)
    terms = [f"{W[4, 5]:.4f}" + (f" × {math.sqrt(D):.4f}" if scale else "")]
    terms += [f"({P[3, 5]:.4f})" if P[3, 5] < 0 else f"{P[3, 5]:.4f}"] * (position != "none")
    assert f"### {' + '.join(terms)} ≈ **{steps['combined'][1, 3, 5]:.4f}**" in app.words
    assert "W[4, 5]" in app.words
    assert "out[1, 3, 5]" in app.words


def test_indices_are_clamped_to_a_smaller_batch():
    app = open_app().set(combine_b=1, combine_t=3, combine_d=5, setting_ids="3 3")
    assert [app.widget(f"combine_{name}").value for name in "btd"] == [0, 1, 5]
    assert "out[0, 1, 5]" in app.words


@pytest.mark.parametrize(("spread", "sigma"), [("D^-0.5", D**-0.5), ("0.02", 0.02)])
def test_laboratory_compares_the_norms_of_torch(spread, sigma):
    app = open_app(spread=spread)
    W, P = torch_tables(V, D, SEED, T)
    for position, table in zip((P * sigma, sinusoids()), app.tables(), strict=True):
        shown = {row["mean"]: [float(cell) for cell in list(row.values())[1:]] for row in table}
        for column, scale in enumerate((1, math.sqrt(D))):
            token = W[IDS] * sigma * scale
            norms = token.norm(dim=-1).mean().item(), position.norm(dim=-1).mean().item()
            cosine = torch.cosine_similarity(token + position, token, dim=-1).mean().item()
            wanted = dict(zip(shown, (*norms, norms[0] / norms[1], cosine), strict=True))
            assert {name: cells[column] for name, cells in shown.items()} == pytest.approx(wanted, abs=1e-4)


def test_position_of_norm_zero_gives_an_infinite_ratio():
    app = AppDriver().open("combine", V=5, D=1, T=1, B=1, position="sinusoidal", ids="3")
    (row,) = [row for row in app.tables()[1] if row["mean"] == "token / position"]
    assert set(list(row.values())[1:]) == {"∞"}
    assert "sin(0) = 0" in app.words
