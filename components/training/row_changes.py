"""What a training has changed in the token embedding table, row by row, and what the model now predicts."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from components.training.model import NextToken, Training
from components.training.training_text import PAD

MOST_ALIKE_ROWS = 20  # the most frequent tokens are compared
# Reasons why a row changed in the last step, or did not
LOOKED_UP = "in the batch"
MASKED = "in the batch, gradient set to zero by padding_idx"
OUTPUT = "gradient only through the output layer"
OPTIMIZER_STATE = "no gradient, but changed"
UNCHANGED = "no gradient, unchanged in the last step"


def row_reasons(training: Training) -> list[str]:
    """Return for each row of the token embedding table why the last step changed it, or why not."""
    table = training.table
    in_batch = torch.zeros(len(table), dtype=torch.bool)
    in_batch[training.batch.flatten()] = True
    # Compared element by element: a norm can underflow to 0 when the elements are not 0.
    has_gradient, changed = training.gradient.ne(0).any(dim=1), table.ne(training.previous_table).any(dim=1)
    masked = PAD if training.config.padding_idx else None  # the row whose lookup has no gradient
    reasons = []
    columns = zip(in_batch.tolist(), has_gradient.tolist(), changed.tolist(), strict=True)
    for row, (looked_up, with_gradient, is_changed) in enumerate(columns):
        if looked_up and row != masked:
            reasons.append(LOOKED_UP)
        elif with_gradient:
            reasons.append(OUTPUT)
        elif is_changed:
            reasons.append(OPTIMIZER_STATE)
        else:
            reasons.append(MASKED if looked_up else UNCHANGED)
    return reasons


def next_token(model: NextToken, row: int, position: int) -> Float[Tensor, " V"]:
    """Return the probability of each row to be the next token after `row` at `position` of a window [V].

    The tokens before it do not matter: the model has no attention.

    >>> from components.training.config import TrainingConfig
    >>> round(next_token(NextToken(5, 4, TrainingConfig(dim=3)), row=1, position=0).sum().item(), 4)
    1.0
    """
    with torch.no_grad():
        vector = model.token.weight[row]  # [D]
        if model.positions is not None:
            vector = vector + model.positions[position]
        return F.linear(vector, model.output).softmax(dim=0)  # [V]


def most_alike(training: Training, rows: Sequence[int]) -> tuple[int, int, float, float]:
    """Return the two of `rows` with the highest cosine similarity, this similarity, and theirs before the first step.

    >>> from components.training.config import TrainingConfig
    >>> from components.training.training_text import training_text
    >>> training = Training(training_text([7, 5, 7, 5, 7, 9], 4, 4), TrainingConfig())
    >>> first, second, now, at_start = most_alike(training, [1, 2, 3])
    >>> first, second, abs(now - at_start) < 1e-6
    (2, 3, True)
    """
    start, now = training.initial_table, training.table[rows]
    cosines = F.cosine_similarity(now[:, None], now, dim=-1).fill_diagonal_(-2)  # [rows, rows]
    first, second = (rows[n] for n in divmod(int(cosines.argmax()), len(rows)))
    return first, second, float(cosines.max()), float(F.cosine_similarity(start[first], start[second], dim=0))
