"""Combine: the sum of token and position embeddings, step by step and element by element."""

import math
import re

import pytest
import torch
from driver import AppDriver, printed, torch_tables

IDS = torch.tensor([[2, 3, 5, 1], [0, 1, 1, 4]])
TYPED = "2 3 5 1; 0 1 1 4"
V, D, T, SEED = 6, 6, 4, 42


def open_app(**query):
    return AppDriver().open("combine", V=V, D=D, T=T, seed=SEED, ids=TYPED, **query)


def sinusoid(t, d, halves=False):
    """Return one cell of the published formula, computed alone."""
    pair, odd = (d % (D // 2), d >= D // 2) if halves else (d // 2, d % 2 == 1)
    angle = t / 10_000 ** (2 * pair / D)
    return math.cos(angle) if odd else math.sin(angle)


def written_sum(app):
    """Return the sum as it is written: its terms and its result."""
    (line,) = re.findall(r"^### ([-\d.()+× ]+) ≈ \*\*(-?[\d.]+)\*\*$", app.words, re.MULTILINE)
    return [term.strip("()") for term in line[0].split(" + ")], line[1]


@pytest.mark.parametrize("index", [(0, 0, 0), (1, 3, 5), (0, 2, 4)])
@pytest.mark.parametrize("scale", [0, 1])
@pytest.mark.parametrize("position", ["learned", "interleaved", "halves", "none"])
def test_the_sum_of_the_chosen_element_is_written_out(index, scale, position):
    b, t, d = index
    kind = {"position": position if position in ("learned", "none") else "sinusoidal"}
    layout = {"layout": position} if kind["position"] == "sinusoidal" else {}
    app = open_app(scale=scale, **kind, **layout).set(combine_b=b, combine_t=t, combine_d=d)
    W, P = torch_tables(V, D, SEED, T)
    weight = W[IDS[b, t], d].item()
    added = {"learned": P[t, d].item(), "none": 0.0}.get(position, sinusoid(t, d, position == "halves"))
    terms, out = written_sum(app)
    assert terms[0] == printed(weight) + (f" × {printed(math.sqrt(D))}" if scale else "")
    assert terms[1:] == ([] if position == "none" else [printed(added)])
    assert float(out) == pytest.approx(weight * (math.sqrt(D) if scale else 1) + added, abs=1.1e-4)
    assert f"W[{IDS[b, t]}, {d}]" in app.words
    assert f"out[{b}, {t}, {d}]" in app.words


def cells_of(app, step):
    names = [name.replace(" ", "_") for name in app.widget("combine_step").options]
    app.set(combine_step=names.index(step))
    return app.cells()


def test_every_step_shows_the_numbers_of_torch():
    app = open_app(scale=1, b=1)
    W, P = torch_tables(V, D, SEED, T)
    token = W[IDS]
    scaled = token * math.sqrt(D)
    for step, tensor in {"token": token, "scaled": scaled, "combined": scaled + P}.items():
        cells = cells_of(app, step)
        assert len(cells) == T * D
        for t in range(T):
            for d in range(D):
                assert cells[f"{step}[1, {t}, {d}]"] == pytest.approx(tensor[1, t, d].item(), abs=5.1e-5)
    assert cells_of(app, "position")["position[3, 5]"] == pytest.approx(P[3, 5].item(), abs=5.1e-5)


def test_all_steps_share_one_color_scale():
    app, domains = open_app(scale=1), []
    for step in ("token", "scaled", "position", "combined"):
        cells_of(app, step)
        domains.append(app.specs()[0]["layer"][0]["encoding"]["color"]["scale"]["domain"])
    assert len(set(map(tuple, domains))) == 1
    assert domains[0][0] == -domains[0][1]


def test_broadcasting_shows_one_table_for_all_sequences():
    app = open_app(position="learned")
    labels = [name["label"] for names in app.drawn("label") for name in names]
    assert f"position [{T}, {D}]\nused 2 ×" in labels
    sheets = [sheet["matrix"] for data in app.drawn("matrix") for sheet in data if sheet["color_role"] == "position"]
    assert len(sheets) == 2
    assert len(set(sheets)) == 2
    assert not app.set(all_position="none").drawn("matrix")


def test_indices_are_clamped_to_a_smaller_batch():
    app = open_app().set(combine_b=1, combine_t=3, combine_d=5, setting_ids="3 3")
    assert [app.widget(f"combine_{name}").value for name in "btd"] == [0, 1, 5]
    assert "out[0, 1, 5]" in app.words


@pytest.mark.parametrize(("spread", "sigma"), [("1", 1.0), ("D^-0.5", D**-0.5), ("0.02", 0.02)])
def test_the_laboratory_compares_the_norms_of_torch(spread, sigma):
    app = open_app().set(combine_spread=spread)
    W, P = torch_tables(V, D, SEED, T)
    sines = torch.tensor([[sinusoid(t, d) for d in range(D)] for t in range(T)])
    by_kind = zip((P * sigma, sines), app.tables(), strict=True)  # learned, then sinusoidal
    for position, table in by_kind:
        shown = {row["mean"]: list(row.values())[1:] for row in table}
        for column, scale in enumerate((1, math.sqrt(D))):
            token = W[IDS] * sigma * scale
            lengths = token.norm(dim=-1).mean().item(), position.norm(dim=-1).mean().item()
            cosine = torch.cosine_similarity(token + position, token, dim=-1).mean().item()
            assert float(shown["token norm"][column]) == pytest.approx(lengths[0], abs=1e-4)
            assert float(shown["position norm"][column]) == pytest.approx(lengths[1], abs=1e-4)
            assert float(shown["token / position"][column]) == pytest.approx(lengths[0] / lengths[1], abs=1e-4)
            assert float(shown["cosine of sum and token"][column]) == pytest.approx(cosine, abs=1e-4)


def test_a_position_of_norm_zero_gives_an_infinite_ratio():
    app = AppDriver().open("combine", V=5, D=1, T=1, B=1, position="sinusoidal", ids="3")
    (_, sinusoidal) = app.tables()
    (row,) = [row for row in sinusoidal if row["mean"] == "token / position"]
    assert set(list(row.values())[1:]) == {"∞"}
    assert "sin(0) = 0" in app.words
    assert "∞" not in app.set(exact_dim=2).words
