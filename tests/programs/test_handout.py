"""A program with a learner's values: hostile values stay literals, and long ones are cut on the page alone."""

import ast
from pathlib import Path

import tiktoken
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from components.base.settings import Settings, with_trained_table
from components.entry import LESSONS
from components.lessons.combine import page
from components.programs.handout import cells, handout
from components.programs.literals import WIDTH, literal
from components.programs.notebook import as_notebook
from components.ui.code_view import handout_of
from tests.states import app_state

PROGRAM = Path(page.__file__).with_name("program.py")
HOSTILE = [*"'\"\\\n\r#\x00\u2028\ufeff\u202e\ud800☕", '"""', "\n# %% Token IDs\n", "{x}", "bank", "word " * 30]


def values_of(program: str) -> dict[str, object]:
    """Return the values of a program, read as literals and never run."""
    found = {}
    for node in ast.parse(split(program)["Your values"]).body:
        assert isinstance(node, ast.Assign)
        names = [each.id for each in getattr(node.targets[0], "elts", node.targets)]
        value = ast.literal_eval(node.value)
        found |= dict(zip(names, value if len(names) > 1 else [value], strict=True))
    return found


def split(program: str) -> dict[str, str]:
    parts = program.removeprefix("# %% ").split("\n# %% ")
    return dict(part.split("\n", 1) for part in parts)


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans()


@given(NUMBERS | st.lists(NUMBERS))
@example([*range(999)])
def test_literal_is_read_back_and_has_short_lines(value):
    assert ast.literal_eval(literal(value)) == value
    assert max(map(len, literal(value).splitlines())) <= WIDTH


@given(st.text() | st.lists(st.sampled_from(HOSTILE)).map("".join))
@example("x" * 100_000)
@settings(max_examples=40)
def test_handout_has_any_text_as_literal_and_own_code_unchanged(text):
    program = handout(PROGRAM, vars(Settings()) | vars(app_state().lessons["combine"]) | {"text": text}).text
    assert values_of(program)["text"] == text
    assert all(line.isprintable() for line in program.split("\n"))
    own = {title: code for title, code in cells(PROGRAM).items() if title not in ("[markdown]", "Your values")}
    assert {title: code.strip("\n") for title, code in split(program).items() if title in own} == own


def test_handout_begins_with_its_link_libraries_and_versions():
    about = split(handout_of(page, app_state().lesson("combine"), "https://example.org").text)["[markdown]"]
    versions = f"tiktoken {tiktoken.__version__} and torch {torch.__version__.partition('+')[0]}"
    link, install, computed, downloaded, offline = about.strip().splitlines()[-5:]
    assert link == "# - From Embedding Lab: https://example.org"
    assert "\n# - From Embedding Lab.\n" in handout_of(page, app_state().lesson("combine")).text  # on the page
    assert install == "# - `pip install tiktoken torch`"
    assert computed == f"# - Computed with {versions}; other versions may differ in the last digits."
    assert downloaded.startswith("# - tiktoken downloads a tokenizer once: gpt2 0.5 + 1.0 MB, cl100k_base 1.7 MB")
    assert offline == "# - Without network: the app also offers this program with token IDs instead of the tokenizer."


def test_notebook_of_a_program_without_libraries_installs_none():
    state = app_state(experiment="unknown_word").lesson("errors")
    assert "%pip" not in as_notebook(handout_of(LESSONS["errors"].page, state).text)


def test_handout_leaves_out_what_an_opening_does_not_use():
    typed = handout_of(page, app_state(Settings(ids="2 3; 5 1", shuffle=True)).lesson("combine")).text
    assert values_of(typed)["typed_ids"] == [[2, 3], [5, 1]]
    assert not {"text", "tokenizer", "stride", "shuffle"} & values_of(typed).keys()
    assert "tiktoken" not in typed
    words = handout_of(page, app_state(Settings(tokenizer="words")).lesson("combine")).text
    assert "tokenizer" not in values_of(words)
    assert "tiktoken" not in words
    trained = app_state(with_trained_table(Settings(table="gpt2"))).lesson("tokens")
    assert "urlopen" not in handout_of(LESSONS["tokens"].page, trained).text  # this program fetches no rows


def test_handout_of_a_program_without_values_has_no_cell():
    assert "Your values" not in handout_of(LESSONS["reproduce"].page, app_state().lesson("reproduce")).text


def test_handout_cuts_a_long_value_on_the_page_alone():
    state = app_state(text="word " * 5_000).lesson("combine")
    shown, whole = handout_of(page, state, for_page=True), handout_of(page, state)
    assert (shown.whole, whole.whole) == (False, True)
    assert len(shown.text) < 9_000 < len(whole.text)
    assert values_of(shown.text)["text"] == state.text[:500] + " …"
    assert "  # cut: it has 25,000 characters\n" in shown.text
    assert values_of(whole.text)["text"] == state.text
    most_ids = app_state(Settings(ids="7 " * 499, context_length=1_000)).lesson("combine")
    assert handout_of(page, most_ids, for_page=True) == handout_of(page, most_ids)
