"""A text prepared for the toy model: one row for each token that it uses, and windows of those rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from torch import Tensor

from components.base.limits import MAX_TRAINING_TOKENS
from components.text.window_counts import window_count
from components.text.windows import sliding_windows

PAD = 0  # the row of <pad>, which fills the last window
SPARE_ROWS = 3  # tokens that the text never uses, as examples of the rest of the vocabulary


@dataclass(frozen=True)
class TrainingText:
    """Windows of rows [N, T], and the token of each row: `token_ids` has -1 for <pad>."""

    inputs: Int[Tensor, "N T"]
    targets: Int[Tensor, "N T"]
    token_ids: tuple[int, ...]
    counts: tuple[int, ...]  # how often each row occurs in the text
    pairs: dict[tuple[int, int], int]  # how often each pair of input and target occurs in all windows
    rows: Int[np.ndarray, " tokens"]  # the text itself

    @property
    def n_tokens(self) -> int:
        """The number of tokens of the text that are used."""
        return len(self.rows)

    @property
    def n_positions(self) -> int:
        """The number of positions in all windows, those of <pad> included."""
        return self.inputs.numel()

    @property
    def vocab_size(self) -> int:
        """V of the toy model: <pad>, the tokens of the text, the spare tokens."""
        return len(self.token_ids)

    def row(self, token_id: int) -> int | None:
        """Return the row of a token, or None if the model does not have the token."""
        return self.token_ids.index(token_id) if token_id in self.token_ids else None

    def frequent_rows(self, most: int) -> list[int]:
        """Return at most `most` rows that the text uses, the most frequent ones, in the order of the table."""
        by_count = sorted(range(len(self.counts)), key=lambda row: (-self.counts[row], row))
        return sorted(row for row in by_count[:most] if self.counts[row])

    def rows_to_show(self, most: int = 24) -> list[int]:
        """Return at most `most` rows: <pad>, the most frequent ones, and those that the text never uses."""
        spare = [row for row in range(1, self.vocab_size) if not self.counts[row]]
        return [PAD, *self.frequent_rows(most - 1 - len(spare)), *spare]

    def followers(self, row: int) -> Float[np.ndarray, " V"]:
        """Return the share of each row among the tokens that follow `row` in the text [V]; all 0 if nothing does."""
        counts = np.bincount(self.rows[1:][self.rows[:-1] == row], minlength=self.vocab_size)
        return counts / max(1, counts.sum())

    @cached_property
    def conditional_entropy(self) -> float:
        """The lower bound of the mean loss of a model that sees the current token alone, in nats.

        It is the conditional entropy of the target given the input: Shannon (1948), section 6.
        """
        counts = np.array([*self.pairs.values()], dtype=float)
        input_counts = np.zeros(self.vocab_size)
        inputs = [row for row, _ in self.pairs]
        np.add.at(input_counts, inputs, counts)
        return float((counts * np.log(input_counts[inputs] / counts)).sum() / counts.sum())


def training_windows(n_tokens: int, context_length: int, stride: int) -> int:
    """Return the number of training windows of a text: the full ones, and one padded if two tokens or more are left.

    One token that is left over has no next token to predict.

    >>> training_windows(20, 4, 4), training_windows(17, 4, 4)
    (5, 4)
    """
    N = window_count(n_tokens, context_length, stride)
    return N + (n_tokens - N * stride >= 2)


def training_text(token_ids: Sequence[int] | np.ndarray, context_length: int, stride: int) -> TrainingText:
    """Return the windows of a text in rows of the toy model, which count from 0 and leave out unused tokens.

    If two tokens or more are left over, the last window is padded with <pad>. At most MAX_TRAINING_TOKENS tokens are
    used; they must be more than the context length.

    >>> text = training_text([7, 5, 7, 5, 7, 9], context_length=4, stride=4)
    >>> text.token_ids, text.inputs.tolist(), text.targets.tolist()
    ((-1, 5, 7, 9, 1, 2, 3), [[2, 1, 2, 1], [2, 3, 0, 0]], [[1, 2, 1, 2], [3, 0, 0, 0]])
    """
    ids = np.asarray(token_ids, dtype=np.int64)[:MAX_TRAINING_TOKENS]
    distinct, index_of_token, counts = np.unique(ids, return_inverse=True, return_counts=True)
    spare = np.setdiff1d(np.arange(1, len(distinct) + SPARE_ROWS + 1), distinct)[:SPARE_ROWS]  # ID 0 may be <pad>
    N, T = training_windows(len(ids), context_length, stride), context_length
    rows = index_of_token + 1  # [tokens]; row 0 is <pad>
    sequence = np.full((N - 1) * stride + T + 1, PAD)
    sequence[: len(rows)] = rows[: len(sequence)]
    inputs, targets = sliding_windows(sequence, T, stride)  # [N, T], [N, T]
    return TrainingText(
        inputs,
        targets,
        (-1, *distinct.tolist(), *spare.tolist()),
        (0, *counts.tolist(), *[0] * len(spare)),
        _count_pairs(sequence, N, T, stride),
        rows,
    )


def _count_pairs(sequence: np.ndarray, n_windows: int, T: int, stride: int) -> dict[tuple[int, int], int]:
    """Return how often each pair of input and target occurs in the windows, without writing out all windows."""
    starts = np.arange(n_windows) * stride
    edges = np.zeros(len(sequence), dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, starts + T, -1)
    n_windows_at = np.cumsum(edges)[:-1]  # how many windows have this position as an input
    pairs: dict[tuple[int, int], int] = {}
    for row, target, count in zip(sequence[:-1].tolist(), sequence[1:].tolist(), n_windows_at.tolist(), strict=True):
        if count:
            pairs[row, target] = pairs.get((row, target), 0) + count
    return pairs
