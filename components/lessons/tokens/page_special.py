"""Special tokens that are typed into a text, and tokens that are added to a tokenizer: what libraries do with them."""

import streamlit as st
import tiktoken
import torch

from components.embedding.positions import error_past_the_end
from components.text.tokenizers import get_tokenizer
from components.ui.blocks import show_table

SPECIAL = "<|endoftext|>"


def special_tokens_view() -> None:
    """Show what tiktoken makes of a special token in a text in three ways, and the lookup of an added token."""
    st.header("Special tokens", anchor=False)
    encoding = get_tokenizer("gpt2").encoding
    show_table(
        [
            {"call": f"encode_ordinary({SPECIAL!r})", "result": str(encoding.encode_ordinary(SPECIAL))},
            {"call": f"encode({SPECIAL!r})", "result": refusal(encoding)},
            {
                "call": f"encode({SPECIAL!r}, allowed_special='all')",
                "result": str(encoding.encode(SPECIAL, allowed_special="all")),
            },
        ]
    )
    V = encoding.n_vocab
    st.markdown(
        "All three are tiktoken's. This app uses the first: a special token that is typed is text like any other. That "
        "is its choice. tiktoken's `encode` raises an error unless it is told what to do, and the tokenizers of "
        "transformers recognize the special token and give its ID.\n\n"
        f"**An added token needs a row.** GPT-2's tokenizer has {V:,} IDs, and a token that is added gets the next "
        f"one, {V:,}. A table with {V:,} rows has no row for it: `{error_past_the_end(torch.zeros(V, 1))}`. The table "
        "must get one more row, which is random until it is trained. V is the number of rows of the table, and it may "
        "be larger than the number of tokens: nanoGPT rounds it up to 50,304."
    )


def refusal(encoding: tiktoken.Encoding) -> str:
    """Return the first line of the error that `encode` raises for a special token in a text.

    >>> refusal(get_tokenizer("gpt2").encoding)
    "ValueError: Encountered text corresponding to disallowed special token '<|endoftext|>'."
    """
    try:
        return str(encoding.encode(SPECIAL))
    except ValueError as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
