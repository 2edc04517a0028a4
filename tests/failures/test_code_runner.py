import pytest

from components.failures.code_runner import run_code


def test_the_last_expression_is_the_result_and_variables_stay():
    run = run_code("a = 2\nb = [a] * 3\nb[1:]")
    assert run.result == [2, 2]
    assert run.variables["b"] == [2, 2, 2]
    assert (run.exception, run.message, run.failed, run.line, run.raised) == (None, "", "", 0, "")


def test_a_last_line_that_is_no_expression_gives_nothing():
    assert run_code("a = 2").result is None


@pytest.mark.parametrize(
    ("code", "failed", "line", "raised"),
    [
        ("a = {}\na[1] + a[2]", "a[1]", 2, "KeyError: 1"),
        ("a = {1: 2}\n\na[1] + a['é']", "a['é']", 3, "KeyError: 'é'"),
        ("b = 'é' + str([1][3])", "[1][3]", 1, "IndexError: list index out of range"),
        ("d = {}\n[d[w] for w in 'ab']", "d[w]", 2, "KeyError: 'a'"),
        ("def f(x):\n    return 1 / x\nf(0)", "1 / x", 2, "ZeroDivisionError: division by zero"),
        ("import json\njson.loads('x')", "json.loads('x')", 2, None),
        ("assert (\n    1 > 2\n)", None, None, "AssertionError: "),
    ],
)
def test_what_is_raised_is_caught_with_the_expression_that_raised_it(code, failed, line, raised):
    run = run_code(code)
    assert raised in (None, run.raised)
    assert failed in (None, run.failed)
    assert line in (None, run.line)
    assert run.result is None


def test_runs_share_no_variables():
    run_code("shared = 1")
    assert run_code("shared").raised.startswith("NameError")
