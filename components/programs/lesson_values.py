"""The values of a lesson's program that are not in its state as they stand, and the opening that they need."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from components.base.link import State
from components.programs.handout import OFFLINE, TYPED, WORDS, cells
from components.text.token_ids import out_of_range
from components.text.tokenizers import Tokenizer
from components.text.window_counts import typed_batch
from components.text.windows import make_batch

OF_IDS = {"One batch of windows [B, T]", "One sequence [n]"}  # the cells that typed IDs replace; others read the text


def batch_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of a program that begins with a batch.

    Raises ValueError if the settings give no batch, or one with IDs out of range.
    """
    ids = make_batch(token_ids, state.settings)  # [B, T]
    if problem := out_of_range(ids.flatten().tolist(), state.settings.vocab_size):
        raise ValueError(problem)
    return {"typed_ids": typed_batch(state.settings)} if state.settings.typed else {}


def offline_values(token_ids: Sequence[int], tokenizer: Tokenizer) -> dict[str, Any]:
    """Return the IDs of a text and the texts of its tokens, instead of a tokenizer."""
    texts = [tokenizer.token_bytes(token_id).decode(errors="backslashreplace") for token_id in token_ids]
    return {"token_ids": token_ids, "tokens": texts}


def opening_of(program: Path, state: State, offline: bool) -> Path | None:
    """Return the opening of a program for this state; None if it is the program's own, with a tokenizer."""
    own = program.with_name("program_offline.py")
    if state.settings.typed and OF_IDS & cells(program).keys():
        return TYPED
    if offline and own.exists():
        return own
    if state.settings.tokenizer == "words":
        return WORDS
    return OFFLINE if offline and "Token IDs" in cells(program) else None  # the cell that needs a tokenizer
