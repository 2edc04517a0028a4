"""Every experiment is predicted, run and fixed on the page; other pages lead to it with their case."""

import pytest

from components.base.limits import MAX_TRACEBACK_CHARS
from components.failures.catalogue import run_failure
from components.lessons.errors.choices import Choices
from components.lessons.errors.facts import SILENT
from components.lessons.errors.figure import errors_figure
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver
from tests.states import RIVER

SEE_ERROR = "See what PyTorch raises here"

GROWN, ROW_0 = "A row that is added for an ID has not been trained", "Row 0 for an ID out of range"


def open_errors(**query):
    return AppDriver().open("errors", **query)


def predicted(app, answer):
    (answers,) = app.answers()
    answers.set_value(answer)
    return app.run()


def test_phone_menu_opens_an_experiment_with_its_first_sizes():
    choices = open_errors(lab_V=9, lab_T=7).set(experiment_menu="half_character").state.choices
    assert choices == Choices(experiment="half_character")


def test_code_has_the_fix_once_the_outcome_is_predicted():
    app = open_errors(experiment="id_equals_v").open_section("The code")
    assert "ixed" not in app.code()[-1]
    code = predicted(app, "IndexError").code()[-1]
    assert run_failure("id_equals_v").fixed.code.splitlines()[-2] in code.partition("# %% Fixed\n")[2]


@pytest.mark.parametrize("experiment", ["id_equals_v", "silent_batch"])
def test_long_lines_of_code_and_of_its_output_are_wrapped(experiment):
    app = open_errors(experiment=experiment).open_sections()
    assert [code.proto.wrap_lines for code in app.at.code] == [True] * 4


def test_answer_and_result_belong_to_the_chosen_numbers():
    app = predicted(open_errors(experiment="own"), "KeyError")
    assert "**Not quite:** the answer is “IndexError”." in app.words
    assert "Not quite" not in app.set(own_ids="2 3").words
    assert "**Correct.**" in predicted(app, SILENT).words
    assert "Nothing is wrong here, so there is nothing to fix." in app.words
    assert "**Fix.**" not in app.words
    assert "**Fix.**" in open_errors(experiment="own", lab_ids="").press("Run").words  # raises, and no value is invalid
    app.set(own_dtype="float32", own_T=1).press("Ask again").press("Run")
    assert (app.state.choices.lab_dtype, app.state.choices.lab_T) == ("float32", 1)
    assert "**Fix.**" in app.words
    assert "**Fix.**" not in open_errors(**app.learner.address.query).words  # those who open the link predict as well
    assert "**Fix.**" not in app.press("Ask again").words


@pytest.mark.parametrize(
    ("ids", "dtype", "avoid"),
    [
        ("2 3 6", "as typed", GROWN),
        ("2 -1", "as typed", ROW_0),
        ("2 -1", "uint8", ROW_0),
        ("-0.5 9", "int64", GROWN),
        ("1.5 2", "as typed", ""),
        ("", "as typed", ""),
        ("1 1 1 1 1", "as typed", ""),
    ],
)
def test_what_not_to_do_is_about_the_rows_that_the_fix_adds_or_uses(ids, dtype, avoid):
    app = open_errors(experiment="own", lab_ids=ids, lab_dtype=dtype).press("Run")
    assert "**Fix.**" in app.words
    assert [each for each in (GROWN, ROW_0) if each in app.words] == [avoid] * bool(avoid)
    assert ("row 0, the unknown token, is used for" in app.words) == (avoid == ROW_0)


@pytest.mark.parametrize(
    ("query", "named", "fix"),
    [
        ({"experiment": "own", "lab_ids": "__import__('os')"}, "'_'", {"own_ids": "1 2"}),
        ({"lab_V": 200_019, "lab_D": 64}, "Lower D to 5.", {"id_equals_v_D": 5}),
    ],
)
def test_case_that_cannot_be_run_shows_an_error(query, named, fix):
    app = open_errors(**query)
    (error,) = app.errors()
    assert named in error
    assert app.learner.outputs.figure is None
    assert not app.set(**fix).errors()
    assert app.learner.outputs.figure


def test_pasted_traceback_leads_to_its_case_with_its_numbers():
    app = open_errors().open_section("Paste your traceback")
    message = "RuntimeError: " + run_failure("cannot_broadcast", T=7, extra=3).run.message
    app.set(errors_traceback=message)
    app.press("More positions than tokens")
    choices = app.state.choices
    assert (choices.experiment, choices.lab_T, choices.lab_extra) == ("cannot_broadcast", 7, 3)
    assert message in app.learner.outputs.figure.reading
    assert "in this way: possible causes. Other code can fail so too. In a sum of [B, T, D], dim" in app.words
    app.set(errors_traceback="RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 5x2)")
    assert "This experiment fails in this way: one possible cause. Other code can fail so too." in app.words
    app.set(errors_traceback="RuntimeError: CUDA error: device-side assert triggered")
    assert "too. On a CPU it is an IndexError, “index out of range in self”; on a GPU, “device-side" in app.words
    app.set(errors_traceback="SyntaxError: invalid syntax")
    assert "This search finds no experiment for this text." in app.words
    app.set(errors_traceback="KeyError: '<b>*x*</b> [y](http://z)'").press("An unknown word")
    assert app.state.choices.lab_word == "<b>*x*</b> [y](http://z)"
    app.set(errors_traceback="x" * MAX_TRACEBACK_CHARS)
    assert "This search finds no experiment" in app.words
    app.set(errors_traceback="x" * MAX_TRACEBACK_CHARS + "\nIndexError: index out of range in self")
    assert "fail in this way" in app.words
    assert not app.widget("errors_traceback").max_chars  # a browser takes a longer one, too


def test_figure_of_256_ids_in_a_large_table_is_small():
    line = " ".join(str(3 * n) for n in range(256))
    figure = errors_figure(run_failure("own", ids=line, V=1_000, T=1_024), "own", False)
    assert len(figure.svg()) < 45_000
    assert ">0<" in figure.drawing


@pytest.mark.parametrize(
    ("page", "query", "failed"),
    [
        ("home", {"ids": "2 3 9 1"}, "token_table(ids)"),
        ("positions", {"T": 3, "ids": "2 3 5 1"}, "position_table(positions)"),
        ("combine", {"ids": "1 2; 3"}, "torch.tensor(typed_ids, dtype=torch_dtype)"),
        ("one_hot", {"ids": "1.5 2"}, "token_table(ids)"),
        ("lookup", {"ids": "abc"}, ""),
    ],
)
def test_error_on_a_page_leads_to_an_experiment_with_its_case(page, query, failed):
    app = AppDriver().open(page, V=6, D=3, position="learned", **query)
    assert len(app.errors()) == 1
    if not failed:
        assert SEE_ERROR not in app.labels()
        return
    choices = app.follow(SEE_ERROR, "errors").state.choices
    assert (choices.experiment, choices.lab_V, choices.lab_D) == ("own", 6, 3)
    assert choices.lab_ids == query["ids"] or "token_table" in failed
    assert not app.code()  # predict first
    assert app.press("Run").open_section("The whole message").code()[0].startswith(failed)


def test_text_out_of_range_leads_there_with_its_window_or_token():
    ids = get_tokenizer("gpt2").encode(RIVER)[:8]
    app = AppDriver().open("lookup", V=500, text=RIVER, position="learned")
    app.follow(SEE_ERROR, "errors").open_section("The program and its fix")
    assert str([ids[:4], ids[4:]]) in app.code()[0]
    app.open("tokens", V=100).follow(SEE_ERROR, "errors")
    assert app.state.choices.lab_ids == str(ids[0])
    app.open("positions", V=50_257, T=7).open_sections()
    app.follow("See a sequence longer than the table", "errors").press("Run")
    assert "positions[7] = 7: the position embedding table has rows 0 to 6" in app.learner.outputs.figure.reading


def test_link_value_beyond_the_limits_of_its_experiment_is_named():
    app = open_errors(lab_V=0)
    assert "V = 0 is not within 1 to 200,019 here: using 1." in app.words
    assert "(V = 1, D" in app.words
