"""A text made ready for the toy model: a row for each token that it uses, and windows of those rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from torch import Tensor

from components.core.limits import MAX_TRAINING_TOKENS
from components.core.settings import Settings
from components.core.shapes import too_short
from components.core.training_recipe import SPARE_ROWS, training_windows
from components.core.windows import sliding_windows

PAD = 0  # the row that fills up the last window


@dataclass(frozen=True)
class TrainingText:
    """Windows of rows [N, T], and what the rows stand for: `token_ids` by row, -1 for <pad>."""

    inputs: Int[Tensor, "N T"]
    targets: Int[Tensor, "N T"]
    token_ids: tuple[int, ...]
    counts: tuple[int, ...]  # how often each row occurs in the text
    pairs: dict[tuple[int, int], int]  # how often a row has another as its target, over all windows
    rows: Int[np.ndarray, " tokens"]  # the text itself

    @property
    def n_tokens(self) -> int:
        """How many tokens of the text are used."""
        return len(self.rows)

    @property
    def places(self) -> int:
        """How many places of all windows there are to learn from, those of <pad> included."""
        return self.inputs.numel()

    @property
    def vocab_size(self) -> int:
        """V of the toy model: <pad>, the tokens of the text, the spare ones."""
        return len(self.token_ids)

    @property
    def n_pads(self) -> int:
        """How many places of the inputs are filled up with <pad>; only the last window has any."""
        return int((self.inputs[-1] == PAD).sum())

    def row(self, token_id: int) -> int | None:
        """Return the row of a token, or None where the model has none."""
        return self.token_ids.index(token_id) if token_id in self.token_ids else None

    def frequent_rows(self, most: int) -> list[int]:
        """Return at most `most` rows that the text uses, the most frequent ones, in the order of the table."""
        by_count = sorted(range(len(self.counts)), key=lambda row: (-self.counts[row], row))
        return sorted(row for row in by_count[:most] if self.counts[row])

    def followers(self, row: int) -> Float[np.ndarray, " V"]:
        """Return the share of each row among the tokens that follow `row` in the text [V]; all 0 where none does."""
        counts = np.bincount(self.rows[1:][self.rows[:-1] == row], minlength=self.vocab_size)
        return counts / max(1, counts.sum())

    @cached_property
    def pair_entropy(self) -> float:
        """The lowest mean loss that a model can reach which sees one token and not its place, in nats.

        It is the conditional entropy of the target given the input: Shannon (1948), section 6.
        """
        counts = np.array([*self.pairs.values()], dtype=float)
        of_input = np.zeros(self.vocab_size)
        firsts = [first for first, _ in self.pairs]
        np.add.at(of_input, firsts, counts)
        return float((counts * np.log(of_input[firsts] / counts)).sum() / counts.sum())


def training_text(token_ids: Sequence[int] | np.ndarray, settings: Settings, n_vocab: int) -> TrainingText:
    """Return the windows of a text in rows of its own, which count from 0 and leave out the tokens it does not use.

    A tail of two tokens or more that fills no window is filled up with <pad>. At most MAX_TRAINING_TOKENS tokens are
    used. Raises ValueError, in a plain sentence, for a text that is too short, or has one distinct token only.

    >>> text = training_text([7, 5, 7, 5, 7, 9], Settings(context_length=4, stride=4), n_vocab=50)
    >>> text.token_ids, text.inputs.tolist(), text.targets.tolist()
    ((-1, 5, 7, 9, 1, 2, 3), [[2, 1, 2, 1], [2, 3, 0, 0]], [[1, 2, 1, 2], [3, 0, 0, 0]])
    """
    T, stride = settings.context_length, settings.stride
    ids = np.asarray(token_ids, dtype=np.int64)[:MAX_TRAINING_TOKENS]
    if problem := too_short(len(ids), settings):
        raise ValueError(problem)
    distinct, places, counts = np.unique(ids, return_inverse=True, return_counts=True)
    if len(distinct) == 1:
        raise ValueError(
            f"Your text has {len(ids):,} tokens, all of them the same: 1 distinct token. There is nothing to predict; "
            "write at least 2 different ones."
        )
    used = set(distinct.tolist())
    spare = [i for i in range(1, n_vocab) if i not in used][:SPARE_ROWS]  # 0 is the words' own <pad>
    N = training_windows(len(ids), T, stride)
    sequence = np.full((N - 1) * stride + T + 1, PAD)
    rows = places + 1
    sequence[: len(rows)] = rows[: len(sequence)]
    inputs, targets = sliding_windows(sequence, T, stride)
    return TrainingText(
        inputs,
        targets,
        (-1, *distinct.tolist(), *spare),
        (0, *counts.tolist(), *[0] * len(spare)),
        _pairs(sequence, N, T, stride),
        rows,
    )


def _pairs(sequence: np.ndarray, n_windows: int, T: int, stride: int) -> dict[tuple[int, int], int]:
    """Return how often each pair of neighbours stands in a window, without writing out all windows."""
    starts = np.arange(n_windows) * stride
    ends = np.zeros(len(sequence), dtype=np.int64)
    np.add.at(ends, starts, 1)
    np.add.at(ends, starts + T, -1)
    inside = np.cumsum(ends)[:-1]  # how many windows have this place as an input
    pairs: dict[tuple[int, int], int] = {}
    for first, then, count in zip(sequence[:-1].tolist(), sequence[1:].tolist(), inside.tolist(), strict=True):
        if count:
            pairs[first, then] = pairs.get((first, then), 0) + count
    return pairs
