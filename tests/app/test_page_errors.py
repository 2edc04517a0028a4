import pytest
import torch
from lab import PAGES, Lab

from components.core.choices import OTHER, SILENT
from components.core.failure import rows_named
from components.core.failure_remarks import REMARKS
from components.core.failure_views import printed
from components.core.failures import FAILURES, run_failure
from components.core.presets import SAMPLE_TEXT
from components.core.tokenizers import get_tokenizer


def exhibit_of(lab: Lab) -> str:
    """Return what stands in the exhibit: the second box of code, after the program itself."""
    return lab.at.code[1].value


def idea_of_ids(lab: Lab) -> dict[str, str]:
    return {row["value"]: row["idea"] for row in lab.drawn("reading")[0]}


def test_nothing_runs_before_the_learner_asks_for_it():
    lab = Lab().open("errors")
    assert len(lab.at.code) == 1
    assert lab.at.code[0].value == FAILURES["id_equals_v"].code.rstrip()
    assert "Exhibit" not in lab.words
    assert not lab.charts()


@pytest.mark.parametrize("name", FAILURES)
def test_choose_predict_run_repair(name):
    outcome = run_failure(name)
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    lab = Lab().open("errors").set(experiment=name)
    assert lab.at.code[0].value == outcome.code.rstrip()
    lab.set(guess=raised).press("Run it")
    assert "Exhibit:" in lab.words
    assert f"Your guess, **{raised}**, is right." in lab.words
    if outcome.exception:
        assert exhibit_of(lab) == f"line {outcome.run.line}:  {outcome.failed}\n{outcome.run.raised.strip()}"
    assert str(outcome.offending[0]) in lab.words.replace("\u2060", "")
    lab.press("Repair it")
    program, result = [code.value for code in lab.at.code][-2:]
    assert program == outcome.repair.rstrip()
    assert result == printed(outcome.repaired.result)


def test_a_wrong_guess_is_told_what_came():
    lab = Lab().open("errors").set(guess="KeyError").press("Run it")
    assert "Your guess was **KeyError**; it is **IndexError**." in lab.words


def test_running_without_a_guess_gives_no_verdict():
    assert "Your guess" not in Lab().open("errors").press("Run it").words


def test_another_experiment_starts_without_guess_run_and_repair():
    lab = Lab().open("errors").set(guess="IndexError").press("Run it").press("Repair it").set(experiment="dim_mismatch")
    choices = lab.state.choices
    assert (choices.guess, choices.ran, choices.repaired) == ("", False, False)
    assert len(lab.at.code) == 1


def test_hidden_again_it_can_be_guessed_anew():
    lab = Lab().open("errors").set(guess="IndexError").press("Run it").press("Hide it again")
    assert lab.state.choices.guess == ""
    assert len(lab.at.code) == 1


@pytest.mark.parametrize("name", FAILURES)
def test_what_to_notice_belongs_to_the_experiment(name):
    assert f"**What to notice.** {REMARKS[name]}" in Lab().open("errors", experiment=name, ran=1).words


@pytest.mark.parametrize("name", ["padding_idx_outside", "padding_idx_negative"])
def test_a_padding_row_is_not_said_to_have_no_table(name):
    lab = Lab().open("errors", experiment=name, ran=1)
    assert "There is no table" not in lab.words
    assert ("no lookup is reached" in lab.words) == (name == "padding_idx_outside")
    assert not lab.charts()


@pytest.mark.parametrize("name", ["one_hot_without_num_classes", "one_hot_integers"])
def test_a_failed_product_draws_its_clash_or_nothing(name):
    lab = Lab().open("errors", experiment=name, ran=1)
    assert "Nothing here is marked" not in lab.words
    assert not lab.charts()
    assert ("| hot | 3 | 5 |  |\n| W |  | 6 | 3 |" in lab.words) == (name == "one_hot_without_num_classes")


def test_an_empty_batch_says_why_nothing_is_drawn():
    assert "there is nothing to draw" in Lab().open("errors", experiment="own", ran=1, lab_ids="[[]]").words


@pytest.mark.parametrize("V", [1, 9, 5_000])
def test_another_v_changes_code_exhibit_and_tables(V):
    lab = Lab().open("errors", ran=1).set(id_equals_v_V=V)
    assert f"V, D = {V}, 3" in lab.at.code[0].value
    assert f"ids[0, 2] = {V}: the token table {rows_named(V)}" in lab.words
    assert [row["label"] for row in lab.drawn("x2")[-1]] == [f"row {V:,}: not there"]
    assert f"token_table has no row {V:,}" in lab.words


def test_two_tables_show_which_one_overflowed():
    lab = Lab().open("errors", experiment="past_position_table", ran=1).set(past_position_table_extra=3)
    missing = [(row["table"], row["label"]) for row in lab.drawn("x2")[-1]]
    assert missing == [("position_table", f"row {i}: not there") for i in (4, 5, 6)]
    assert "token_table has every row that it was asked for; position_table has no row 4, 5, 6." in lab.words
    assert "**Line 12 failed:** `position_table(places)`" in lab.words


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
def test_own_ids_are_marked_where_they_cannot_work(ids, bad):
    lab = Lab().open("errors", experiment="own", ran=1).set(own_ids=ids)
    assert [value for value, idea in idea_of_ids(lab).items() if idea == "error"] == bad


def test_own_sizes_and_dtype_change_what_is_raised():
    lab = Lab().open("errors", experiment="own", ran=1, lab_ids="2 3")
    assert "nothing was raised" in lab.words
    lab.set(own_dtype="float32")
    assert exhibit_of(lab).splitlines()[1].startswith("RuntimeError: ")
    lab.set(own_dtype="int32", own_V=3)
    assert exhibit_of(lab).splitlines()[1].startswith("IndexError: ")
    lab.set(own_V=4, own_T=1)
    assert exhibit_of(lab).splitlines()[0] == "line 12:  position_table(places)"
    lab.set(own_T=2, own_D=0)
    assert "holds no numbers" in lab.words


@pytest.mark.parametrize("ids", ["two", "__import__('os')", "[1, 2", "1 " * 300, "1e999", "<b>1</b>"])
def test_what_is_no_list_of_numbers_is_refused_and_the_page_goes_on(ids):
    lab = Lab().open("errors", experiment="own", ran=1, lab_ids=ids)
    assert len(lab.errors()) == 1
    assert not lab.charts()
    assert not lab.set(own_ids="1 2").errors()


def test_a_tensor_too_large_to_run_is_refused_with_the_repair():
    lab = Lab().open("errors", lab_V=200_019, lab_D=64)
    assert "Lower D to 5." in lab.errors()[0]
    assert not lab.set(id_equals_v_D=5).errors()


@pytest.mark.parametrize("word", ["'; import os; '", "<img src=x>", ":red[x]", "w]", '"', "\\", "猫"])
def test_a_word_of_the_learner_is_data(word):
    lab = Lab().open("errors", experiment="unknown_word", ran=1, repaired=1).set(unknown_word_word=word)
    assert exhibit_of(lab).splitlines()[1] == f"KeyError: {word!r}"
    assert lab.at.code[-1].value == "[1, 0, 3]"


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
    lab = Lab().open("errors", **query)
    assert named in lab.warnings()[0]
    assert len(lab.at.code) == 1


def test_a_link_brings_experiment_guess_and_numbers():
    lab = Lab().open("errors", experiment="negative_id", guess="KeyError", ran=1, lab_back=3, lab_V=9)
    assert "ids[0, 1] = -3: the token table has rows 0 to 8" in lab.words
    assert "Your guess was **KeyError**" in lab.words


def test_every_other_page_works_after_every_experiment():
    lab = Lab().open("lookup", V=6, D=3, ids="2 3 5 1")
    before, state = lab.cells(), torch.get_rng_state()
    for name in FAILURES:
        lab.open("errors").set(experiment=name).press("Run it").press("Repair it")
    assert lab.open("lookup").cells() == before
    assert torch.equal(torch.get_rng_state(), state)
    for page in PAGES:
        assert not lab.open(page).errors()


SEE_IT = "See what PyTorch raises here"


@pytest.mark.parametrize("page", ["home", "lookup", "positions", "combine"])
@pytest.mark.parametrize(
    ("query", "failed"),
    [
        ({"V": 6, "D": 3, "ids": "2 3 9 1"}, "token_table(ids)"),
        ({"V": 6, "D": 3, "T": 3, "ids": "2 3 5 1"}, "position_table(places)"),
        ({"V": 6, "D": 3, "ids": "1 2; 3"}, "torch.tensor([[1, 2], [3]])"),
        ({"V": 6, "D": 3, "ids": "1.5 2"}, "token_table(ids)"),
    ],
)
def test_a_refusal_leads_to_that_very_case(page, query, failed):
    lab = Lab().open(page, **query)
    assert len(lab.errors()) == 1
    lab.follow(SEE_IT, "errors")
    choices = lab.state.choices
    assert (choices.experiment, choices.lab_V, choices.lab_D) == ("own", 6, 3)
    assert choices.lab_ids == query["ids"] or failed == "token_table(ids)"
    assert len(lab.at.code) == 1  # guess first
    lab.press("Run it")
    assert exhibit_of(lab).startswith(f"line {'10' if 'tensor' in failed else '12'}:  {failed}")


def test_a_text_beyond_v_leads_there_with_its_window():
    lab = Lab().open("lookup", V=500)
    ids = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]
    lab.follow(SEE_IT, "errors").press("Run it")
    assert str([ids[:4], ids[4:]]) in lab.at.code[0].value
    assert {value for value, idea in idea_of_ids(lab).items() if idea == "error"} == {str(i) for i in ids if i >= 500}


def test_one_token_beyond_v_leads_there_from_the_tokens_page():
    lab = Lab().open("tokens", V=100)
    lab.follow(SEE_IT, "errors")
    assert lab.state.choices.lab_ids == str(get_tokenizer("gpt2").encode(SAMPLE_TEXT)[0])


def test_the_end_of_the_position_table_leads_to_its_experiment():
    lab = Lab().open("positions", T=7).follow("See a sequence longer than the table", "errors").press("Run it")
    assert exhibit_of(lab).splitlines()[0] == "line 12:  position_table(places)"
    assert "position_table has no row 7." in lab.words


def test_what_is_no_number_is_refused_without_a_way_to_the_lab():
    lab = Lab().open("lookup", ids="abc")
    assert lab.errors()
    assert SEE_IT not in [button.label for button in lab.at.button]


def test_nothing_is_given_away_before_the_run():
    lab = Lab().open("errors", experiment="silent_pairs")
    assert "raise nothing" not in lab.words
    assert "raise nothing" in lab.press("Run it").words


def test_the_guess_stands_once_it_has_run_and_goes_with_the_numbers_it_was_about():
    lab = Lab().open("errors", experiment="own").set(guess="KeyError").press("Run it")
    assert lab.widget("guess").disabled
    assert "Your guess was **KeyError**" in lab.words
    lab.set(own_ids="1.5")
    assert lab.state.choices.guess == ""
    assert "Your guess" not in lab.words


def test_an_exception_that_is_not_listed_can_be_guessed():
    lab = Lab().open("errors", experiment="undecodable_id", lab_token_id=2**40).set(guess=OTHER).press("Run it")
    assert f"Your guess, **{OTHER}**, is right." in lab.words
    assert exhibit_of(lab).splitlines()[1].startswith("OverflowError")


def test_another_experiment_starts_with_small_numbers_again():
    lab = (
        Lab().open("errors", experiment="own", lab_V=50_257, lab_T=1_024, lab_ids="7 8").set(experiment="silent_pairs")
    )
    assert "T, D = 4, 3" in lab.at.code[0].value
    assert lab.state.choices.lab_ids == "7 8"


@pytest.mark.parametrize(
    "query", [{"experiment": "own", "lab_ids": "1 2 3"}, {"experiment": "unknown_word", "lab_word": "cat"}]
)
def test_what_works_needs_no_repair(query):
    lab = Lab().open("errors", ran=1, **query)
    assert "nothing to repair" in lab.words
    assert "Repair it" not in [button.label for button in lab.at.button]


def test_a_table_that_was_not_reached_is_not_blamed():
    lab = Lab().open("errors", experiment="own", ran=1, lab_ids="-9 0 1 2 3 4")
    assert "position_table was not asked" in lab.words
    assert [value for value, idea in idea_of_ids(lab).items() if idea == "error"] == ["-9"]


def test_a_large_grid_says_how_much_of_it_is_drawn():
    lab = Lab().open("errors", experiment="own", ran=1, lab_ids=" ".join(map(str, range(100))))
    assert "16 of 100 places are drawn" in lab.words
    assert "and 90 more" in lab.words
