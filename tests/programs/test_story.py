"""The engine of the programs: branches, values, and the source of the functions that a story calls."""

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.base.program_text import body
from components.programs.notebook import as_script
from components.programs.story import Chapter, assignment, tell
from components.text.windows import sliding_windows

LINK = "https://example.org/"


def branches(kind, flag, x):
    """Take one branch of three, and one of two inside it."""
    # %% Start
    # Prose, and
    # more of it.
    x = x + 1
    if kind == "one":
        # %% One
        x = 1  # [1]
    elif kind == "two":
        # %% Two
        if flag:
            x = 2
        else:
            x = [
                22,
            ]
            print(x)
    else:
        # %% Other
        x = 3
    if x:
        print(x)


def windows_of(ids, length):
    """Cut windows."""
    # %% Windows
    inputs, targets = sliding_windows(ids, length, 1)
    print(inputs, targets)


def again(inputs, length):
    """Print what an earlier story has assigned."""
    # %% Again
    print(inputs.shape, length)


@pytest.mark.parametrize(
    ("values", "last"),
    [
        ({"kind": "one", "flag": True}, "# %% One\nx = 1  # [1]"),
        ({"kind": "two", "flag": True}, "# %% Two\nx = 2"),
        ({"kind": "two", "flag": False}, "# %% Two\nx = [\n    22,\n]\nprint(x)"),
        ({"kind": "", "flag": False}, "# %% Other\nx = 3"),
    ],
)
def test_body_takes_the_branches_that_the_values_choose(values, last):
    start, end = "# %% Start\n# Prose, and\n# more of it.\nx = x + 1\n", "\nif x:\n    print(x)"
    assert body(branches, values) == start + last + end


def test_body_without_the_value_of_a_condition_contains_all_branches():
    assert "elif kind" in body(branches, {})


def test_program_contains_each_value_import_and_function_once():
    values = {"ids": [1, 2, 3], "length": 1, "unused": 5}
    chapters = [Chapter("A", "a.", (windows_of,), values), Chapter("B", "b.", (windows_of, again), values)]
    script = as_script(tell(chapters), LINK)
    assert script.count("def sliding_windows(") == script.count("import torch\n") == 1
    assert script.count("# %% Windows") == script.count("length = 1") == 1
    assert "unused" not in script
    assert "inputs = " not in script  # a variable of the first story, and no value
    assert ">>>" not in script
    exec(compile(script, "script", "exec"), {})


@given(st.text() | st.lists(st.lists(st.integers())) | st.dictionaries(st.binary(), st.integers()) | st.integers())
@example("'\"\\\n\r\t{}%s\u2028\u202e\x00\ud7ff🙂")
@example("x" * 300 + "'" * 300 + "\\" * 300)
@example("(" * 200 + ")")
@example("a b " * 100)
@example([[*range(100)], [*range(100)]])
def test_assignment_gives_back_its_value(value):
    (statement,) = ast.parse(assignment("name", value)).body
    assert ast.literal_eval(statement.value) == value


def test_prose_with_code_in_it_stays_a_comment():
    def story():
        """Print a number."""
        # %% Title
        # print('not code')
        print(1)

    script = as_script(tell([Chapter("T", "import os\nprint(2)", (story,), {})]), LINK)
    assert [line for line in script.splitlines() if line and not line.startswith("#")] == ["print(1)"]
