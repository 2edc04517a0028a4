"""The catalogue as one meets it: the experiments grouped by the message that one sees."""

from typing import NamedTuple

NO_ERROR = "no error"


class Group(NamedTuple):
    """Experiments that raise the same exception: what they have in common, its type, and their names."""

    title: str
    exception: str
    experiments: tuple[str, ...]


GROUPS = (
    Group(
        "IDs and positions",
        "IndexError",
        ("id_equals_v", "added_token", "id_far_above", "negative_id", "past_position_table"),
    ),
    Group("Shapes", "RuntimeError", ("cannot_broadcast", "dim_mismatch", "one_hot_without_num_classes", "no_rows")),
    Group("Dtypes", "RuntimeError", ("float_ids", "one_hot_integers")),
    Group("Lists and tensors", "TypeError", ("list_not_tensor",)),
    Group("Words and IDs", "KeyError", ("unknown_word", "unknown_vector", "undecodable_id")),
    Group("Special tokens", "ValueError", ("special_token",)),
    Group("padding_idx", "AssertionError", ("padding_idx_outside",)),
    Group("Axes and bytes", NO_ERROR, ("silent_pairs", "silent_batch", "no_columns", "half_character")),
    Group("Training", NO_ERROR, ("frozen_table", "max_norm_writes", "new_random_row", "padding_idx_negative")),
    Group("Your own IDs", "", ("own",)),
)


def group_of(experiment: str) -> Group:
    """Return the group of an experiment.

    >>> group_of("dim_mismatch").title
    'Shapes'
    """
    return next(group for group in GROUPS if experiment in group.experiments)
