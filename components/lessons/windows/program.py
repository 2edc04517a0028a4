"""The program of the lesson on windows: their number, one batch of them, and the use of each token."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import torch

from components.base.link import State
from components.programs.batch_story import text_values, tokenize
from components.text.window_counts import require_batches, window_count
from components.text.windows import batch_order, count_unused_tokens, coverage, sliding_windows, window_dataloader


def slide(token_ids, context_length, stride, batch_size, shuffle, drop_last, seed, batch):
    """Cut the token IDs into windows, make batches of them, and count how often each token is used."""
    # %% The windows: inputs and targets [N, T]
    # A window is T consecutive IDs. Its targets are the same window shifted by one position: each target is the next
    # token. The next window begins `stride` tokens later, and the last one at tokens - T - 1 at the latest, because one
    # more token is its last target: N = ⌊(tokens - T - 1) / stride⌋ + 1.
    torch.set_printoptions(linewidth=120)
    inputs, targets = sliding_windows(token_ids, context_length, stride)  # [N, T], [N, T]
    N = window_count(len(token_ids), context_length, stride)
    print(f"N = ⌊({len(token_ids)} - {context_length} - 1) / {stride}⌋ + 1 = {N}")
    print(inputs.shape, targets.shape)
    # %% One batch [B, T]
    # A batch is B windows; the last one may have fewer. `drop_last` discards it then.
    batches = batch_order(N, batch_size, shuffle, drop_last, seed)  # the indices of the windows of each batch
    print(f"batch {batch} of {len(batches)}: windows {batches[batch]}")
    batch_inputs, batch_targets = inputs[batches[batch]], targets[batches[batch]]  # [B, T], [B, T]
    print(batch_inputs.shape, batch_inputs, batch_targets, sep="\n")
    # %% The same batch from a DataLoader
    # Training code gets its batches from PyTorch's own class.
    loader = window_dataloader(token_ids, context_length, stride, batch_size, shuffle, drop_last, seed)
    loaded_inputs, loaded_targets = next(islice(loader, batch, None))  # [B, T], [B, T]
    print("equal:", torch.equal(loaded_inputs, batch_inputs), torch.equal(loaded_targets, batch_targets))
    # %% What each token is used for
    # The first token is never a target, the last one never an input. A token is neither if it is left over at the end,
    # between two windows (stride > T), or in the dropped last batch.
    windows = [window for each in batches for window in each]
    as_input, as_target = coverage(len(token_ids), context_length, stride, windows)  # [tokens], [tokens]
    print(f"{(as_input > 0).sum()} of {len(token_ids)} tokens are an input, {(as_target > 0).sum()} a target")
    unused = count_unused_tokens(len(token_ids), context_length, stride, windows)
    print(f"unused: {unused.tail} left over at the end, {unused.skipped} skipped, {unused.dropped} dropped")


STORIES = (tokenize, slide)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the text gives no batch."""
    settings = state.settings
    try:
        batch = min(settings.batch, require_batches(len(token_ids), settings) - 1)
    except ValueError:
        return None
    return vars(settings) | text_values(state) | {"batch": batch}
