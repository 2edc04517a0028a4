"""The programs of the error lab: functions that fail, and that run with `fixed=True`.

Each is loaded with its module on first use: the modules import torch and gensim, and the app lists the experiments at
start, long before it runs one.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "lookup": "id_equals_v added_token id_far_above negative_id float_ids list_not_tensor",
    "addition": "past_position_table cannot_broadcast dim_mismatch silent_pairs silent_batch "
    "one_hot_without_num_classes one_hot_integers",
    "table": "no_rows no_columns padding_idx_outside padding_idx_negative",
    "training": "frozen_table max_norm_writes new_random_row",
    "words": "unknown_word unknown_vector special_token undecodable_id half_character",
    "learner": "own",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Return a program; its module is imported on the first access."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
