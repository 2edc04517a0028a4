"""Every entry of the catalogue against the same code in an interpreter of its own, which has never seen this app."""

import ast
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from components.base.field_types import ChoiceField, IntegerField
from components.failures.catalogue import FAILURES, run_failure

PROJECT = Path(__file__).parents[2]
SILENT = {"silent_pairs", "silent_batch", "no_columns", "padding_idx_negative", "half_character"}
RAISED = {
    "id_equals_v": IndexError,
    "id_far_above": IndexError,
    "negative_id": IndexError,
    "float_ids": RuntimeError,
    "list_not_tensor": TypeError,
    "past_position_table": IndexError,
    "cannot_broadcast": RuntimeError,
    "dim_mismatch": RuntimeError,
    "no_rows": RuntimeError,
    "padding_idx_outside": AssertionError,
    "one_hot_without_num_classes": RuntimeError,
    "one_hot_integers": RuntimeError,
    "unknown_word": KeyError,
    "unknown_vector": KeyError,
    "special_token": ValueError,
    "undecodable_id": KeyError,
    "own": IndexError,
}

RUN_EACH = """
import json, sys, traceback
answers = []
for code in json.load(sys.stdin):
    *_, last = code.rstrip().splitlines()
    body = code.rstrip()[: -len(last)]
    try:
        names = {}
        exec(body, names)
        answers.append(["", repr(eval(last, names))])
    except Exception as error:
        answers.append([type(error).__name__ + ": " + str(error), ""])
print(json.dumps(answers))
"""


def run_elsewhere(codes: list[str]) -> list[list[str]]:
    """Return for each program what it raised, or what its last line gave, in one interpreter without this project."""
    run = subprocess.run(
        [sys.executable, "-I", "-c", RUN_EACH], input=json.dumps(codes), capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def variations(failure) -> list[dict]:
    """Return some valid parameters: the defaults, then the ends of every range with the others at their default."""
    sets = [{}]
    for name, parameter in failure.parameters.items():
        match parameter.field_type:
            case IntegerField(_, low, high):
                sets += [{name: low}, {name: min(high, 4_000)}]
            case ChoiceField(_, options):
                sets += [{name: option} for option in options]
            case _:
                sets += [{name: value} for value in ("", 'it\'s \\ "quoted" {w}', "w for w in vocabulary[w]")]
    # IDs that are no list of numbers are refused before anything runs; that is tested below.
    return [values for values in sets if not values.get("ids")]


def test_the_catalogue_lists_what_is_raised_and_what_is_not():
    assert list(FAILURES) == [failure.name for failure in FAILURES.values()]
    assert set(FAILURES) == set(RAISED) | SILENT
    for failure in FAILURES.values():
        assert failure.title
        assert run_failure(failure.name).assumption.endswith(".")


@pytest.mark.parametrize("name", FAILURES)
def test_each_raises_what_the_library_raises_and_its_repair_runs_clean(name):
    outcome = run_failure(name)
    assert outcome.exception is RAISED.get(name)
    assert bool(outcome.message) == bool(outcome.failed) == (name not in SILENT)
    assert outcome.invalid_values
    assert outcome.explanation.endswith((".", "…"))
    assert outcome.fixed.exception is None
    assert outcome.fix != outcome.code


def test_the_code_shown_is_the_code_run_and_raises_the_same_elsewhere():
    outcomes = [run_failure(name, **values) for name, failure in FAILURES.items() for values in variations(failure)]
    assert len(outcomes) > 100
    answers = run_elsewhere([o.code for o in outcomes] + [o.fix for o in outcomes])
    for outcome, broken, repaired in zip(outcomes, answers, answers[len(outcomes) :], strict=False):
        assert broken == [outcome.run.raised, "" if outcome.exception else repr(outcome.result)], outcome.code
        assert repaired == ["", repr(outcome.fixed.result)], outcome.fix


def test_each_program_ends_as_python_itself_would_end_it(tmp_path):
    def run(name: str) -> tuple[str, subprocess.CompletedProcess]:
        script = tmp_path / f"{name}.py"
        script.write_text(run_failure(name).code, "utf-8")
        return name, subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, cwd=tmp_path)

    with ThreadPoolExecutor(2) as two:
        for name, ended in two.map(run, FAILURES):
            outcome = run_failure(name)
            assert (ended.returncode == 0) == (name in SILENT), ended.stderr
            assert ended.stderr.strip().endswith(outcome.run.raised.strip())
            assert f"line {outcome.run.line}, in <module>" in ended.stderr or name in SILENT


def literals(path: Path) -> list[str]:
    """Return the strings of a module, docstrings left out: their examples are run by doctest."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node.value for node in strings if id(node) not in docs]


def test_no_message_stands_in_the_source():
    source = "\n".join(
        " ".join(text.split())
        for path in [PROJECT / "app.py", *PROJECT.glob("pages/*.py"), *PROJECT.glob("components/**/*.py")]
        for text in literals(path)
    )
    assert "The message names neither the ID" in source
    for name in RAISED:
        words = run_failure(name).message.split()
        for start in range(max(1, len(words) - 4)):
            assert " ".join(words[start : start + 5]) not in source or len(words) < 3, (name, words)


STATE_AROUND_EACH = """
import random, sys, warnings
import numpy as np, torch
from components.failures.catalogue import FAILURES, run_failure

def state():
    return (
        torch.get_rng_state().tolist(), torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled(),
        random.getstate(), np.random.get_state()[1].tolist(), repr(warnings.filters), sys.getrecursionlimit(),
    )

run_failure("unknown_vector")  # whatever a library sets when it is imported
for name in FAILURES:
    before = state()
    run_failure(name)
    print(name, state() == before)
"""


def test_nothing_of_the_process_is_changed():
    # In an interpreter of its own: the checks of types in the tests themselves draw random numbers.
    run = subprocess.run(
        [sys.executable, "-c", STATE_AROUND_EACH], capture_output=True, text=True, timeout=120, cwd=PROJECT
    )
    assert run.stdout.splitlines() == [f"{name} True" for name in FAILURES], run.stderr


@pytest.mark.parametrize(
    ("name", "parameters", "named"),
    [
        ("foo", {}, "There is no experiment 'foo'"),
        ("id_equals_v", {"W": 1}, "id_equals_v has no parameter 'W': it takes V, D, seed"),
        ("id_equals_v", {"V": 0}, "V = 0 is outside its limits"),
        ("id_equals_v", {"V": "6; import os"}, "V = '6; import os' is not a whole number"),
        ("id_equals_v", {"V": True}, "V = 'True' is not a whole number"),
        ("id_equals_v", {"V": 50_257, "D": 256}, "has 12,865,792 elements; .* Lower D to 20"),
        ("cannot_broadcast", {"B": 64, "T": 1_024, "D": 17}, "B = 64 x T = 1,024 x D = 17 has .* Lower D to 16"),
        ("float_ids", {"wrong_dtype": "int64"}, "dtype = 'int64' is not one of"),
        ("unknown_word", {"word": "x" * 41}, "word = 'xxx"),
        ("own", {"ids": "two"}, "'t' is not allowed among IDs"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(name, parameters, named):
    with pytest.raises(ValueError, match=named):
        run_failure(name, **parameters)


def test_the_place_of_the_bad_value_is_named():
    named = {name: str(run_failure(name).invalid_values[0]) for name in FAILURES}
    assert named["id_equals_v"] == "ids[0, 2] = 6: the token table has rows 0 to 5"
    assert named["negative_id"] == "ids[0, 1] = -1: the token table has rows 0 to 5"
    assert named["past_position_table"] == "positions[4] = 4: the position table has rows 0 to 3"
    assert named["cannot_broadcast"] == "token.shape[1] = 4: against 5 positions"
    assert named["unknown_word"] == "sentence[1] = 'dog': not in the vocabulary"
    assert named["special_token"].startswith("text[16] = '<|endoftext|>'")


@pytest.mark.parametrize(
    ("name", "table"), [("id_equals_v", "token_table(ids)"), ("past_position_table", "position_table(positions)")]
)
def test_the_same_message_is_told_apart_by_the_table_that_failed(name, table):
    outcome = run_failure(name)
    assert outcome.message == run_failure("negative_id").message
    assert outcome.failed == table
    assert table in outcome.code.splitlines()[outcome.run.line - 1]
