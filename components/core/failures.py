"""The catalogue of everything that goes wrong with embeddings, and what happens when one of it is run.

Nothing here is told from memory: the code shown is run, and what is shown is what the library raised.
"""

from dataclasses import dataclass
from typing import Any

from components.core.exhibit import Run, run_code
from components.core.failure import Failure, Offender
from components.core.failure_lookup import float_ids, id_equals_v, id_far_above, list_not_tensor, negative_id
from components.core.failure_own import own
from components.core.failure_sum import (
    cannot_broadcast,
    dim_mismatch,
    one_hot_integers,
    one_hot_without_num_classes,
    past_position_table,
    silent_batch,
    silent_pairs,
)
from components.core.failure_table import no_columns, no_rows, padding_idx_negative, padding_idx_outside
from components.core.failure_word import half_character, special_token, undecodable_id, unknown_vector, unknown_word

FAILURES: dict[str, Failure] = {
    failure.name: failure
    for failure in (
        id_equals_v,
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
    """What happened when a failure was run, and when it was repaired.

    `exception` is the type that was raised, or None, and `message` its text; `failed` the table or operation that
    raised it, as it stands in the code; `result` what came out where nothing was raised.
    """

    thought: str
    run: Run
    offending: list[Offender]
    explanation: str
    repaired: Run
    change: str
    gpu: str
    ids: list | None

    @property
    def code(self) -> str:
        return self.run.code

    @property
    def exception(self) -> type[Exception] | None:
        return self.run.exception

    @property
    def message(self) -> str:
        return self.run.message

    @property
    def failed(self) -> str:
        return self.run.failed

    @property
    def result(self) -> Any:
        return self.run.result

    @property
    def repair(self) -> str:
        return self.repaired.code


def run_failure(name: str, **parameters: Any) -> Outcome:
    """Run one entry of the catalogue and its repair, and return what happened.

    Parameters that are not given take their defaults. Raises ValueError, in a plain sentence, for a name that is not
    in the catalogue and for parameters out of bounds.

    >>> outcome = run_failure("id_equals_v", V=4)
    >>> outcome.exception.__name__, outcome.failed, str(outcome.offending[0])
    ('IndexError', 'token_table(ids)', 'ids[0, 2] = 4: the token table has rows 0 to 3')
    >>> outcome.repaired.result.shape
    torch.Size([1, 3, 3])
    """
    if name not in FAILURES:
        raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(FAILURES)}.")
    failure = FAILURES[name]
    case = failure.case(**failure.with_defaults(parameters))
    run, repaired = run_code(case.code), run_code(case.repair)
    return Outcome(case.thought, run, case.offending(run), case.explain(run), repaired, case.change, case.gpu, case.ids)
