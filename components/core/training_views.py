"""What a training has done, read off its tables: which rows moved and why, and what the model now says."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from components.core.training import NextToken, Training
from components.core.training_text import PAD

# Why a row moved in the last step, or did not.
LOOKED_UP = "in the batch"
MASKED = "in the batch, held by padding_idx"
OUTPUT = "reached through the output layer alone"
REMEMBERED = "no gradient, moved all the same"
STILL = "no gradient, did not move"
REASONS = (LOOKED_UP, MASKED, OUTPUT, REMEMBERED, STILL)


@dataclass(frozen=True)
class Moved:
    """For every row of the token table [V]: its gradient's length, how far it moved last, how far it is from its start.

    `reasons` has the one of REASONS that holds for the last step.
    """

    in_batch: Bool[Tensor, " V"]
    gradient: Float[Tensor, " V"]
    last_move: Float[Tensor, " V"]
    distance: Float[Tensor, " V"]
    reasons: tuple[str, ...]


def moved(training: Training) -> Moved:
    """Return what the last step, and all steps together, did to the rows of the token table.

    >>> from components.core.settings import Settings
    >>> from components.core.training_recipe import Recipe
    >>> from components.core.training_text import training_text
    >>> training = Training(training_text([7, 5, 7, 5, 7, 9], Settings(), n_vocab=50), Recipe(batch_size=1))
    >>> training.step()
    >>> moved(training).reasons[2], moved(training).gradient[-1].item()
    ('in the batch', 0.0)
    """
    table = training.table
    in_batch = torch.zeros(len(table), dtype=torch.bool)
    in_batch[training.batch.flatten()] = True
    # Whether a row has a gradient, or moved, is asked of its numbers: a length may underflow to 0 where they do not.
    slopes, moving = training.gradient.ne(0).any(dim=1), table.ne(training.before).any(dim=1)
    masked = PAD if training.recipe.padding_idx else None  # a row that no lookup changes
    reasons = []
    for row, (inside, slope, moves) in enumerate(zip(in_batch.tolist(), slopes.tolist(), moving.tolist(), strict=True)):
        if inside and row != masked:
            reasons.append(LOOKED_UP)
        elif slope:
            reasons.append(OUTPUT)
        elif moves:
            reasons.append(REMEMBERED)
        else:
            reasons.append(MASKED if inside else STILL)
    gradient, last_move = training.gradient.norm(dim=1), (table - training.before).norm(dim=1)
    distance = (table - training.start.token.weight.detach()).norm(dim=1)
    return Moved(in_batch, gradient, last_move, distance, tuple(reasons))


def next_token(model: NextToken, row: int, place: int) -> Float[Tensor, " V"]:
    """Return the probability of every row to come after `row` at `place` of a window [V].

    The tokens before it have no part in this: the model has no attention.

    >>> from components.core.training_recipe import Recipe
    >>> round(next_token(NextToken(5, 4, Recipe(dim=3)), row=1, place=0).sum().item(), 4)
    1.0
    """
    window = torch.full((1, place + 1), row)  # [1, T]
    with torch.no_grad():
        return model(window)[0, place].softmax(dim=0)  # [V]
