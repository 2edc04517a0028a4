"""The catalogue of the error lab, and the outcome of running one of its experiments.

Every program shown is run, and every error shown is the one that the library raised in that run.
"""

from dataclasses import dataclass
from typing import Any

from components.failures.addition import (
    cannot_broadcast,
    dim_mismatch,
    one_hot_integers,
    one_hot_without_num_classes,
    past_position_table,
    silent_batch,
    silent_pairs,
)
from components.failures.code_runner import CodeRun, run_code
from components.failures.experiment import Experiment, InvalidValue
from components.failures.lookup import added_token, float_ids, id_equals_v, id_far_above, list_not_tensor, negative_id
from components.failures.own import own
from components.failures.table import no_columns, no_rows, padding_idx_negative, padding_idx_outside
from components.failures.training import frozen_table, max_norm_writes, new_random_row
from components.failures.words import half_character, special_token, undecodable_id, unknown_vector, unknown_word

FAILURES: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        id_equals_v,
        added_token,
        id_far_above,
        negative_id,
        float_ids,
        list_not_tensor,
        past_position_table,
        cannot_broadcast,
        dim_mismatch,
        silent_pairs,
        silent_batch,
        no_rows,
        no_columns,
        padding_idx_outside,
        padding_idx_negative,
        one_hot_without_num_classes,
        one_hot_integers,
        frozen_table,
        max_norm_writes,
        new_random_row,
        unknown_word,
        unknown_vector,
        special_token,
        undecodable_id,
        half_character,
        own,
    )
}


@dataclass(frozen=True)
class Outcome:
    """The results of running an experiment and its fix.

    `run` is the run of the experiment and `fixed` that of its fix; `ids` are the typed IDs of the learner's own
    experiment, else None. The other fields are those of the case.
    """

    assumption: str
    run: CodeRun
    invalid_values: list[InvalidValue]
    explanation: str
    fixed: CodeRun
    change: str
    avoid: str
    gpu: str
    ids: list | None

    @property
    def code(self) -> str:
        """The program of the experiment."""
        return self.run.code

    @property
    def exception(self) -> type[Exception] | None:
        """The type of the exception, or None if nothing was raised."""
        return self.run.exception

    @property
    def message(self) -> str:
        """The text of the exception."""
        return self.run.message

    @property
    def failed(self) -> str:
        """The expression of the program that raised the exception."""
        return self.run.failed

    @property
    def result(self) -> Any:
        """The value of the last line if nothing was raised."""
        return self.run.result

    @property
    def fix(self) -> str:
        """The program with the fix."""
        return self.fixed.code


def run_failure(name: str, **parameters: Any) -> Outcome:
    """Run an experiment of the catalogue and its fix, with defaults for parameters that are missing.

    Raises ValueError if the name is not in the catalogue or a parameter is out of range. The message is shown to
    learners.

    >>> outcome = run_failure("id_equals_v", V=4)
    >>> outcome.exception.__name__, outcome.failed, str(outcome.invalid_values[0])
    ('IndexError', 'token_table(ids)', 'ids[0, 2] = 4: the token table has rows 0 to 3')
    >>> outcome.fixed.result.shape
    torch.Size([1, 3, 3])
    """
    if name not in FAILURES:
        raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(FAILURES)}.")
    experiment = FAILURES[name]
    values = experiment.with_defaults(parameters)
    case = experiment.case(**values)
    run, fixed = (run_code(experiment.code(values, fixed)) for fixed in (False, True))
    return Outcome(
        case.assumption,
        run,
        case.invalid_values(run),
        case.explain(run),
        fixed,
        case.change,
        case.avoid,
        case.gpu,
        case.ids,
    )
