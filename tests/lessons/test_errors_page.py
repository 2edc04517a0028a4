"""Every experiment is predicted, run and fixed on the page; other pages lead to it with their case."""

import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from components.base.limits import MAX_TRACEBACK_CHARS
from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.failures.views import TableLookup, format_result, table_lookups
from components.lessons.errors import facts
from components.lessons.errors.facts import SILENT
from components.lessons.errors.figure import errors_figure, plain_lines, strip
from components.lessons.errors.figure_values import COLUMNS, ROWS, placed_values
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver
from tests.states import RIVER, lesson_state

SEE_ERROR = "See what PyTorch raises here"


def open_errors(**query):
    return AppDriver().open("errors", **query)


def drawing(app):
    return unescape(app.learner.outputs.figure.drawing)


def bad(app):
    """Return the texts of the values that the figure marks as invalid."""
    return re.findall(r'<g class="bad".*?<text[^>]*>([^<]*)</text>', app.learner.outputs.figure.drawing)


def choices_of(app, name):
    """Return the choices that a click on the card of an experiment sets."""
    found = [
        json.loads(unescape(each)) for each in re.findall(r'data-choose="([^"]*)"', app.learner.outputs.figure.drawing)
    ]
    return next(each for each in found if each["experiment"] == name)


def predicted(app, answer):
    (radio,) = [radio for radio in app.at.main.radio if str(radio.key).startswith("check_")]
    radio.set_value(answer)
    return app.run()


@pytest.mark.parametrize("name", FAILURES)
def test_outcome_is_masked_until_it_is_predicted_or_run(name):
    outcome = run_failure(name)
    raised = outcome.run.exception or SILENT
    app = open_errors(experiment=name).open_section("program")
    assert app.code() == [outcome.run.code.rstrip()]
    assert f"*Common assumption:* {outcome.case.assumption}" in app.words.replace("\u2060", "")
    hidden = [
        outcome.case.explanation,
        outcome.case.change,
        FAILURES[name].remark,
        "raised it",
        "not reached",
        "What not to do",
    ]
    shown = f"{app.words}{drawing(app)}{app.learner.outputs.figure.reading}"
    assert not [words for words in hidden if words in shown]
    assert not bad(app)
    if outcome.run.exception:
        assert outcome.run.raised not in shown
        assert outcome.run.message not in shown or name == "unknown_word"  # its message is the word alone
        assert not re.search(r">\w+Error<|no error", shown)
    predicted(app, raised)
    assert "**Correct.**" in app.words
    assert f"**What to notice.** {outcome.case.explanation}" in app.words.replace("\u2060", "")
    assert str(outcome.case.invalid_values[0]) in app.learner.outputs.figure.reading
    assert bad(app)
    assert "Run" not in app.labels()
    run = open_errors(experiment=name).open_section("program").press("Run")
    assert drawing(run) == drawing(app)
    assert not [radio for radio in run.at.main.radio if str(radio.key).startswith("check_")]  # asked once
    assert "raised by" in drawing(app) if outcome.run.exception else "No exception is raised." in drawing(app)
    assert run.code()[-2:] == [outcome.fixed.code.rstrip(), format_result(outcome.fixed.result)]
    words = run.words.replace("\u2060", "")
    assert f"**Fix.** {outcome.case.change}" in words
    assert (f"**What not to do.** {outcome.case.avoid}" in words) == bool(outcome.case.avoid)
    assert ("What not to do" in words) == bool(outcome.case.avoid)


@pytest.mark.parametrize("name", ["id_equals_v", "dim_mismatch", "silent_pairs", "special_token"])
def test_sections_have_the_whole_message_and_a_gpu(name):
    outcome = run_failure(name)
    app = open_errors(experiment=name, ran=1).open_sections()
    assert FAILURES[name].remark in app.words
    assert str(outcome.case.invalid_values[0]) in app.words.replace("\u2060", "")
    assert outcome.case.gpu in app.words
    if outcome.run.exception:
        assert "raised by this code and caught" in app.words
        assert app.code()[-1] == f"line {outcome.run.line}:  {outcome.run.failed}\n{outcome.run.raised.rstrip()}"
    else:
        assert "**No error.** The result:" in app.words


@pytest.mark.parametrize(
    ("name", "answer"), [("id_equals_v", "IndexError"), ("own", "KeyError"), ("silent_pairs", SILENT)]
)
def test_code_has_the_fix_once_the_outcome_is_shown(name, answer):
    app = open_errors(experiment=name).open_section("code")
    (masked,) = app.code()
    assert f"# # {FAILURES[name].title}\n" in masked
    assert "# %% It fails\n" in masked
    assert "ixed" not in masked
    (after_answer,) = predicted(app, answer).code()
    (after_run,) = open_errors(experiment=name, ran=1).open_section("code").code()
    assert after_answer == after_run
    assert run_failure(name).fixed.code.splitlines()[-2] in after_run.partition("# %% Fixed\n")[2]


def test_card_chooses_an_experiment_that_begins_masked_with_small_sizes():
    app = open_errors(experiment="own", ran=1, lab_V=50_257, lab_T=1_024)
    choices = choices_of(app, "cannot_broadcast")
    assert (choices["lab_V"], choices["lab_T"], choices["ran"]) == (6, 4, False)
    in_link = {key: int(value) if isinstance(value, bool) else value for key, value in choices.items()}
    app.open("errors", **in_link)
    assert app.open_section("program").code() == [run_failure("cannot_broadcast").run.code.rstrip()]
    assert choices_of(app, "dim_mismatch") == choices | {"experiment": "dim_mismatch"}
    assert "Run" in app.labels()
    firsts = [group[0].name for group in GROUPS.values()]
    assert [choices_of(app, name)["experiment"] for name in firsts] == firsts
    shapes = {experiment.name for experiment in GROUPS["Shapes"]}
    assert {*re.findall(r'data-part="case-(\w+)"', drawing(app))} >= shapes


def test_wrong_answer_is_corrected_and_belongs_to_its_numbers():
    app = predicted(open_errors(experiment="own"), "KeyError")
    assert "**Not quite:** the answer is “IndexError”." in app.words
    app.set(own_ids="2 3")
    assert "Not quite" not in app.words
    assert "answer below to see it" in drawing(app)
    assert "**Correct.**" in predicted(app, SILENT).words
    app = open_errors(ran=1).press("Hide result")
    assert "answer below to see it" in drawing(app)
    app = predicted(open_errors(experiment="undecodable_id", lab_token_id=2**40), "OverflowError")
    assert "OverflowError" in app.learner.outputs.figure.reading
    assert "**Correct.**" in app.words


@pytest.mark.parametrize(
    ("query", "words", "marked"),
    [
        ({"experiment": "padding_idx_outside"}, "padding_idx = 6: the token table has rows 0 to 5", ["6"]),
        ({"experiment": "one_hot_without_num_classes"}, "hot.shape[1] = 5", ["5", "6"]),
        ({"experiment": "own", "lab_ids": "[[]]"}, "", []),
        ({"experiment": "own", "lab_ids": "1 2 3"}, "The result has the shape [3, 3].", []),
        ({"experiment": "own", "lab_ids": "-9 0 1 2 3 4"}, "not reached", ["-9"]),
        ({"experiment": "own", "lab_ids": "9 " * 100}, "from [0, 0] on", ["9"] * COLUMNS),
        ({"experiment": "own", "lab_ids": "1 " * 50 + "8 2"}, "from [0, 46] on", ["8"]),
        ({"experiment": "own", "lab_ids": "1 2 3 4 5 0 8"}, "from [0, 1] on", ["8"]),
        ({"experiment": "half_character"}, "The result is '\ufffd'.", ["195"]),
        ({"experiment": "own", "lab_ids": "1 2; 1 2; 1 2; 1 2; 7 2"}, "from [2, 0] on", ["7"]),
        ({"experiment": "own", "lab_ids": "0 1 2 3 4"}, "position table<tspan", ["4"]),
    ],
)
def test_figure_shows_where_it_fails(query, words, marked):
    app = open_errors(ran=1, **query)
    assert words in drawing(app)
    assert bad(app) == marked
    nothing_wrong = query.get("lab_ids") in ("1 2 3",)
    assert ("**Fix.**" in app.words) != nothing_wrong
    assert ("nothing to fix" in app.words) == nothing_wrong


def test_other_sizes_change_code_output_and_tables():
    app = open_errors(ran=1).open_section("program").set(id_equals_v_V=5_000)
    assert "V, D = 5000, 3 " in app.code()[0]
    assert "ids[0, 2] = 5000: the token table has rows 0 to 4,999" in drawing(app)
    assert "rows 0 to 4,999" in drawing(app)


@pytest.mark.parametrize(
    ("ids", "marked", "sizes", "raised"),
    [
        ("[[2, -1], [7, 0]]", ["-1", "7"], {}, "IndexError: "),
        ("2 3", ["2", "3"], {"own_dtype": "float32"}, "RuntimeError: "),
        ("2 3", ["3"], {"own_T": 1}, "IndexError: "),
    ],
)
def test_own_ids_sizes_and_dtype_change_what_is_raised(ids, marked, sizes, raised):
    app = open_errors(experiment="own", ran=1).set(own_ids=ids, **sizes)
    assert bad(app) == marked
    assert f">{raised}" in drawing(app)


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
    assert app.learner.outputs.figure is None
    assert not app.set(**fix).errors()
    assert app.learner.outputs.figure


def test_pasted_traceback_leads_to_its_experiment_with_its_numbers():
    app = open_errors().open_section("traceback")
    assert "Nothing in it is run or stored." in app.words
    message = "RuntimeError: " + run_failure("cannot_broadcast", T=7, extra=3).run.message
    app.set(errors_traceback=message)
    app.press("More positions than tokens")
    choices = app.state.choices
    assert (choices.experiment, choices.lab_T, choices.lab_extra, choices.ran) == ("cannot_broadcast", 7, 3, True)
    assert message in app.learner.outputs.figure.reading
    app.set(errors_traceback="SyntaxError: invalid syntax")
    assert "No message of the catalogue is in this text." in app.words
    app.set(errors_traceback="KeyError: '<b>*x*</b> [y](http://z)'").press("An unknown word")
    assert app.state.choices.lab_word == "<b>*x*</b> [y](http://z)"
    app.set(errors_traceback="x" * MAX_TRACEBACK_CHARS)
    assert "No message of the catalogue" in app.words


@given(st.integers(0, 30), st.sets(st.integers(-40, 60), max_size=20))
def test_strip_of_any_lookup_has_the_rows_that_are_there_and_names_the_first_missing(size, requested):
    found = strip(TableLookup("token_table", (size, 2), sorted(requested)), [], 0, masked=False)
    assert [row["row"] for row in found["rows"]] == sorted(row for row in requested if 0 <= row < size)
    below, above = [
        max((i for i in requested if i < 0), default=None),
        min((i for i in requested if i >= size), default=None),
    ]
    assert [box["row"] for box in found["missing"]] == [row for row in (below, above) if row is not None]
    hidden = strip(TableLookup("token_table", (size, 2), sorted(requested)), [], 0, masked=True)
    assert hidden["rows"] == hidden["missing"] == []


@pytest.mark.parametrize(
    ("ids", "table", "requested", "missing"),
    [
        ("1 5 1 6", 0, {1: ["1", "1"], 5: ["5"]}, [(6, "6")]),
        ("-2 1 9", 0, {1: ["1"]}, [(-2, "-2"), (9, "9")]),
        ("5 5 5 5 3", 1, {0: ["5"], 1: ["5"], 2: ["5"], 3: ["5"]}, [(4, "3")]),
    ],
)
def test_strip_leads_each_row_to_the_values_that_request_it(ids, table, requested, missing):
    outcome = run_failure("own", ids=ids)
    _, values, _ = placed_values(outcome, masked=False)
    found = strip(table_lookups(outcome)[table], values, 0, masked=False)
    texts = {value.part: value.text for value in values}
    assert {row["row"]: [texts[part] for part in row["part"].split()] for row in found["rows"]} == requested
    assert [(box["row"], box["from"].text) for box in found["missing"]] == missing


def test_figure_has_the_program_without_its_imports_and_what_is_printed():
    assert plain_lines(run_failure("unknown_vector").run.code) == [
        'key = "kings"',
        "vectors = KeyedVectors(vector_size=2)",
        'vectors.add_vectors(["king", "queen"], np.eye(2))',
        "result = vectors[key]",
    ]


def test_facts_have_the_learners_sizes_within_the_limits_of_the_experiment():
    for chosen, in_sum in ((1, 2), (5, 5), (1_000, 8)):
        state = lesson_state("errors", lab_T=chosen)
        assert facts.silent(state, [])["T"] == in_sum
        found = facts.which_table(state, [])
        assert (found["T"], found["T_plus_1"], found["last"]) == (chosen, chosen + 1, chosen - 1)


NUMBERS = st.sampled_from([0, 1, 5, 6, -1, 10**30, 2.5, -7]) | st.integers(0, 8)


@given(
    st.recursive(NUMBERS, lambda part: st.lists(part, max_size=9), max_leaves=40).filter(lambda x: isinstance(x, list))
)
@profile(max_examples=100)
@pytest.mark.parametrize("masked", [True, False])
def test_figure_of_any_ids_is_small_and_valid(masked, ids):
    outcome = run_failure("own", ids=str(ids)[:1_000]) if len(str(ids)) < 1_000 else run_failure("own")
    figure = errors_figure(outcome, "own", {}, masked)
    assert figure.height <= 390
    assert len(figure.svg()) < 31_000
    ElementTree.fromstring(figure.file())
    assert figure.drawing.count('<g class="chip"') + figure.drawing.count('<g class="bad"') <= ROWS * COLUMNS + len(
        GROUPS
    )
    assert not masked or 'class="bad"' not in figure.drawing


def test_figure_of_256_ids_in_a_large_table_is_small():
    line = " ".join(str(3 * n) for n in range(256))
    figure = errors_figure(run_failure("own", ids=line, V=1_000, T=1_024), "own", {}, False)
    assert len(figure.svg()) < 45_000
    assert ">0<" in figure.drawing


def test_figure_has_a_readout_and_a_name_with_its_numbers_for_every_value():
    outcome = run_failure("past_position_table", T=3, extra=2)
    figure = errors_figure(outcome, "past_position_table", {}, False)
    for t in range(5):
        assert f'aria-label="ids[0, {t}] = {t}' in figure.drawing
    assert "positions[3] = 3: the position table has rows 0 to 2" in figure.reading
    assert [lookup.rows for lookup in table_lookups(outcome)] == [[0, 1, 2, 3, 4]] * 2


@pytest.mark.parametrize(
    ("name", "values"), [("unknown_word", "word"), ("unknown_vector", "key"), ("special_token", "text")]
)
def test_figure_shows_hostile_words_as_they_are(name, values):
    word = "</text><script>&'\"{{7*7}}"
    figure = errors_figure(run_failure(name, **{values: word}), name, {}, False)
    ElementTree.fromstring(figure.file())
    assert "<script>" not in figure.drawing
    assert "49" not in unescape(figure.drawing).replace("&#", "")


@pytest.mark.parametrize(
    ("page", "query", "failed"),
    [
        ("home", {"ids": "2 3 9 1"}, "line 16:  token_table(ids)"),
        ("positions", {"T": 3, "ids": "2 3 5 1"}, "line 16:  position_table(positions)"),
        ("combine", {"ids": "1 2; 3"}, "line 14:  torch.tensor(typed_ids, dtype=torch_dtype)"),
        ("one_hot", {"ids": "1.5 2"}, "line 16:  token_table(ids)"),
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
    assert app.press("Run").open_section("run").code()[0].startswith(failed)


def test_text_out_of_range_leads_there_with_its_window_or_token():
    ids = get_tokenizer("gpt2").encode(RIVER)[:8]
    app = AppDriver().open("lookup", V=500, text=RIVER, position="learned")
    app.follow(SEE_ERROR, "errors").open_section("program")
    assert str([ids[:4], ids[4:]]) in app.code()[0]
    app.open("tokens", V=100).follow(SEE_ERROR, "errors")
    assert app.state.choices.lab_ids == str(ids[0])
    app.open("positions", V=50_257, T=7).open_sections()
    app.follow("See a sequence longer than the table", "errors").press("Run")
    assert "positions[7] = 7: the position table has rows 0 to 6" in app.learner.outputs.figure.reading
