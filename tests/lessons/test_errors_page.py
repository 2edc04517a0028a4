"""Every experiment is predicted, run and fixed on the page; other pages lead to it with their case."""

import pytest

from components.base.presets import SAMPLE_TEXT
from components.failures.catalogue import run_failure
from components.failures.remarks import REMARKS
from components.failures.views import format_result
from components.lessons.errors.choices import OTHER, SILENT
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver

SEE_ERROR = "See what PyTorch raises here"


def open_errors(**query):
    return AppDriver().open("errors", **query)


def marked_ids(app):
    """Return the IDs that the grid marks as invalid."""
    return [cell["value"] for cell in app.drawn("reading")[0] if cell["color_role"] == "error"]


@pytest.mark.parametrize("name", ["id_equals_v", "dim_mismatch", "silent_pairs"])
def test_experiment_is_predicted_run_and_fixed(name):
    outcome = run_failure(name)
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    app = open_errors(experiment="own", ran=1, repaired=1, lab_V=50_257, lab_T=1_024).set(experiment=name)
    assert app.code() == [outcome.code.rstrip()]  # with small sizes, not run
    assert "raised by this code" not in app.words
    assert REMARKS[name] not in app.words
    assert not app.charts()
    app.set(guess=raised).press("Run")
    assert app.widget("guess").disabled
    assert f"Your guess, **{raised}**, is correct." in app.words
    if outcome.exception:
        assert "raised by this code and caught" in app.words
        assert app.code()[1] == f"line {outcome.run.line}:  {outcome.failed}\n{outcome.run.raised.strip()}"
    else:
        assert "Output of the last line:" in app.words
    assert str(outcome.invalid_values[0]) in app.words.replace("\u2060", "")
    assert f"**What to notice.** {REMARKS[name]}" in app.words
    assert app.press("Show the fix").code()[-2:] == [outcome.fix.rstrip(), format_result(outcome.fixed.result)]


def test_wrong_guess_is_corrected_until_hidden_or_the_ids_change():
    app = open_errors(experiment="own").press("Run")
    assert "Your guess" not in app.words
    app.press("Hide result").set(guess="KeyError").press("Run")
    assert "Your guess was **KeyError**; it is **IndexError**." in app.words
    app.set(own_ids="1.5")
    assert app.state.choices.guess == ""
    assert len(app.press("Hide result").code()) == 1
    app = open_errors(experiment="undecodable_id", lab_token_id=2**40).set(guess=OTHER).press("Run")
    assert f"Your guess, **{OTHER}**, is correct." in app.words
    assert app.code()[1].splitlines()[1].startswith("OverflowError")


@pytest.mark.parametrize(
    ("query", "words", "charts"),
    [
        ({"experiment": "padding_idx_outside"}, "while the table is built", 0),
        ({"experiment": "one_hot_without_num_classes"}, "| hot | 3 | 5 |  |\n| W |  | 6 | 3 |", 0),
        ({"experiment": "own", "lab_ids": "[[]]"}, "there is nothing to show", 0),
        ({"experiment": "own", "lab_ids": "1 2 3"}, "nothing to fix", 2),
        ({"experiment": "own", "lab_ids": "-9 0 1 2 3 4"}, "position_table: not reached", 2),
        ({"experiment": "own", "lab_ids": "9 " * 100}, "16 of 100 positions are shown", 2),
    ],
)
def test_outcome_shows_where_it_fails_or_why_there_is_no_figure(query, words, charts):
    app = open_errors(ran=1, **query)
    assert words in app.words
    assert len(app.charts()) == charts
    assert ("Show the fix" in app.labels()) == (words != "nothing to fix")


def test_other_sizes_change_code_output_and_tables():
    app = open_errors(ran=1).set(id_equals_v_V=5_000)
    assert "V = 5000\n" in app.code()[0]
    assert "ids[0, 2] = 5000: the token table has rows 0 to 4,999" in app.words
    assert [row["label"] for row in app.drawn("x2")[-1]] == ["row 5,000: missing"]


@pytest.mark.parametrize(
    ("ids", "bad", "sizes", "raised"),
    [
        ("[[2, -1], [7, 0]]", ["-1", "7"], {}, "IndexError: "),
        ("2 3", ["2", "3"], {"own_dtype": "float32"}, "RuntimeError: "),
        ("2 3", ["3"], {"own_T": 1}, "IndexError: "),
    ],
)
def test_own_ids_sizes_and_dtype_change_what_is_raised(ids, bad, sizes, raised):
    app = open_errors(experiment="own", ran=1).set(own_ids=ids, **sizes)
    assert marked_ids(app) == bad
    assert app.code()[1].splitlines()[1].startswith(raised)


@pytest.mark.parametrize(
    ("query", "named", "fix"),
    [
        ({"experiment": "own", "lab_ids": "__import__('os')"}, "'_'", {"own_ids": "1 2"}),
        ({"lab_V": 200_019, "lab_D": 64}, "Lower D to 5.", {"id_equals_v_D": 5}),
    ],
)
def test_case_that_cannot_be_run_shows_an_error(query, named, fix):
    app = open_errors(ran=1, **query)
    (error,) = app.errors()
    assert named in error
    assert not app.charts()
    assert not app.set(**fix).errors()


@pytest.mark.parametrize(
    ("page", "query", "failed"),
    [
        ("home", {"ids": "2 3 9 1"}, "line 16:  token_table(ids)"),
        ("positions", {"T": 3, "ids": "2 3 5 1"}, "line 16:  position_table(positions)"),
        ("combine", {"ids": "1 2; 3"}, "line 14:  torch.tensor(typed_ids)"),
        ("one_hot", {"ids": "1.5 2"}, "line 16:  token_table(ids)"),
        ("lookup", {"ids": "abc"}, ""),
    ],
)
def test_error_on_a_page_leads_to_an_experiment_with_its_case(page, query, failed):
    app = AppDriver().open(page, V=6, D=3, **query)
    assert len(app.errors()) == 1
    if not failed:
        assert SEE_ERROR not in app.labels()
        return
    choices = app.follow(SEE_ERROR, "errors").state.choices
    assert (choices.experiment, choices.lab_V, choices.lab_D) == ("own", 6, 3)
    assert choices.lab_ids == query["ids"] or "token_table" in failed
    assert len(app.code()) == 1  # guess first
    assert app.press("Run").code()[1].startswith(failed)


def test_text_out_of_range_leads_there_with_its_window_or_token():
    ids = get_tokenizer("gpt2").encode(SAMPLE_TEXT)[:8]
    app = AppDriver().open("lookup", V=500).follow(SEE_ERROR, "errors").press("Run")
    assert str([ids[:4], ids[4:]]) in app.code()[0]
    app.open("tokens", V=100).follow(SEE_ERROR, "errors")
    assert app.state.choices.lab_ids == str(ids[0])
    app.open("positions", V=50_257, T=7).open_sections()
    app.follow("See a sequence longer than the table", "errors").press("Run")
    assert "position_table has no row 7." in app.words
