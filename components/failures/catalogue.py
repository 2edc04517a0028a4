"""The catalogue of the error lab by the message that one sees, and the outcome of running one of its experiments.

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
from components.failures.experiment import Case, Experiment
from components.failures.lookup import added_token, float_ids, id_equals_v, id_far_above, list_not_tensor, negative_id
from components.failures.own import own
from components.failures.table import no_columns, no_rows, padding_idx_negative, padding_idx_outside
from components.failures.training import frozen_table, max_norm_writes, new_random_row
from components.failures.words import half_character, special_token, undecodable_id, unknown_vector, unknown_word

GROUPS: dict[str, tuple[Experiment, ...]] = {  # by the message that one sees
    "IDs and positions": (id_equals_v, added_token, id_far_above, negative_id, past_position_table),
    "Shapes": (cannot_broadcast, dim_mismatch, one_hot_without_num_classes, no_rows),
    "Dtypes": (float_ids, one_hot_integers),
    "Lists and tensors": (list_not_tensor,),
    "Words and IDs": (unknown_word, unknown_vector, undecodable_id),
    "Special tokens": (special_token,),
    "padding_idx": (padding_idx_outside,),
    "Axes and bytes": (silent_pairs, silent_batch, no_columns, half_character),
    "Training": (frozen_table, max_norm_writes, new_random_row, padding_idx_negative),
    "Your own IDs": (own,),
}
FAILURES = {experiment.name: experiment for group in GROUPS.values() for experiment in group}


@dataclass(frozen=True)
class Outcome:
    """The run of an experiment, the run of its fix, and what there is to say about them."""

    run: CodeRun
    fixed: CodeRun
    case: Case


def run_failure(name: str, **parameters: Any) -> Outcome:
    """Run an experiment of the catalogue and its fix, with defaults for parameters that are missing.

    Raises ValueError if the name is not in the catalogue or a parameter is out of range. The message is shown to
    learners.

    >>> outcome = run_failure("id_equals_v", V=4)
    >>> outcome.run.exception, outcome.run.failed, str(outcome.case.invalid_values[0])
    ('IndexError', 'token_table(ids)', 'ids[0, 2] = 4: the token table has rows 0 to 3')
    >>> outcome.fixed.result.shape
    torch.Size([1, 3, 3])
    """
    if name not in FAILURES:
        raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(FAILURES)}.")
    experiment = FAILURES[name]
    values = experiment.with_defaults(parameters)
    run, fixed = (run_code(experiment.code(values, fixed)) for fixed in (False, True))
    return Outcome(run, fixed, experiment.case(run, **values))
