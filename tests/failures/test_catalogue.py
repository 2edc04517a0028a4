"""Every experiment of the catalogue against its file, run by an interpreter without this project."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from components.base.field_types import ChoiceField, IntegerField
from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.failures.code_runner import run_code
from components.failures.experiment import PROGRAMS
from components.programs.handout import assignments, cells, handout, names_in

PROJECT = Path(__file__).parents[2]
# Of each experiment: exception, expression that raises it, first invalid value, words of the explanation.
OUTCOMES = """
id_equals_v ¦ IndexError ¦ token_table(ids) ¦ ids[0, 2] = 6: the token embedding table has rows 0 to 5 \
 ¦ 0 to 5, and no row 6.
added_token ¦ IndexError ¦ token_table(ids) ¦ ids[0, 2] = 3: the token embedding table has rows 0 to 2 \
 ¦ has 4 tokens now
id_far_above ¦ IndexError ¦ token_table(ids) ¦ ids[0, 1] = 1000005: the token embedding table has rows 0 to 5 \
 ¦ rows are 0 to 5.
negative_id ¦ IndexError ¦ token_table(ids) ¦ ids[0, 1] = -1: the token embedding table has rows 0 to 5 \
 ¦ A typical cause is a −1
float_ids ¦ RuntimeError ¦ token_table(ids) ¦ ids[0, 0] = 0.0: dtype float32, not int64 or int32 ¦ Long and Int
list_not_tensor ¦ TypeError ¦ token_table(ids) ¦ ids[0, 0] = 0: in a list, not in a tensor ¦ the IDs second
past_position_table ¦ IndexError ¦ position_table(positions) \
 ¦ positions[4] = 4: the position embedding table has rows 0 to 3 \
 ¦ 5 tokens need rows 0 to 4 of the position embedding table, and it has rows 0 to 3.
cannot_broadcast ¦ RuntimeError ¦ token + position ¦ token.shape[1] = 4: against 5 positions \
 ¦ D = 3 is compared with D = 3; then T = 4 with 5: neither
dim_mismatch ¦ RuntimeError ¦ token + position ¦ token.shape[2] = 256: against 255 of the positions \
 ¦ 256 and 255 are neither equal nor 1.
silent_pairs ¦ ¦ ¦ position.shape[1] = 1: it is expanded to every token ¦ [4, 3] is treated as [1, 4, 3] and broadcast \
with [4, 1, 3]: both are expanded to [4, 4, 3]. Every token is added to every position, 16 vectors instead of 4;
silent_batch ¦ ¦ ¦ position.shape[1] = 1: it is expanded to every position ¦ neither T = 4 nor 1, torch
no_rows ¦ RuntimeError ¦ token_table(ids) ¦ ids[0, 0] = 0: the token embedding table has no rows \
 ¦ The table [0, 3] is built
no_columns ¦ ¦ ¦ W.shape[1] = 0: every vector is empty ¦ the table [6, 0] is built
padding_idx_outside ¦ AssertionError ¦ nn.Embedding.from_pretrained(W, padding_idx=padding_idx) \
 ¦ padding_idx = 6: the token embedding table has rows 0 to 5 ¦ a row of the table, which has rows 0 to 5;
padding_idx_negative ¦ ¦ ¦ token_table.padding_idx = 5: the last row ¦ it means row 5, the last one.
one_hot_without_num_classes ¦ RuntimeError ¦ hot @ W ¦ hot.shape[1] = 5: the largest ID of this batch is 4 \
 ¦ needs: 4 + 1 = 5, and the table has V = 6 rows. A batch that contains ID 5 would run
one_hot_integers ¦ RuntimeError ¦ hot @ W ¦ hot.dtype = torch.int64: times a tensor of float32 \
 ¦ one_hot returns int64, the table is float32
frozen_table ¦ ¦ ¦ ids[0, 0] = 0: its row was not trained ¦ after the step 0 of 6 rows have changed
max_norm_writes ¦ ¦ ¦ ids[0, 1] = 5: the lookup changed its row in the table ¦ The lookup has changed 1 of 6 rows
new_random_row ¦ ¦ ¦ share = 0.471: of 1,000 contexts predict the new token ¦ the largest in 47.1% of 1,000 random
unknown_word ¦ KeyError ¦ vocabulary[w] ¦ sentence[1] = 'dog': not in the vocabulary ¦ 'dog' was not one
unknown_vector ¦ KeyError ¦ vectors[key] ¦ word = 'kings': not among king, queen ¦ 'kings' is another key
special_token ¦ ValueError ¦ encoding.encode(text) ¦ text[16] = '<|endoftext|>': a special token ¦ GPT-2's raises the
undecodable_id ¦ KeyError ¦ encoding.decode(ids) ¦ ids[2] = 300: the tokens have the IDs 0 to 256 \
 ¦ No token has the ID 300: this tokenizer ends at 256, GPT-2's at 50,256.
half_character ¦ ¦ ¦ ids[0] = 195: the first of 2 bytes ¦ é is 2 bytes in UTF-8 and here 2 tokens
own ¦ IndexError ¦ token_table(ids) ¦ ids[2] = 6: the token embedding table has rows 0 to 5 ¦ failed: it has rows 0 to 5
"""
# The limits of each integer parameter, and the experiments with others: what their programs need, or can compute.
LIMITS = {"V": (1, 200_019), "D": (1, 1_024), "T": (1, 1_024), "B": (1, 64), "seed": (0, 2**32 - 1), "extra": (1, 64)}
LIMITS |= {"width": (3, 1_024), "far": (1, 10**12), "token_id": (257, 10**12), "back": (1, 1_000), "beyond": (1, 1_000)}
OTHER_LIMITS = {
    ("V", 2, 200_019): "id_far_above float_ids list_not_tensor no_columns one_hot_integers",
    ("V", 2, 2_048): "frozen_table max_norm_writes new_random_row",
    ("V", 3, 200_019): "one_hot_without_num_classes",
    ("D", 1, 64): "max_norm_writes new_random_row",
    ("D", 1, 16): "silent_pairs silent_batch",
    ("T", 2, 8): "silent_pairs silent_batch",
    ("T", 2, 1_024): "cannot_broadcast",
    **{(key, 0, LIMITS[key][1]): "own" for key in "VDT"},
}


@pytest.mark.parametrize("name", FAILURES)
def test_parameters_have_the_limits_that_their_program_needs(name):
    limits = LIMITS | {key: tuple(others) for (key, *others), names in OTHER_LIMITS.items() if name in names.split()}
    kinds = {key: parameter.field_type for key, parameter in FAILURES[name].parameters.items()}
    numbers = {key: (kind.low, kind.high) for key, kind in kinds.items() if isinstance(kind, IntegerField)}
    assert numbers == {key: limits[key] for key in numbers}


@pytest.mark.parametrize("name", FAILURES)
def test_run_failure_raises_what_its_program_does_and_is_fixed(name):
    (line,) = [line for line in OUTCOMES.splitlines() if line.startswith(f"{name} ")]
    outcome = run_failure(name)
    exception = outcome.run.exception
    *expected, explained = [part.strip() for part in line.split("¦")]
    failed = expected[2]
    assert [name, exception, outcome.run.failed, str(outcome.case.invalid_values[0])] == expected
    assert explained in outcome.case.explanation
    assert failed in outcome.run.code.splitlines()[outcome.run.line - 1]
    assert bool(outcome.run.message) == bool(exception)
    assert outcome.fixed.exception == ""
    assert outcome.fixed.code != outcome.run.code
    case = outcome.case
    for sentence in (case.assumption, case.explanation, case.change, case.gpu, FAILURES[name].remark):
        assert sentence.endswith((".", "…", ".)"))
    assert case.gpu.count("](") == case.gpu.count("](https://")


def test_experiments_of_a_group_raise_the_same():
    assert sum(map(len, GROUPS.values())) == len(FAILURES) == 26
    for title, group in GROUPS.items():
        assert len({run_failure(experiment.name).run.exception for experiment in group}) == 1, title


RUN_EACH = """
import contextlib, io, json, sys
found = []
for program in json.load(sys.stdin):
    variables, printed, results = {}, io.StringIO(), []
    for cells in program.split("# %% Fixed"):
        variables.pop("result", None)
        with contextlib.redirect_stdout(printed):
            exec(cells, variables)
        result = variables.get("result")
        results.append(repr(result.tolist() if hasattr(result, "tolist") else result))
    found.append([printed.getvalue(), *results])
print(json.dumps(found))
"""


def run_elsewhere(programs: list[str]) -> list[list[str]]:
    """Return for each program what it prints, its result, and that of the fix."""
    run = subprocess.run(
        [sys.executable, "-I", "-c", RUN_EACH], input=json.dumps(programs), capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def variations(name: str) -> list[dict]:
    """Return valid parameters: the defaults, then the ends of each range with the others at their default."""
    sets = [{}]
    for key, parameter in FAILURES[name].parameters.items():
        match parameter.field_type:
            case IntegerField(_, low, high):
                sets += [{key: low}, {key: min(high, 4_000)}]
            case ChoiceField(_, options):
                sets += [{key: option} for option in options]
            case _ if key != "ids":
                sets += [{key: value} for value in ("", 'it\'s \\ "quoted" {w}', "w for w in vocabulary[w]")]
    return sets


def test_run_failure_of_any_parameters_gives_what_the_file_gives():
    cases = [(FAILURES[name], values) for name in FAILURES for values in variations(name)]
    assert len(cases) > 100
    files = [handout(each.program, each.arguments(each.with_defaults(values))).text for each, values in cases]
    for (each, values), (printed, *results) in zip(cases, run_elsewhere(files), strict=True):
        outcome = run_failure(each.name, **values)
        own = [run.result for run in (outcome.run, outcome.fixed)]
        own = [repr(result.tolist() if hasattr(result, "tolist") else result) for result in own]
        assert results == own, outcome.run.code
        assert printed.startswith(f"{outcome.run.raised}\nresult" if outcome.run.exception else "result"), printed
        assert printed.count("result") == 2 - bool(outcome.run.exception)
        assert outcome.fixed.exception == "", outcome.fixed.code
        assert outcome.run.failed in outcome.run.code.splitlines()[outcome.run.line - 1]


ENDS = ["except Exception as error:", '    print(f"{type(error).__name__}: {error}")']


@pytest.mark.parametrize("name", FAILURES)
def test_program_has_the_title_defaults_and_cells_of_its_case(name):
    experiment = FAILURES[name]
    program, values = dict(cells(experiment.program)), experiment.arguments(experiment.with_defaults({}))
    about, assigned = program.pop("[markdown]").splitlines(), program.pop("Your values")
    assert about[0].replace("`", "") == f"# # {experiment.title}"
    assert len(about) == 2
    assert assigned == assignments(assigned, values, names_in(assigned)).text
    assert [title for title in program if title != "Libraries"] == ["It fails", "Fixed"]
    *_, last, before_last, end = program["It fails"].partition("\ntry:\n")[2].splitlines()
    assert last.startswith(('    print("result', '    print(f"result'))
    assert [before_last, end] == ENDS  # in each of them: it does not show whether anything is raised
    assert "\n\n" not in program["It fails"]


def test_every_program_has_a_case_and_every_case_a_program():
    assert {path.stem for path in PROGRAMS.glob("*.py")} == {*FAILURES}


def test_fix_leaves_the_variables_of_the_run_unchanged():
    for name, experiment in FAILURES.items():
        alone = run_code(run_failure(name).run.code).variables
        for variable, value in run_failure(name).run.variables.items():
            if isinstance(value, torch.Tensor):
                assert torch.equal(value, alone[variable]), (experiment.title, variable)


STATE_AROUND_EACH = """
import random, warnings
import numpy as np, torch
from components.failures.catalogue import FAILURES, run_failure

def state():
    return (
        torch.get_rng_state().tolist(), torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled(),
        random.getstate(), np.random.get_state()[1].tolist(), repr(warnings.filters),
        repr(torch._tensor_str.PRINT_OPTS),
    )

run_failure("unknown_vector")  # whatever a library sets when it is imported
for name in FAILURES:
    before = state()
    run_failure(name)
    print(name, state() == before)
"""


def test_run_failure_changes_nothing_of_the_process():
    # In an interpreter of its own: the checks of types in the tests themselves draw random numbers.
    run = subprocess.run(
        [sys.executable, "-c", STATE_AROUND_EACH], capture_output=True, text=True, timeout=120, cwd=PROJECT
    )
    assert run.stdout.splitlines() == [f"{name} True" for name in FAILURES], run.stderr


@pytest.mark.parametrize(
    ("name", "parameters", "named"),
    [
        ("foo", {}, "There is no experiment 'foo': choose one of id_equals_v, added_token"),
        ("id_equals_v", {"W": 1, "X": 2}, "id_equals_v has no parameter 'W': it takes V, D, seed"),
        ("id_equals_v", {"V": 0}, "V = 0 is outside its limits"),
        ("id_equals_v", {"V": "6; import os"}, "V = '6; import os' is not a whole number"),
        ("id_equals_v", {"V": 2**17 + 1, "D": 8}, "V = 131,073 x D = 8 has 1,048,584 elements; .* Lower D to 7"),
        ("cannot_broadcast", {"B": 64, "T": 1_024, "D": 17}, "B = 64 x T = 1,024 x D = 17 has .* Lower D to 16"),
        ("float_ids", {"wrong_dtype": "int64"}, "dtype = 'int64' is not one of"),
        ("unknown_word", {"word": "x" * 41}, "word = 'x{40}…' is not a text of at most 40 characters"),
        ("own", {"ids": "two"}, "'t' is not allowed among IDs"),
    ],
)
def test_run_failure_refuses_what_cannot_be_run(name, parameters, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        run_failure(name, **parameters)


def test_run_failure_of_the_largest_tensors_is_allowed():
    assert run_failure("id_equals_v", V=2**17, D=8).run.exception == "IndexError"
    assert run_failure("cannot_broadcast", B=64, T=1_024, D=16).run.exception == "RuntimeError"
