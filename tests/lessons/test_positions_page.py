import math
import re

import pytest
import torch

from components.figures.cells import number
from tests.app_driver import AppDriver
from tests.embedding.test_embedding import published_element
from tests.programs.labels import same, tensors_of


@pytest.mark.parametrize(("position", "number"), [("learned", 1), ("learned", 99), ("sinusoidal", 7), ("none", 7)])
def test_shuffle_changes_sums_by_the_differences_of_positions(position, number):
    D, T = 7, 5
    app = AppDriver().open("positions", V=6, D=D, T=T, seed=42, ids="2 3 5 1 0", position=position).open_sections()
    app.set(positions_shuffle_seed=number)
    order = torch.randperm(T, generator=torch.Generator().manual_seed(number))
    change = torch.zeros(T, D)
    if position != "none":
        (token,), table = (torch.from_numpy(tensors_of(app)[name]) for name in ("token", "position_rows"))
        change[order] = (token[order] + table) - (token[order] + table[order])
    assert app.numbers(-1) == pytest.approx(change.flatten().tolist(), abs=1.1e-4)


def test_long_and_wide_table_is_shown_in_parts():
    app = AppDriver().open("positions", V=9, D=100, T=70, B=1, ids="1 " * 70, position="sinusoidal")
    app.open_sections().set(positions_position_column=52)
    assert list(app.cells()) == [f"P[{t}, {d}]" for t in range(24) for d in range(52, 100)]
    assert app.cells()["P[3, 99]"] == pytest.approx(published_element(3, 99, 100), abs=5.1e-5)
    assert "Positions 0 to 23 of 70, columns 52 to 99 of 100. P[0, 52] = 0.0000." in app.words
    assert [len(data) for data in app.drawn("position") if "value" in data[0]] == [70]
    assert "The formula also works beyond" not in app.words


@pytest.mark.parametrize(("position", "at"), [("learned", 5), ("sinusoidal", 100)])
def test_notice_has_the_similarities_of_the_figure(position, at):
    app = AppDriver().open("positions", V=50, D=6, T=60, position=position, at=at).press("Show me")
    first = number(published_element(at, 0, 6), 3)
    used = "here it is one of the learned table; " * (position == "learned")
    row = f"depend on the position: {used}in the sinusoidal encoding that of position {at} has D = 6 numbers"
    assert f"{row}, of which the first is {first}." in app.words
    alike = re.search(r"is to others: sinusoidal (.*?); learned (.*?)(?:;|$)", app.learner.outputs.figure.reading)
    fixed, learned = (dict(each.split(" with ")[::-1] for each in kind.split(", ")) for kind in alike.groups())
    far = at + 50 if at < 78 else at - 50
    more = " continued to 128 rows" if max(at, far) >= 60 else ""
    by_formula = rf"similarity of {at} and {at + 1} is (\S+), and that of {at} and {far} is (\S+)"
    found = re.search(rf"{by_formula}; in the learned table{more} they are (\S+) and (\S+):", app.words).groups()
    assert all(map(same, found, [kind[f"{t}"] for kind in (fixed, learned) for t in (at + 1, far)]))
    masked = AppDriver().open("positions", V=50, D=6, T=60, position=position, at=at).words
    assert "The learned table has T = 60 rows; the formula has a row for any position." in masked
    for T, is_longer in (60, position == "learned"), (128, False):
        words = AppDriver().open("positions", V=50, D=6, T=T, position=position, at=at).words
        assert (f"show the learned rows too, those past T = {T} from a longer table" in words) == is_longer


@pytest.mark.parametrize("D", [1, 2, 3, 6, 12])
def test_first_hand_turns_in_two_pi_positions_and_others_slower(D):
    app = AppDriver().open("positions", D=D)
    assert re.findall(r"turns once in (\S+) positions", app.words) == [f"{math.tau:.2f}"]
    hands = {1: "It is the sine", 2: "The two columns are the sine and cosine"}
    assert f"{hands.get(D, 'Each pair of columns is the sine and cosine')} of a clock hand" in app.words
    assert ("each later one more slowly" in app.words) == (D > 2)
    assert ("as D is odd, the last sine has no cosine" in app.words) == (D == 3)
    words = app.press("Show me").words
    alike = re.search(r"similarity of 5 and 6 .*, and that of 5 and 55 .*: (.*?),? while|it is 1 or −1", words)
    why = "with {} hand{}, positions almost a whole number of turns apart are alike, near or not"
    few = {1: None, 2: why.format("one", ""), 3: why.format("few", "s")}
    few[6] = "by the formula neighbors are alike, though not always more than positions far apart"
    assert alike[1] == few.get(D, "by the formula nearby positions are alike")
