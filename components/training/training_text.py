"""A text prepared for the toy model: one row for each token that it uses, and windows of those rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from components.base.limits import MAX_TRAINING_TOKENS
from components.base.text_format import pluralize
from components.text.window_counts import window_count
from components.text.windows import sliding_windows, times_covered

PAD = 0  # the row of <pad>, which fills the last window
SPARE_ROWS = 3  # tokens that the text never uses, as examples of the rest of the vocabulary


@dataclass(frozen=True, eq=False)
class TrainingText:
    """Windows of rows [N, T], and the token of each row: `token_ids` has -1 for <pad>.

    `conditional_entropy` is the lower bound of the mean loss of a model that is given the current token alone, in nats.
    """

    inputs: Int[Tensor, "N T"]
    targets: Int[Tensor, "N T"]
    token_ids: tuple[int, ...]
    counts: tuple[int, ...]  # how often each row occurs in the text
    rows: Int[np.ndarray, " tokens"]  # the text itself
    pairs: Int[np.ndarray, "3 positions"]  # of the windows: the input, its target, and how many windows have both
    conditional_entropy: float

    @property
    def vocab_size(self) -> int:
        """V of the toy model: <pad>, the tokens of the text, the spare tokens."""
        return len(self.token_ids)

    @property
    def is_padded(self) -> bool:
        return self.targets[-1, -1].item() == PAD

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

    def common_follower(self, one: int, other: int) -> int | None:
        """Return the row that in the windows follows both at least half of the time, or twice as often as in general.

        If several do, it is the one that follows both most often; if none does, None.

        >>> text = training_text([1, 2, 3, 4, 2, 5, 1, 2, 6, 4, 2, 7], 4, 4)
        >>> text.common_follower(1, 4), text.common_follower(1, 2)  # 2 follows every 1 and every 4
        (2, None)
        """
        shares, (_, targets, times) = self.shared_targets(one, other), self.pairs
        in_general = np.bincount(targets, times, self.vocab_size) / times.sum()
        shares[shares < np.minimum(2 * in_general, 0.5)] = 0
        return int(shares.argmax()) if shares.any() else None

    def shared_targets(self, one: int, other: int) -> Float[np.ndarray, " V"]:
        """Return the share that each token has at least among the targets of both rows [V]; <pad> is none."""
        shares, (inputs, targets, times) = [], self.pairs
        for row in (one, other):
            here = inputs == row
            counts = np.bincount(targets[here], times[here], self.vocab_size)
            shares.append(counts / max(1, counts.sum()))
        found = np.minimum(*shares)
        found[PAD] = 0
        return found


def training_text(token_ids: Sequence[int] | np.ndarray, context_length: int, stride: int) -> TrainingText:
    """Return the windows of a text as rows of the toy model: 0 is <pad>, then its tokens, then three spare ones.

    If the next window would have two tokens or more, it is made as well, padded with <pad>. At most MAX_TRAINING_TOKENS
    tokens are used. Raises ValueError for fewer than two.

    >>> text = training_text([7, 5, 7, 5, 7, 9], context_length=4, stride=4)
    >>> text.token_ids, text.inputs.tolist(), text.targets.tolist()
    ((-1, 5, 7, 9, 1, 2, 3), [[2, 1, 2, 1], [2, 3, 0, 0]], [[1, 2, 1, 2], [3, 0, 0, 0]])
    """
    ids = np.asarray(token_ids)[:MAX_TRAINING_TOKENS]
    distinct, index_of_token, counts = np.unique(ids, return_inverse=True, return_counts=True)
    spare = np.setdiff1d(np.arange(1, len(distinct) + SPARE_ROWS + 1), distinct)[:SPARE_ROWS]  # ID 0 may be <pad>
    full, T = window_count(len(ids), context_length, stride), context_length
    N = full + (len(ids) - full * stride >= 2)  # one token that is left over has no next token to predict
    if not N:
        raise ValueError(f"A text of {pluralize(len(ids), 'token')} has no next token: training needs 2 or more.")
    rows = index_of_token + 1  # [tokens]; row 0 is <pad>
    sequence = np.full((N - 1) * stride + T + 1, PAD)
    sequence[: len(rows)] = rows[: len(sequence)]
    inputs, targets = sliding_windows(sequence, T, stride)  # [N, T], [N, T]
    times = times_covered(torch.arange(N) * stride, T, len(sequence)).numpy()  # as an input
    used = times.nonzero()[0]
    pairs = np.stack([sequence[used], sequence[used + 1], times[used]])
    return TrainingText(
        inputs,
        targets,
        (-1, *distinct.tolist(), *spare.tolist()),
        (0, *counts.tolist(), *[0] * len(spare)),
        rows,
        pairs,
        conditional_entropy(*pairs),
    )


def conditional_entropy(
    inputs: Int[np.ndarray, " pairs"], targets: Int[np.ndarray, " pairs"], times: Int[np.ndarray, " pairs"]
) -> float:
    """Return the entropy of the target given the input, if each pair occurs this often: Shannon (1948), section 6.

    >>> round(conditional_entropy(np.array([1, 2, 1]), np.array([2, 1, 3]), np.array([5, 5, 5])), 4)  # ln 2 for 2 of 3
    0.4621
    """
    _, pair = np.unique(inputs * (targets.max() + 1) + targets, return_inverse=True)  # of each input
    pair_counts, input_counts = np.bincount(pair, times), np.bincount(inputs, times)
    return float((times * np.log(input_counts[inputs] / pair_counts[pair])).sum() / times.sum())
