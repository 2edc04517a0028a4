import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.base.program_text import assignment

LONG = "a b " * 100


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
