"""The tokens that the figure of Home follows, and the two among the first that have the same ID."""

from typing import NamedTuple

from torch import Tensor

from components.figures.pager import shown_rows
from components.text.token_ids import repeated_ids


class Step(NamedTuple):
    """A token in a batch: the index of its sequence, its position in it, and its ID."""

    sequence: int
    position: int
    token_id: int


def shown_steps(ids: Tensor, at: int = 0) -> dict[int, Step]:
    """Return the tokens of a batch [B, T] that the figure shows, index `at` among them, by their indices."""
    T, flat = ids.shape[1], ids.flatten()
    return {n: Step(*divmod(n, T), int(flat[n])) for n in shown_rows(ids.numel(), at)}


def same_id_steps(ids: Tensor) -> tuple[Step, Step] | None:
    """Return the first two of the tokens shown at first that have the same ID, or None."""
    steps = shown_steps(ids)
    found = repeated_ids([step.token_id for step in steps.values()])
    return (steps[found[0][1]], steps[found[0][2]]) if found else None
