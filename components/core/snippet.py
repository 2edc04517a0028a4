"""What a snippet is, and the IDs that its lesson works on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.core.ids import out_of_range
from components.core.link import State
from components.core.shapes import batches_of, typed_rows, window_count

MAX_INLINE = 2_048  # numbers that are written into a program
MAX_INLINE_CHARS = 20_000  # characters that are written into a program
Ids = Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Snippet:
    """A step of a lesson as a program that stands alone: `name` is unique within its page.

    >>> Snippet("one", "One", "It prints 1.", "print(1)\\n").name
    'one'
    """

    name: str
    title: str
    about: str
    code: str


@dataclass(frozen=True)
class Rows:
    """Rows of the batch as a program writes them out: `b` is the chosen sequence in there, `first` their number."""

    rows: list[list[int]]
    b: int
    first: int
    of: int

    @property
    def note(self) -> str:
        """A sentence for `about` where not all sequences are written out, else nothing."""
        if len(self.rows) == self.of:
            return ""
        last = self.first + len(self.rows) - 1
        return (
            f" A program holds at most {MAX_INLINE:,} IDs, so of the {self.of} sequences only {self.first} to {last} "
            "are written out, and what it counts it counts in those."
        )


def journey_batch(state: State, token_ids: Ids) -> list[list[int]] | None:
    """Return the batch of the journey [B, T] as rows of IDs; None where the pages refuse it.

    >>> from components.core.choices import Choices
    >>> journey_batch(State(choices=Choices(ids="2 3; 5 1")), [])
    [[2, 3], [5, 1]]
    """
    settings, choices = state.settings, state.choices
    try:
        rows = typed_rows(choices.ids, settings) if choices.typed else _text_rows(state, token_ids)
    except ValueError:
        return None
    outside = out_of_range([token_id for row in rows for token_id in row], settings.vocab_size)
    return None if outside else rows


def written(batch: list[list[int]], b: int = 0) -> Rows:
    """Return the batch as a program holds it: all of it, or as many sequences as fit, sequence `b` among them.

    >>> written([[1, 2], [3, 4]], b=1)
    Rows(rows=[[1, 2], [3, 4]], b=1, first=0, of=2)
    """
    b, fits = min(b, len(batch) - 1), max(1, MAX_INLINE // len(batch[0]))
    first = min(b, max(0, len(batch) - fits))
    return Rows(batch[first : first + fits], b - first, first, len(batch))


def _text_rows(state: State, token_ids: Ids) -> list[list[int]]:
    T, stride = state.settings.context_length, state.settings.stride
    _, windows = chosen_windows(state, len(token_ids))
    return [[int(i) for i in token_ids[n * stride : n * stride + T]] for n in windows]


def chosen_windows(state: State, n_tokens: int) -> tuple[int, Sequence[int]]:
    """Return the number of the chosen batch, and which windows it holds. Raises ValueError where there is none.

    >>> from components.core.choices import Choices
    >>> from components.core.settings import Settings
    >>> chosen_windows(State(Settings(batch_size=2), Choices(batch=9)), n_tokens=14)
    (1, range(2, 3))
    """
    settings, choices = state.settings, state.choices
    number = min(choices.batch, batches_of(n_tokens, settings, choices.drop_last) - 1)
    order: Sequence[int] = range(window_count(n_tokens, settings.context_length, settings.stride))
    if choices.shuffle:
        order = _shuffled(len(order), settings.seed)
    return number, order[number * settings.batch_size : (number + 1) * settings.batch_size]


def _shuffled(n_windows: int, seed: int) -> list[int]:
    import torch
    from torch.utils.data import DataLoader

    draw = torch.Generator().manual_seed(seed)
    return next(iter(DataLoader(range(n_windows), n_windows, shuffle=True, generator=draw, collate_fn=list)))
