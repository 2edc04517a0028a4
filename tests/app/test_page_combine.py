import math
import re

import pytest
import torch
from lab import Lab, printed, torch_tables

IDS = torch.tensor([[2, 3, 5, 1], [0, 1, 1, 4]])
TYPED = "2 3 5 1; 0 1 1 4"
V, D, T, SEED = 6, 6, 4, 42


def open_lab(**query):
    return Lab().open("combine", V=V, D=D, T=T, seed=SEED, ids=TYPED, **query)


def sinusoid(t, d, halves=False):
    """One cell of the published formula, by itself."""
    pair, odd = (d % (D // 2), d >= D // 2) if halves else (d // 2, d % 2 == 1)
    angle = t / 10_000 ** (2 * pair / D)
    return math.cos(angle) if odd else math.sin(angle)


def ledger(lab):
    """The sum as it is written: its terms, and what it gives."""
    (line,) = re.findall(r"^### ([-\d.()+× ]+) ≈ \*\*(-?[\d.]+)\*\*$", lab.words, re.MULTILINE)
    return [term.strip("()") for term in line[0].split(" + ")], line[1]


@pytest.mark.parametrize("place", [(0, 0, 0), (1, 3, 5), (0, 2, 4)])
@pytest.mark.parametrize("scale", [0, 1])
@pytest.mark.parametrize("position", ["learned", "interleaved", "halves", "none"])
def test_the_ledger_writes_the_sum_of_the_chosen_cell(place, scale, position):
    b, t, d = place
    kind = {"position": position if position in ("learned", "none") else "sinusoidal"}
    layout = {"layout": position} if kind["position"] == "sinusoidal" else {}
    lab = open_lab(scale=scale, **kind, **layout).set(choice_b=b, choice_t=t, choice_d=d)
    W, P = torch_tables(V, D, SEED, T)
    weight = W[IDS[b, t], d].item()
    added = {"learned": P[t, d].item(), "none": 0.0}.get(position, sinusoid(t, d, position == "halves"))
    terms, out = ledger(lab)
    assert terms[0] == printed(weight) + (f" × {printed(math.sqrt(D))}" if scale else "")
    assert terms[1:] == ([] if position == "none" else [printed(added)])
    assert float(out) == pytest.approx(weight * (math.sqrt(D) if scale else 1) + added, abs=1.1e-4)
    assert f"W[{IDS[b, t]}, {d}]" in lab.words
    assert f"out[{b}, {t}, {d}]" in lab.words


def cells_of(lab, step):
    names = [name.replace(" ", "_") for name in lab.widget("steps_here").options]
    lab.set(steps_here=names.index(step))
    return lab.cells()


def test_every_step_draws_the_numbers_of_the_chosen_sequence():
    lab = open_lab(scale=1, b=1)
    W, P = torch_tables(V, D, SEED, T)
    token = W[IDS]
    scaled = token * math.sqrt(D)
    for step, tensor in {"token": token, "scaled": scaled, "combined": scaled + P}.items():
        cells = cells_of(lab, step)
        assert len(cells) == T * D
        for t in range(T):
            for d in range(D):
                assert cells[f"{step}[1, {t}, {d}]"] == pytest.approx(tensor[1, t, d].item(), abs=5.1e-5)
    assert cells_of(lab, "position")["position[3, 5]"] == pytest.approx(P[3, 5].item(), abs=5.1e-5)


def test_all_steps_share_one_scale_of_colour():
    lab, domains = open_lab(scale=1), []
    for step in ("token", "scaled", "position", "combined"):
        cells_of(lab, step)
        domains.append(lab.specs()[0]["layer"][0]["encoding"]["color"]["scale"]["domain"])
    assert len(set(map(tuple, domains))) == 1
    assert domains[0][0] == -domains[0][1]


def test_step_on_and_step_back_move_by_one():
    lab = open_lab()
    assert lab.press("Step on").press("Step on").state.choices.step == 2
    assert lab.press("Step back").state.choices.step == 1


def test_a_position_table_is_one_sheet_that_every_sequence_reads():
    lab = open_lab(position="learned")
    labels = [name["label"] for names in lab.drawn("label") for name in names]
    assert f"position [{T}, {D}]\nread 2 ×" in labels
    sheets = [sheet["sheet"] for data in lab.drawn("sheet") for sheet in data if sheet["idea"] == "position"]
    assert len(sheets) == 2
    assert len(set(sheets)) == 2
    assert not lab.set(setting_position="none").drawn("sheet")


def test_places_are_held_to_a_smaller_batch():
    lab = open_lab().set(choice_b=1, choice_t=3, choice_d=5, choice_ids="3 3")
    assert [lab.widget(f"choice_{name}").value for name in "btd"] == [0, 1, 5]
    assert "out[0, 1, 5]" in lab.words


@pytest.mark.parametrize(("spread", "sigma"), [("1", 1.0), ("D^-0.5", D**-0.5), ("0.02", 0.02)])
def test_the_laboratory_compares_the_lengths_that_torch_gives(spread, sigma):
    lab = open_lab().set(choice_spread=spread)
    W, P = torch_tables(V, D, SEED, T)
    sines = torch.tensor([[sinusoid(t, d) for d in range(D)] for t in range(T)])
    by_kind = zip((P * sigma, sines), lab.tables(), strict=True)  # learned, then sinusoidal
    for position, table in by_kind:
        shown = {row["mean"]: list(row.values())[1:] for row in table}
        for column, scale in enumerate((1, math.sqrt(D))):
            token = W[IDS] * sigma * scale
            lengths = token.norm(dim=-1).mean().item(), position.norm(dim=-1).mean().item()
            cosine = torch.cosine_similarity(token + position, token, dim=-1).mean().item()
            assert float(shown["token length"][column]) == pytest.approx(lengths[0], abs=1e-4)
            assert float(shown["position length"][column]) == pytest.approx(lengths[1], abs=1e-4)
            assert float(shown["token / position"][column]) == pytest.approx(lengths[0] / lengths[1], abs=1e-4)
            assert float(shown["cosine of sum and token"][column]) == pytest.approx(cosine, abs=1e-4)


def test_a_position_of_length_zero_is_told_and_divides_nothing():
    lab = Lab().open("combine", V=5, D=1, T=1, B=1, position="sinusoidal", ids="3")
    (_, sinusoidal) = lab.tables()
    (row,) = [row for row in sinusoidal if row["mean"] == "token / position"]
    assert set(list(row.values())[1:]) == {"∞"}
    assert "sin(0) = 0" in lab.words
    assert "∞" not in lab.set(setting_dim=2).words
