"""Every experiment of the catalogue: its program and the ends of its parameters."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from components.base.field_types import ChoiceField, IntegerField
from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.failures.code_runner import run_code
from components.failures.experiment import PROGRAMS
from components.programs.handout import assignments, cells, names_in


def test_experiments_of_a_group_raise_the_same():
    assert sum(map(len, GROUPS.values())) == len(FAILURES) == 26
    for title, group in GROUPS.items():
        assert len({run_failure(experiment.name).run.exception for experiment in group}) == 1, title


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


@pytest.mark.parametrize("name", FAILURES)
def test_run_failure_at_range_ends_is_fixed_and_names_expression(name):
    for values in variations(name):
        outcome = run_failure(name, **values)
        assert outcome.fixed.exception == "", outcome.fixed.code
        assert outcome.fixed.code != outcome.run.code
        assert outcome.run.failed in outcome.run.code


@pytest.mark.parametrize("name", FAILURES)
def test_program_has_the_title_defaults_and_cells_of_its_case(name):
    experiment = FAILURES[name]
    program, values = dict(cells(experiment.program)), experiment.arguments(experiment.with_defaults({}))
    about, assigned = program.pop("[markdown]").splitlines(), program.pop("Your values")
    assert about[0].replace("`", "") == f"# # {experiment.title}"
    assert len(about) == 2
    assert assigned == assignments(assigned, values, names_in(assigned))[0]
    assert [title for title in program if title != "Libraries"] == ["It fails", "Fixed"]
    *_, last, handler, end = program["It fails"].partition("\ntry:\n")[2].splitlines()
    assert last.startswith(('    print("result', '    print(f"result'))
    # In each of them: it does not show whether anything is raised.
    assert [handler, end] == ["except Exception as error:", '    print(f"{type(error).__name__}: {error}")']
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
    # In an interpreter of its own: the checks of types in the tests themselves use random numbers.
    command = [sys.executable, "-c", STATE_AROUND_EACH]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2])
    assert run.stdout.splitlines() == [f"{name} True" for name in FAILURES], run.stderr


@pytest.mark.parametrize(
    ("name", "parameters", "named"),
    [
        ("foo", {}, "There is no experiment 'foo': choose one of id_equals_v, added_token"),
        ("id_equals_v", {"W": 1, "X": 2}, "id_equals_v has no parameter 'W': it takes V, D, seed"),
        ("id_equals_v", {"V": 0}, "V = 0 is outside its limits"),
        ("id_equals_v", {"seed": -1}, "seed = −1 is outside its limits: enter 0 to 4,294,967,295"),
        ("id_equals_v", {"V": 2**17 + 1, "D": 8}, "V = 131,073 × D = 8 has 1,048,584 elements; .* Lower D to 7"),
        ("cannot_broadcast", {"B": 64, "T": 1_024, "D": 17}, "B = 64 × T = 1,024 × D = 17 has .* Lower D to 16"),
    ],
)
def test_run_failure_refuses_what_cannot_be_run(name, parameters, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        run_failure(name, **parameters)


def test_run_failure_of_the_largest_tensors_is_allowed():
    assert run_failure("id_equals_v", V=2**17, D=8).run.exception == "IndexError"
    assert run_failure("cannot_broadcast", B=64, T=1_024, D=16).run.exception == "RuntimeError"
