import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.base.program_text import assignment, body, program_text
from components.text.windows import sliding_windows

LONG = "a b " * 100


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
            # Otherwise, with a comment.
            x = [
                22,
            ]
            print(x)
    else:
        # %% Other
        x = 3
    if flag:
        x = 4
    if x:
        print(x)


def windows_of(ids, length):
    """Return windows."""
    inputs, _ = sliding_windows(ids, length, 1)

    return inputs.shape  # [N, T]


@pytest.mark.parametrize(
    ("kind", "flag", "chosen"),
    [
        ("one", True, "# %% One\nx = 1  # [1]\nx = 4\n"),
        ("two", True, "# %% Two\nx = 2\nx = 4\n"),
        ("two", False, "# %% Two\n# Otherwise, with a comment.\nx = [\n    22,\n]\nprint(x)\n"),
        ("", False, "# %% Other\nx = 3\n"),
    ],
)
def test_body_takes_the_branches_that_the_values_choose(kind, flag, chosen):
    start, end = "# %% Start\n# Prose, and\n# more of it.\nx = x + 1\n", "if x:\n    print(x)"
    assert body(branches, {"kind": kind, "flag": flag}) == start + chosen + end


def test_body_without_the_values_of_a_condition_has_all_branches():
    assert body(branches, {"kind": "one"}).count("if flag:") == 1
    assert "elif kind" in body(branches, {"flag": True})


@given(st.text() | st.lists(st.lists(st.integers())) | st.dictionaries(st.binary(), st.integers()) | st.integers())
@example("'\"\\\n\r\t{}%s\u2028\u202e\x00\ud7ff🙂")
@example("x" * 300 + "'" * 300 + "\\" * 300)
@example("(" * 200 + ")")
@example(LONG)
@example([[*range(100)], [*range(100)]])
def test_assignment_gives_back_its_value(value):
    (statement,) = ast.parse(assignment("name", value)).body
    assert ast.literal_eval(statement.value) == value


@pytest.mark.parametrize(
    ("name", "value", "lines"),
    [
        ("dim", 9_999, ["dim = 9999  # D"]),
        ("ids", 10_000, ["ids = 10_000"]),
        ("batch_size", True, ["batch_size = True  # B"]),
        ("text", "x" * 91, [f"text = '{'x' * 91}'"]),
        ("text", "x" * 92, ["text = (", f"    '{'x' * 92}'", ")"]),
        ("ids", [[1]], ["ids = [[1]]"]),
        ("ids", [*range(90)], ["ids = [", "    0, 1, 2, 3, 4, 5, ", "    26, 27, 28, ", "    50, 51, "]),
        ("text", LONG, ["text = (", f"    '{LONG[:92]}'", f"    '{LONG[92:184]}'"]),
        ("ranks", {b"token %d" % n: n for n in range(9)}, ["ranks = {  # the tokens of GPT-2", "    b'token 0': 0, "]),
    ],
)
def test_assignment_is_written_in_lines_of_a_hundred_characters(name, value, lines):
    found = assignment(name, value).splitlines()
    assert max(map(len, found)) <= 100
    assert [line[: len(start)] for line, start in zip(found, lines, strict=False)] == lines
    assert len(found) > 3 or len(found) == len(lines)


def test_program_text_of_a_function_runs_alone_and_ends_with_its_value():
    program = program_text(windows_of, {"length": 2, "ids": [1, 2, 3, 4], "unused": 5})
    *_, ids, length, inputs, blank, shape = program.splitlines()
    assert (ids, length, blank, shape) == ("ids = [1, 2, 3, 4]", "length = 2", "", "inputs.shape  # [N, T]")
    assert inputs == "inputs, _ = sliding_windows(ids, length, 1)"
    assert program.count("import torch\n") == program.count("def sliding_windows(") == 1
    assert ">>>" not in program
    found = {}
    exec(program, found)
    assert found["inputs"].tolist() == [[1, 2], [2, 3]]
