import pytest
import torch
from lab import Lab, torch_tables

PAGES_WITH_IDS = ["lookup", "one_hot", "positions", "combine"]


@pytest.mark.parametrize("page", PAGES_WITH_IDS)
@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("1 2; 3", ["2, 1"]),
        ("1 x 3", ["'x'"]),
        ("1.5 2", ["'1.5'"]),
        ("1 2 3 4 5 6", ["6 IDs", "T = 4"]),
        ("-3 1", ["ID -3", "place 0", "start at 0"]),
        ("0 1; 2 6", ["ID 6", "place 3", "V = 6", "V = 7"]),
        ("9" * 30, ["9"]),
        ("; ; ;", ["no IDs"]),
        ("1 " * 200, ["200"]),
        ("__import__('os')", ["'_'"]),
    ],
)
def test_ids_that_make_no_batch_are_named_in_a_sentence(page, typed, named):
    lab = Lab().open(page, V=6, D=3).set(choice_ids=typed)
    (sentence,) = lab.errors()
    for part in named:
        assert part in sentence
    assert lab.widget("choice_ids").value == typed


@pytest.mark.parametrize("typed", ["1 5; 2 4", "[[1, 5], [2, 4]]", " 1,5 ; 2,4 "])
def test_ids_may_be_typed_in_several_ways(typed):
    lab = Lab().open("lookup", V=6, D=3).set(choice_ids=typed)
    weight, _ = torch_tables(6, 3, 123)
    drawn = [row["value"] for row in lab.drawn("cell")[1]]
    assert drawn == pytest.approx(weight[torch.tensor([1, 5, 2, 4])].flatten().tolist(), abs=5.1e-5)


def test_the_repair_of_typed_ids_makes_the_table_just_large_enough():
    lab = Lab().open("combine", V=6, D=3, ids="0 41")
    lab.press("Set V to 42")
    assert not lab.errors()
    assert lab.state.settings.vocab_size == 42


@pytest.mark.parametrize("typed", ["-1 2", "500000"])
def test_ids_that_no_table_can_hold_get_no_button(typed):
    lab = Lab().open("lookup", V=6, D=1, ids=typed)
    assert lab.errors()
    assert not [button for button in lab.at.main.button if button.label.startswith("Set V")]


def test_an_emptied_entry_gives_the_batch_back_to_the_text():
    lab = Lab().open("lookup", ids="2 3 5 1")
    assert "[1, 4, 16]" in lab.words
    assert "[2, 4, 16]" in lab.set(choice_ids="").words


def test_a_new_text_takes_over_from_typed_ids():
    lab = Lab().open("lookup", ids="2 3 5 1").set(text="the cat in the hat sat")
    assert lab.widget("choice_ids").value == ""
    assert "W[1169, 0]" in lab.cells()
