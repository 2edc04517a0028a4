"""A batch that cannot be made: every page that needs one shows why, and offers a fix."""

import pytest

from tests.app_driver import AppDriver


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("1 2; 3", "The sequences have 2 and 1 IDs: in a batch all sequences have the same length."),
        ("-3 1", "ID −3 at position 0 is out of range for V = 6 (valid: 0 to 5). IDs start at 0."),
        ("0 1; 2 6", "ID 6 at position 3 is out of range for V = 6 (valid: 0 to 5). V = 7 would fit all IDs here."),
        (
            "500000",
            "ID 500,000 at position 0 is out of range for V = 6 (valid: 0 to 5). The largest V here is 200,019.",
        ),
    ],
)
def test_typed_ids_that_make_no_batch_are_named(typed, error):
    app = AppDriver().open("lookup", V=6, D=3, ids=typed).open_sections()
    assert app.errors() == [error]
    assert app.state.settings.ids == typed
    assert [label for label in app.labels() if label.startswith("Set V")] == ["Set V to 7"] * (typed == "0 1; 2 6")
    assert set(app.cells()) == {f"W[{i}, {d}]" for i in range(6) for d in range(3)}  # the table is shown all the same


@pytest.mark.parametrize("page", ["lookup", "one_hot", "positions", "combine"])
def test_id_out_of_range_is_named_and_the_button_fixes_it(page):
    app = AppDriver().open(page, V=1000, text="the cat in the hat")
    range_of_ids = "out of range for V = 1,000 (valid: 0 to 999). V = 3,798 would fit all IDs here."
    assert app.errors() == [f"ID 1,169 at position 0, and 1 more, are {range_of_ids}"]
    app.open_panel("settings").press("Set V to 3,798")
    assert not app.errors()
    assert app.widget("exact_vocab_size").value == app.state.settings.vocab_size == 3_798
    if app.widgets("row_vocab_size"):
        assert app.widget("row_vocab_size").value == 2_000  # the largest step below
    assert app.charts() or app.learner.outputs.figure


def test_fix_that_would_be_too_large_is_refused():
    app = AppDriver().open("lookup", V=1000, D=1024, ids="50256").press("Set V to 50,257")
    assert any("limit" in warning for warning in app.warnings())
    assert (app.state.settings.vocab_size, app.state.settings.dim) == (1000, 1024)


@pytest.mark.parametrize("page", ["windows", "training"])
def test_too_short_text_shows_how_many_tokens_are_missing(page):
    app = AppDriver().open(page, tokenizer="words", T=8, text="a b")
    needed = "one window of T = 8 and its targets need 9 tokens: 7 are missing. Write more, or lower T to 1."
    assert app.errors() == [f"Your text has 2 tokens; {needed}"]
    assert not app.press("Set T to 1").errors()
    needed = "one window of T = 1 and its target need 2 tokens: 1 is missing. Write more."
    assert app.open(page, text="a").errors() == [f"Your text has 1 token; {needed}"]


def test_missing_text_is_named_and_what_restores_a_batch_is_used():
    app = AppDriver().open("lookup", text="")
    assert app.errors() == ["Your text has 0 tokens; one or more are needed. Write more."]
    assert not app.press("Load the default text").errors()
    app.open("lookup", text="one two three four five six", drop_last=1)
    assert not app.press("Turn drop_last off").errors()
    app = AppDriver().open("training", text="the the the the the", tokenizer="words", drop_last=1)
    assert "1 distinct token" in app.errors()[0]
    assert "Turn drop_last off" not in app.labels()
    app = AppDriver().open("lookup", ids="[[2, 3, 5, 1]]")
    assert "IDs of shape [1, 4]" in app.words
    assert "IDs of shape [2, 4]" in app.set(setting_ids="").words
