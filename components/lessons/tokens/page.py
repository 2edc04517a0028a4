"""The page of the lesson on tokens: the text in words, pieces and tokens, the merges of a piece, texts to try."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer
from components.lessons.tokens.choices import MAX_PIECE_BYTES
from components.lessons.tokens.figure import opened_piece, tokens_figure
from components.lessons.tokens.page_chips import every_token
from components.lessons.tokens.page_languages import languages_view
from components.lessons.tokens.page_learning import learning_view
from components.lessons.tokens.page_special import special_tokens_view
from components.lessons.tokens.page_vocabulary import unknown_words_view, vocabulary_table
from components.lessons.tokens.spans import spans
from components.lessons.tokens.texts import TEXTS, label_of
from components.text.gpt2 import ranks_in
from components.text.token_ids import out_of_range
from components.text.tokenizers import TokenizerUnavailable, get_tokenizer
from components.ui.blocks import notice, section, show_error
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import Table, register
from components.ui.error_lab_links import offer_ids
from components.ui.figure import show_figure
from components.ui.quiz import answer_first, first_question, is_masked, predict
from components.ui.state import bind_widget, set_text


def program_values(state: State, ids_in_use: Sequence[int]) -> dict[str, Any]:
    """Return the tokens that the page shows, and the opened piece with GPT-2's ranks for its merges.

    Raises ValueError if the text is empty.
    """
    if not state.text:
        raise ValueError("There are no tokens yet: type a text.")
    bpe = available_bpe(state, offer=False)
    encoder, ids = tokenizer(bpe, state.text), token_ids(bpe, state.text).tolist()
    opened, piece = opened_piece(state.text, bpe, state.choices)
    ranks = ranks_in(piece) if len(piece.encode()) <= MAX_PIECE_BYTES else {}
    return {
        "tokenizer": bpe,
        "opened": opened,
        "token_ids": ids,
        "tokens": [encoder.token_bytes(token_id) for token_id in ids],
        "n_vocab": encoder.n_vocab,
        "ranks": {token: rank for token, rank in ranks.items() if len(token) > 1},
        "second_gpt2_ids": get_tokenizer("gpt2").encode(state.choices.second),
    }


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    bpe = available_bpe(state)
    in_use = "" if state.settings.typed else state.settings.tokenizer
    if state.text:
        question = first_question()
        masked = is_masked(question)
        show_figure(tokens_figure(state.text, bpe, in_use, state.choices, masked))
        predict(question)
        texts_to_try(state.text)
        notice(observations(token_ids(bpe, state.text), state, bpe, masked))
        show_example(state.text, masked)
        register(lambda: token_export(state, bpe))
        if in_use in ("words", bpe):
            warn_of_ids_out_of_range(token_ids(in_use, state.text), state)
    else:
        st.info("No tokens yet: type a text above.", icon=":material/edit:")
        texts_to_try(state.text)
    if part := section("**Train your own**: learn the merges from your text", "train"):
        with part:
            learning_view(state)
    if part := section("**Eight languages**: one sentence, how many tokens?", "languages"):
        with part:
            languages_view()
    if state.text and (part := section("**Every token**, with its bytes", "every")):
        with part:
            answer_first() if masked else every_token(state, bpe, in_use)
    if part := section("**The vocabularies**: unknown words, special and added tokens, search", "vocabularies"):
        with part:
            unknown_words_view(state)
            special_tokens_view()
            vocabulary_table(state, bpe)


def available_bpe(state: State, offer: bool = True) -> str:
    """Return the tokenizer whose tokens are shown: the chosen one, or GPT-2's if that is "words" or not available.

    `offer` renders the download of one that is not available.
    """
    chosen = state.settings.tokenizer
    if chosen == "words":
        return "gpt2"
    try:
        tokenizer(chosen, state.text)
    except TokenizerUnavailable as error:
        if offer:
            offer_tokenizer(error)
        return "gpt2"
    return chosen


def texts_to_try(text: str) -> None:
    """Render the texts to try."""

    def chosen(label: str) -> None:
        set_text(TEXTS[label].text)

    bound = bind_widget("try", label_of(text), chosen, default="default")
    st.pills("Texts to try", list(TEXTS), **bound)


def observations(ids: np.ndarray, state: State, bpe: str, masked: bool) -> list[str]:
    """Return what the figure has in numbers; not how many tokens there are while that is masked.

    In a text to try, what it shows comes first.
    """
    encoder, n_words = tokenizer(bpe, state.text), len(state.text.split())
    if masked:
        n_pieces = pluralize(len(spans(state.text, bpe).pieces), "piece")
        sentences = [f"GPT-2 first cuts this text into {n_pieces}; a merge never crosses their borders."]
    else:
        each = f": {len(ids) / n_words:.2f} tokens per word" if n_words else ""
        sentences = [f"{pluralize(n_words, 'word')} became {pluralize(len(ids), 'token')}{each}."]
        known = {encoder.token_bytes(i): i for i in dict.fromkeys(ids.tolist())}
        if twin := next((token for token in known if token.isalpha() and b" " + token in known), None):
            without, with_space = known[twin], known[b" " + twin]
            sentences.append(
                f"“{twin.decode()}” (ID {without:,}) and “␣{twin.decode()}” (ID {with_space:,}) are two tokens: the "
                "leading space is part of the second."
            )
    sentences.append(
        f"BPE gives an ID, a row number below V = {encoder.n_vocab:,}, and nothing more: the embedding in that row is "
        "learned by the model."
    )
    return sentences


def show_example(text: str, masked: bool) -> None:
    """Show why this text is one of those to try."""
    if (label := label_of(text)) and not masked:
        st.caption(f"{label}: {TEXTS[label].about}.")


def warn_of_ids_out_of_range(ids: np.ndarray, state: State) -> None:
    """Show the first ID in use that the token embedding table has no row for, and offer the experiment."""
    beyond = np.flatnonzero(ids >= state.settings.vocab_size)
    if len(beyond):
        first = int(beyond[0])
        show_error(out_of_range([int(ids[first])], state.settings.vocab_size, first))
        offer_ids(state, str(int(ids[first])))


def token_export(state: State, bpe: str) -> dict[str, NamedArray | Table]:
    """Return the IDs of the text in both tokenizers, and its tokens line by line, for files."""
    found: dict[str, NamedArray | Table] = {}
    for tokens, name in (("word", "words"), ("token", bpe)):
        ids, encoder = token_ids(name, state.text), tokenizer(name, state.text)
        found[f"{tokens}_ids"] = NamedArray(ids, ("position",))
        if len(ids):
            found[f"{tokens}s"] = [
                {"position": n, "ID": i, "token": visible(encoder.token_bytes(i))} for n, i in enumerate(ids.tolist())
            ]
    return found
