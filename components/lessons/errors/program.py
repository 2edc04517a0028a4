"""The program of the lesson on errors: the chosen experiment with the learner's numbers, and its fix."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from components.base.link import State
from components.failures.catalogue import FAILURES
from components.failures.programs.addition import (
    cannot_broadcast,
    dim_mismatch,
    one_hot_integers,
    one_hot_without_num_classes,
    past_position_table,
    silent_batch,
    silent_pairs,
)
from components.failures.programs.learner import own
from components.failures.programs.lookup import float_ids, id_equals_v, id_far_above, list_not_tensor, negative_id
from components.failures.programs.table import no_columns, no_rows, padding_idx_negative, padding_idx_outside
from components.failures.programs.words import (
    half_character,
    special_token,
    undecodable_id,
    unknown_vector,
    unknown_word,
)
from components.failures.views import format_result
from components.lessons.errors.choices import clamped


def show_error(
    experiment,
    lab_V,
    lab_D,
    seed,
    lab_far,
    lab_back,
    lab_wrong_dtype,
    lab_T,
    lab_extra,
    lab_B,
    lab_width,
    lab_beyond,
    lab_word,
    lab_key,
    lab_text,
    lab_token_id,
    lab_character,
    lab_typed_ids,
    lab_dtype,
    lab_fixed_sizes,
    lab_fixed_ids,
):
    """Run the chosen experiment, then its fix."""
    # %% The experiment
    # Each experiment is a function. An error is caught and printed with its type and its message; if there is none,
    # the result is printed.
    if experiment == "id_equals_v":
        program = partial(id_equals_v, lab_V, lab_D, seed)
    elif experiment == "id_far_above":
        program = partial(id_far_above, lab_V, lab_D, seed, lab_far)
    elif experiment == "negative_id":
        program = partial(negative_id, lab_V, lab_D, seed, lab_back)
    elif experiment == "float_ids":
        program = partial(float_ids, lab_V, lab_D, seed, lab_wrong_dtype)
    elif experiment == "list_not_tensor":
        program = partial(list_not_tensor, lab_V, lab_D, seed)
    elif experiment == "past_position_table":
        program = partial(past_position_table, lab_V, lab_D, lab_T, seed, lab_extra)
    elif experiment == "cannot_broadcast":
        program = partial(cannot_broadcast, lab_B, lab_T, lab_D, lab_extra)
    elif experiment == "dim_mismatch":
        program = partial(dim_mismatch, lab_width)
    elif experiment == "silent_pairs":
        program = partial(silent_pairs, lab_T, lab_D)
    elif experiment == "silent_batch":
        program = partial(silent_batch, lab_T, lab_D)
    elif experiment == "no_rows":
        program = partial(no_rows, lab_D, seed)
    elif experiment == "no_columns":
        program = partial(no_columns, lab_V, seed)
    elif experiment == "padding_idx_outside":
        program = partial(padding_idx_outside, lab_V, lab_D, seed, lab_beyond)
    elif experiment == "padding_idx_negative":
        program = partial(padding_idx_negative, lab_V, lab_D, seed)
    elif experiment == "one_hot_without_num_classes":
        program = partial(one_hot_without_num_classes, lab_V, lab_D)
    elif experiment == "one_hot_integers":
        program = partial(one_hot_integers, lab_V, lab_D)
    elif experiment == "unknown_word":
        program = partial(unknown_word, lab_word)
    elif experiment == "unknown_vector":
        program = partial(unknown_vector, lab_key)
    elif experiment == "special_token":
        program = partial(special_token, lab_text)
    elif experiment == "undecodable_id":
        program = partial(undecodable_id, lab_token_id)
    elif experiment == "half_character":
        program = partial(half_character, lab_character)
    elif experiment == "own":
        program = partial(own, lab_V, lab_D, lab_T, lab_typed_ids, lab_dtype, seed, lab_fixed_sizes, lab_fixed_ids)
    try:
        print(format_result(program(fixed=False)))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    # %% The fix
    # The same function with `fixed=True`; it raises nothing.
    print(format_result(program(fixed=True)))


STORIES = (show_error,)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the story; None if the experiment is not possible with these numbers.

    >>> from components.lessons.errors.choices import Choices
    >>> found = values(State(choices=Choices()), [])
    >>> found["experiment"], found["lab_V"], found["seed"]
    ('id_equals_v', 6, 123)
    """
    experiment = FAILURES[state.choices.experiment]
    try:
        found = experiment.with_defaults(clamped(experiment, state))
        found |= experiment.case(**found).values
    except ValueError:
        return None
    named = {f"lab_{name}": value for name, value in found.items()}
    return named | {"experiment": experiment.name, "seed": state.settings.seed}
