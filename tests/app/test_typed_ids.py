import pytest
import torch
from driver import AppDriver, torch_tables

PAGES_WITH_IDS = ["lookup", "one_hot", "positions", "combine"]


@pytest.mark.parametrize("page", PAGES_WITH_IDS)
@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("1 2; 3", ["2, 1"]),
        ("1 x 3", ["'x'"]),
        ("1.5 2", ["'1.5'"]),
        ("1 2 3 4 5 6", ["6 IDs", "T = 4"]),
        ("-3 1", ["ID -3", "position 0", "start at 0"]),
        ("0 1; 2 6", ["ID 6", "position 3", "V = 6", "V = 7"]),
        ("9" * 30, ["9"]),
        ("; ; ;", ["no IDs"]),
        ("1 " * 200, ["200"]),
        ("__import__('os')", ["'_'"]),
    ],
)
def test_ids_that_make_no_batch_show_an_error(page, typed, named):
    app = AppDriver().open(page, V=6, D=3).set(setting_ids=typed)
    (sentence,) = app.errors()
    for part in named:
        assert part in sentence
    assert app.widget("setting_ids").value == typed


@pytest.mark.parametrize("typed", ["1 5; 2 4", "[[1, 5], [2, 4]]", " 1,5 ; 2,4 "])
def test_ids_may_be_typed_in_several_ways(typed):
    app = AppDriver().open("lookup", V=6, D=3).set(setting_ids=typed)
    weight, _ = torch_tables(6, 3, 123)
    drawn = [row["value"] for row in app.drawn("cell")[1]]
    assert drawn == pytest.approx(weight[torch.tensor([1, 5, 2, 4])].flatten().tolist(), abs=5.1e-5)


@pytest.mark.parametrize("typed", ["-1 2", "500000"])
def test_ids_that_no_table_can_fit_get_no_button(typed):
    app = AppDriver().open("lookup", V=6, D=1, ids=typed)
    assert app.errors()
    assert not [button for button in app.at.main.button if button.label.startswith("Set V")]


def test_an_emptied_field_of_ids_uses_the_text_again():
    app = AppDriver().open("lookup", ids="2 3 5 1")
    assert "[1, 4, 16]" in app.words
    assert "[2, 4, 16]" in app.set(setting_ids="").words


def test_a_new_text_clears_the_typed_ids():
    app = AppDriver().open("lookup", ids="2 3 5 1").set(text="the cat in the hat sat")
    assert app.widget("setting_ids").value == ""
    assert app.warnings() == ["Using your text again. The typed or preset IDs were cleared."]
    assert "W[1169, 0]" in app.cells()
