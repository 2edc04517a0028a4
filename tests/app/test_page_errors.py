"""Errors: every experiment is predicted, run and fixed on the page; other pages lead to it with their case."""

import pytest
import torch
from driver import PAGES, AppDriver

from components.base.presets import SAMPLE_TEXT
from components.failures.catalogue import FAILURES, run_failure
from components.failures.experiment import describe_rows
from components.failures.remarks import REMARKS
from components.failures.views import format_result
from components.lessons.errors.choices import OTHER, SILENT
from components.text.tokenizers import get_tokenizer


def output_of(app: AppDriver) -> str:
    """Return what the program raised or returned: the second box of code, after the program itself."""
    return app.at.code[1].value


def invalid_ids(app: AppDriver) -> list[str]:
    """Return the IDs that the grid marks."""
    return [cell["value"] for cell in app.drawn("reading")[0] if cell["color_role"] == "error"]


def test_nothing_runs_before_the_button_is_pressed():
    app = AppDriver().open("errors")
    assert len(app.at.code) == 1
    assert app.at.code[0].value == run_failure("id_equals_v").code.rstrip()
    assert "raised by this code" not in app.words
    assert not app.charts()


@pytest.mark.parametrize("name", FAILURES)
def test_every_experiment_is_predicted_run_and_fixed(name):
    outcome = run_failure(name)
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    app = AppDriver().open("errors").set(experiment=name)
    assert app.at.code[0].value == outcome.code.rstrip()
    app.set(guess=raised).press("Run")
    assert ("raised by this code and caught" if outcome.exception else "Output of the last line:") in app.words
    assert f"Your guess, **{raised}**, is correct." in app.words
    if outcome.exception:
        assert output_of(app) == f"line {outcome.run.line}:  {outcome.failed}\n{outcome.run.raised.strip()}"
    assert str(outcome.invalid_values[0]) in app.words.replace("\u2060", "")
    app.press("Show the fix")
    program, result = [code.value for code in app.at.code][-2:]
    assert program == outcome.fix.rstrip()
    assert result == format_result(outcome.fixed.result)


def test_a_wrong_guess_shows_what_was_raised():
    app = AppDriver().open("errors").set(guess="KeyError").press("Run")
    assert "Your guess was **KeyError**; it is **IndexError**." in app.words


def test_running_without_a_guess_shows_no_verdict():
    assert "Your guess" not in AppDriver().open("errors").press("Run").words


def test_another_experiment_begins_without_guess_run_and_fix():
    app = (
        AppDriver()
        .open("errors")
        .set(guess="IndexError")
        .press("Run")
        .press("Show the fix")
        .set(experiment="dim_mismatch")
    )
    choices = app.state.choices
    assert (choices.guess, choices.ran, choices.repaired) == ("", False, False)
    assert len(app.at.code) == 1


def test_a_hidden_experiment_can_be_guessed_again():
    app = AppDriver().open("errors").set(guess="IndexError").press("Run").press("Hide result")
    assert app.state.choices.guess == ""
    assert len(app.at.code) == 1


@pytest.mark.parametrize("name", FAILURES)
def test_every_experiment_shows_its_remark(name):
    assert f"**What to notice.** {REMARKS[name]}" in AppDriver().open("errors", experiment=name, ran=1).words


@pytest.mark.parametrize("name", ["padding_idx_outside", "padding_idx_negative"])
def test_padding_idx_shows_no_chart_of_tables(name):
    app = AppDriver().open("errors", experiment=name, ran=1)
    assert "There is no table" not in app.words
    assert ("while the table is built" in app.words) == (name == "padding_idx_outside")
    assert not app.charts()


@pytest.mark.parametrize("name", ["one_hot_without_num_classes", "one_hot_integers"])
def test_a_failed_product_shows_its_shapes_or_nothing(name):
    app = AppDriver().open("errors", experiment=name, ran=1)
    assert "Nothing here is marked" not in app.words
    assert not app.charts()
    assert ("| hot | 3 | 5 |  |\n| W |  | 6 | 3 |" in app.words) == (name == "one_hot_without_num_classes")


def test_an_empty_batch_shows_why_there_is_no_figure():
    assert "there is nothing to show" in AppDriver().open("errors", experiment="own", ran=1, lab_ids="[[]]").words


@pytest.mark.parametrize("V", [1, 9, 5_000])
def test_another_v_changes_code_output_and_tables(V):
    app = AppDriver().open("errors", ran=1).set(id_equals_v_V=V)
    assert f"V = {V}\n" in app.at.code[0].value.replace("_", "")
    assert f"ids[0, 2] = {V}: the token table {describe_rows(V)}" in app.words
    assert [row["label"] for row in app.drawn("x2")[-1]] == [f"row {V:,}: missing"]
    assert f"token_table has no row {V:,}" in app.words


def test_the_table_that_is_out_of_range_is_named():
    app = AppDriver().open("errors", experiment="past_position_table", ran=1).set(past_position_table_extra=3)
    missing = [(row["table"], row["label"]) for row in app.drawn("x2")[-1]]
    assert missing == [("position_table", f"row {i}: missing") for i in (4, 5, 6)]
    assert "token_table: all requested rows exist; position_table has no row 4, 5, 6." in app.words
    assert "**Line 16 failed:** `position_table(positions)`" in app.words


@pytest.mark.parametrize(
    ("ids", "bad"),
    [
        ("2 3 9", ["9"]),
        ("[[2, -1], [7, 0]]", ["-1", "7"]),
        ("1.5 2", ["1.5", "2"]),
        ("1 2; 3", ["3"]),
        ("0 1 2 3 4 5", ["4", "5"]),
        ("0 1", []),
    ],
)
def test_invalid_own_ids_are_marked(ids, bad):
    app = AppDriver().open("errors", experiment="own", ran=1).set(own_ids=ids)
    assert invalid_ids(app) == bad


def test_own_sizes_and_dtype_change_what_is_raised():
    app = AppDriver().open("errors", experiment="own", ran=1, lab_ids="2 3")
    assert "**No error.**" in app.words
    app.set(own_dtype="float32")
    assert output_of(app).splitlines()[1].startswith("RuntimeError: ")
    app.set(own_dtype="int32", own_V=3)
    assert output_of(app).splitlines()[1].startswith("IndexError: ")
    app.set(own_V=4, own_T=1)
    assert output_of(app).splitlines()[0] == "line 17:  position_table(positions)"
    app.set(own_T=2, own_D=0)
    assert "has no elements" in app.words


@pytest.mark.parametrize("ids", ["two", "__import__('os')", "[1, 2", "1 " * 300, "1e999", "<b>1</b>"])
def test_own_ids_that_are_no_numbers_show_an_error(ids):
    app = AppDriver().open("errors", experiment="own", ran=1, lab_ids=ids)
    assert len(app.errors()) == 1
    assert not app.charts()
    assert not app.set(own_ids="1 2").errors()


def test_a_tensor_too_large_to_run_shows_the_limit():
    app = AppDriver().open("errors", lab_V=200_019, lab_D=64)
    assert "Lower D to 5." in app.errors()[0]
    assert not app.set(id_equals_v_D=5).errors()


@pytest.mark.parametrize("word", ["'; import os; '", "<img src=x>", ":red[x]", "w]", '"', "\\", "猫"])
def test_an_own_word_is_data(word):
    app = AppDriver().open("errors", experiment="unknown_word", ran=1, repaired=1).set(unknown_word_word=word)
    assert output_of(app).splitlines()[1] == f"KeyError: {word!r}"
    assert app.at.code[-1].value == "[1, 0, 3]"


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"experiment": "foo"}, "experiment = 'foo'"),
        ({"guess": "Error"}, "guess = 'Error'"),
        ({"lab_V": "x"}, "V = 'x'"),
        ({"lab_far": "-3"}, "rows past the end = -3"),
        ({"lab_character": "x"}, "character = 'x'"),
    ],
)
def test_a_bad_value_in_a_link_is_named_and_replaced(query, named):
    app = AppDriver().open("errors", **query)
    assert named in app.warnings()[0]
    assert len(app.at.code) == 1


def test_a_link_opens_experiment_guess_and_numbers():
    app = AppDriver().open("errors", experiment="negative_id", guess="KeyError", ran=1, lab_back=3, lab_V=9)
    assert "ids[0, 1] = -3: the token table has rows 0 to 8" in app.words
    assert "Your guess was **KeyError**" in app.words


def test_other_pages_work_after_every_experiment():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 5 1")
    before, state = app.cells(), torch.get_rng_state()
    for name in FAILURES:
        app.open("errors").set(experiment=name).press("Run").press("Show the fix")
    assert app.open("lookup").cells() == before
    assert torch.equal(torch.get_rng_state(), state)
    for page in PAGES:
        assert not app.open(page).errors()


SEE_ERROR = "See what PyTorch raises here"


@pytest.mark.parametrize("page", ["home", "lookup", "positions", "combine"])
@pytest.mark.parametrize(
    ("query", "failed"),
    [
        ({"V": 6, "D": 3, "ids": "2 3 9 1"}, "token_table(ids)"),
        ({"V": 6, "D": 3, "T": 3, "ids": "2 3 5 1"}, "position_table(positions)"),
        ({"V": 6, "D": 3, "ids": "1 2; 3"}, "torch.tensor(typed_ids)"),
        ({"V": 6, "D": 3, "ids": "1.5 2"}, "token_table(ids)"),
    ],
)
def test_an_error_leads_to_an_experiment_with_its_case(page, query, failed):
    app = AppDriver().open(page, **query)
    assert len(app.errors()) == 1
    app.follow(SEE_ERROR, "errors")
    choices = app.state.choices
    assert (choices.experiment, choices.lab_V, choices.lab_D) == ("own", 6, 3)
    assert choices.lab_ids == query["ids"] or failed == "token_table(ids)"
    assert len(app.at.code) == 1  # guess first
    app.press("Run")
    assert output_of(app).startswith(f"line {'14' if 'tensor' in failed else '16'}:  {failed}")


def test_a_text_out_of_range_leads_there_with_its_window():
    app = AppDriver().open("lookup", V=500)
    ids = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]
    app.follow(SEE_ERROR, "errors").press("Run")
    assert str([ids[:4], ids[4:]]) in app.at.code[0].value
    assert set(invalid_ids(app)) == {str(i) for i in ids if i >= 500}


def test_a_token_out_of_range_leads_there_from_tokens():
    app = AppDriver().open("tokens", V=100)
    app.follow(SEE_ERROR, "errors")
    assert app.state.choices.lab_ids == str(get_tokenizer("gpt2").encode(SAMPLE_TEXT)[0])


def test_positions_leads_to_a_sequence_longer_than_t():
    app = AppDriver().open("positions", T=7).follow("See a sequence longer than the table", "errors").press("Run")
    assert output_of(app).splitlines()[0] == "line 16:  position_table(positions)"
    assert "position_table has no row 7." in app.words


def test_ids_that_are_no_numbers_lead_to_no_experiment():
    app = AppDriver().open("lookup", ids="abc")
    assert app.errors()
    assert SEE_ERROR not in [button.label for button in app.at.button]


def test_the_remark_is_hidden_before_the_run():
    app = AppDriver().open("errors", experiment="silent_pairs")
    assert "raise nothing" not in app.words
    assert "raise nothing" in app.press("Run").words


def test_a_guess_is_fixed_by_the_run_and_cleared_by_new_ids():
    app = AppDriver().open("errors", experiment="own").set(guess="KeyError").press("Run")
    assert app.widget("guess").disabled
    assert "Your guess was **KeyError**" in app.words
    app.set(own_ids="1.5")
    assert app.state.choices.guess == ""
    assert "Your guess" not in app.words


def test_an_unlisted_exception_can_be_guessed():
    app = AppDriver().open("errors", experiment="undecodable_id", lab_token_id=2**40).set(guess=OTHER).press("Run")
    assert f"Your guess, **{OTHER}**, is correct." in app.words
    assert output_of(app).splitlines()[1].startswith("OverflowError")


def test_another_experiment_begins_with_small_sizes():
    app = (
        AppDriver()
        .open("errors", experiment="own", lab_V=50_257, lab_T=1_024, lab_ids="7 8")
        .set(experiment="silent_pairs")
    )
    assert "T = 4\nD = 3\n" in app.at.code[0].value
    assert app.state.choices.lab_ids == "7 8"


@pytest.mark.parametrize(
    "query", [{"experiment": "own", "lab_ids": "1 2 3"}, {"experiment": "unknown_word", "lab_word": "cat"}]
)
def test_what_works_needs_no_fix(query):
    app = AppDriver().open("errors", ran=1, **query)
    assert "nothing to fix" in app.words
    assert "Show the fix" not in [button.label for button in app.at.button]


def test_a_table_that_was_not_used_is_not_named_as_the_cause():
    app = AppDriver().open("errors", experiment="own", ran=1, lab_ids="-9 0 1 2 3 4")
    assert "position_table: not reached" in app.words
    assert invalid_ids(app) == ["-9"]


def test_a_large_grid_shows_how_much_of_it_is_drawn():
    app = AppDriver().open("errors", experiment="own", ran=1, lab_ids=" ".join(map(str, range(100))))
    assert "16 of 100 positions are shown" in app.words
    assert "and 90 more" in app.words
