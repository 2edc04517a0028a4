import ast
import gc

import pytest

from components.failures.code_runner import run_code


def test_run_code_returns_result_and_variables_and_shares_none():
    run = run_code("a = 2\nb = [a] * 3\nresult = b[1:]")
    assert (run.result, run.variables["b"]) == ([2, 2], [2, 2, 2])
    assert (run.exception, run.message, run.failed, run.raised) == ("", "", "", "")
    assert run_code("c = 2").result is None
    assert run_code("b = 5\nresult = [a, b]", run.variables).result == [2, 5]
    assert run.variables["b"] == [2, 2, 2]
    assert run_code("a").raised == "NameError: name 'a' is not defined"


@pytest.mark.parametrize(
    ("code", "failed", "raised"),
    [
        ("a = {}\na[1] + a[2]", "a[1]", "KeyError: 1"),
        ("a = {1: 2}\n\na[1] + a['é']", "a['é']", "KeyError: 'é'"),
        ("b = 'é' + str([1][3])", "[1][3]", "IndexError: list index out of range"),
        ("d = {}\n[d[w] for w in 'ab']", "d[w]", "KeyError: 'a'"),
        ("def f(x):\n    return 1 / x\nf(0)", "1 / x", "ZeroDivisionError: division by zero"),
        ("import shlex\nshlex.split('\"')", "shlex.split('\"')", "ValueError: No closing quotation"),
        ("x = 1\nassert (\n    x > 2\n)", "x > 2", "AssertionError: "),
        ("x = 1\nx[\n    0\n]", "x[", "TypeError: 'int' object is not subscriptable"),
        ("try:\n    y = 1 / 0\nexcept Exception:\n    y = 0", "1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_run_code_catches_what_is_raised_with_its_expression(code, failed, raised):
    run = run_code(code)
    assert (run.failed, run.raised, run.result) == (failed, raised, None)


def test_run_code_prints_nothing(capsys):
    run = run_code("print('a', end='')\ntry:\n    result = 1\n    print(result)\nexcept KeyError:\n    result = 2")
    assert (run.result, run.exception) == (1, "")
    assert capsys.readouterr().out == ""


def test_run_code_is_not_disturbed_by_syntax_trees_of_others():
    def parse(*_: object) -> None:  # as Jinja does in another thread, which may run when Python collects garbage
        ast.literal_eval("0.5")

    gc.callbacks.append(parse)
    try:
        run = run_code("\n".join(f"x{n} = [{n}]" for n in range(2_000)))
    finally:
        gc.callbacks.remove(parse)
    assert (run.exception, run.variables["x7"]) == ("", [7])
