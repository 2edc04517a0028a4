"""The stories with which most lessons begin: from the text to its token IDs, and to one batch of them [B, T]."""

from collections.abc import Sequence
from typing import Any

import tiktoken
import torch

from components.base.link import State
from components.text.batches import make_batch
from components.text.gpt2 import gpt2_encoding, ranks_in
from components.text.token_ids import out_of_range
from components.text.vocabulary import encode_words, number_words
from components.text.window_counts import require_batches, typed_batch
from components.text.windows import batch_order, sliding_windows

MAX_RANKS_CHARS = 20_000  # of the text: a longer one needs too many tokens
MAX_RANKS = 4_000


def tokenize(text, tokenizer, ranks, typed_ids):
    """Turn the text into token IDs, unless IDs are typed."""
    if not typed_ids:
        # %% Token IDs of the text
        if tokenizer == "words":
            # Whitespace separates words, and each distinct word gets the next ID. IDs 0 to 3 are `<pad>`, `<unk>`,
            # `<sos>` and `<eos>`.
            vocabulary = number_words(text.split())
            token_ids = encode_words(text.split(), vocabulary)
        elif ranks:
            # Byte-pair encoding with those of GPT-2's 50,257 tokens that can occur in this text. The whole encoding is
            # `tiktoken.get_encoding("gpt2")`; tiktoken downloads it once.
            encoding = gpt2_encoding(ranks)
            token_ids = encoding.encode_ordinary(text)
        else:
            # tiktoken downloads the encoding the first time.
            encoding = tiktoken.get_encoding(tokenizer)
            token_ids = encoding.encode_ordinary(text)
        print(len(token_ids), "tokens:", token_ids[:20])


def choose_batch(token_ids, typed_ids, context_length, stride, batch_size, batch, shuffle, drop_last, seed):
    """Cut the token IDs into windows, and take one batch of them; or take the typed IDs."""
    # %% One batch of token IDs [B, T]
    if typed_ids:
        # Typed, one list for each sequence.
        ids = torch.tensor(typed_ids)  # [B, T]
    else:
        # Each window is T consecutive IDs, and begins `stride` IDs after the one before. A batch is B windows.
        inputs, _ = sliding_windows(token_ids, context_length, stride)  # [N, T], [N, T]
        batches = batch_order(len(inputs), batch_size, shuffle, drop_last, seed)
        ids = inputs[batches[batch]]  # [B, T]
    torch.set_printoptions(linewidth=120, sci_mode=False)
    print(ids.shape, ids, sep="\n")


def text_values(state: State) -> dict[str, Any]:
    """Return the values of `tokenize`.

    >>> values = text_values(State(text="the"))
    >>> values["tokenizer"], values["ranks"]
    ('gpt2', {b'e': 68, b'h': 71, b't': 83, b'he': 258, b'th': 400, b'the': 1169})
    """
    name = state.settings.tokenizer
    ranks = ranks_in(state.text) if name == "gpt2" and len(state.text) <= MAX_RANKS_CHARS else {}
    # r50k_base has GPT-2's tokens, in one file of half the size.
    travels = name != "gpt2" or 0 < len(ranks) <= MAX_RANKS
    tokenizer = name if travels else "r50k_base"
    return {"text": state.text, "tokenizer": tokenizer, "ranks": ranks if travels else {}, "typed_ids": []}


def batch_values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of `tokenize` and `choose_batch`; None if the settings give no batch with valid IDs."""
    settings = state.settings
    try:
        ids = make_batch(token_ids, settings)  # [B, T]
    except ValueError:
        return None
    if out_of_range(ids.flatten().tolist(), settings.vocab_size):
        return None
    if settings.typed:
        return vars(settings) | {"typed_ids": typed_batch(settings)}
    batch = min(settings.batch, require_batches(len(token_ids), settings) - 1)
    return vars(settings) | text_values(state) | {"batch": batch}
