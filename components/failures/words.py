"""Experiments with vocabularies, word vectors and tokenizers that lack a word, a token or part of a character."""

import re

from components.base.field_types import ChoiceField, IntegerField, TextField
from components.failures.code_runner import CodeRun
from components.failures.experiment import Case, Parameter, experiment
from components.failures.gpu import ON_GPU
from components.failures.invalid_values import InvalidValue

WORDS = (
    "No PyTorch table is involved here. A dictionary and gensim's word vectors raise KeyError for an unknown word; a "
    "tokenizer may raise an error for a text or an ID, or decode an incomplete character and raise nothing."
)

WORD_CHARS = 40
MAX_TOKEN_ID = 2**32 - 1  # tiktoken stores IDs as unsigned 32-bit integers
WORD = TextField("word", WORD_CHARS)
TOKEN_ID = Parameter(IntegerField("ID", 257, 10**12), 300)
CHARACTER = Parameter(ChoiceField("character", ("é", "☕", "猫", "🙂")), "é")


@experiment("An unknown word, no <unk>", WORDS, group="Words and IDs", word=Parameter(WORD, "dog"))
def unknown_word(run: CodeRun, word: str) -> Case:
    vocabulary, sentence = run.variables["vocabulary"], enumerate(run.variables["sentence"])
    unknown = [(i, w) for i, w in sentence if w not in vocabulary]
    return Case(
        assumption="The vocabulary assigns a new number to a new word.",
        invalid_values=[InvalidValue("sentence", (i,), w, "not in the vocabulary") for i, w in unknown],
        explanation=(
            f"A word vocabulary is a dictionary of the words it was built from, and {word!r} was not one of them. The "
            "message is only the word: neither which vocabulary, nor where in the text."
            if run.exception
            else f"{word!r} is in the vocabulary, so nothing fails: enter a word that is not."
        ),
        change=(
            "One row for all unknown words, <unk>. It comes first here, so the IDs of the other words increase by one: "
            "a table trained before no longer fits. Byte-pair encoding needs no such row, it falls back on single "
            "bytes."
        ),
        gpu=ON_GPU["none"],
    )


@experiment("A word without a vector", WORDS, group="Words and IDs", key=Parameter(WORD, "kings"))
def unknown_vector(run: CodeRun, key: str) -> Case:
    return Case(
        assumption="king has a vector, so a similar word has one as well.",
        invalid_values=[InvalidValue("word", (), key, "not among king, queen")] if run.exception else [],
        explanation=(
            f"word2vec stores one row for each spelling that was frequent enough in its training text, and ignores "
            f"letters: {key!r} is another key than 'king', however similar the spelling. A capital letter or a plural "
            "makes another word."
            if run.exception
            else f"{key!r} has a row, so nothing fails: enter a word that has none."
        ),
        change="Use the words in the vocabulary with a similar spelling; there may be none.",
        gpu=ON_GPU["none"],
    )


@experiment(
    "A special token in a text",
    WORDS,
    group="Special tokens",
    more=lambda text: {"text": f"{text}<|endoftext|>"},
    text=Parameter(TextField("text", WORD_CHARS), "Once upon a time"),
)
def special_token(run: CodeRun, text: str) -> Case:
    return Case(
        assumption="It is text like any other, so it is split into tokens like any other.",
        invalid_values=[
            InvalidValue("text", (found.start(),), "<|endoftext|>", "a special token")
            for found in re.finditer(r"<\|endoftext\|>", run.variables["text"])
        ],
        explanation=(
            "A special token is an extra ID that a program puts between documents, never a piece of text. If it were "
            "encoded wherever somebody types it, any user could end the document; so tiktoken requires an explicit "
            "choice. This small tokenizer has one token per byte and no merges; GPT-2's raises the same error."
        ),
        change=(
            'What people type is text: here it is encoded byte by byte. With allowed_special={"<|endoftext|>"} it '
            "becomes the single ID 256."
        ),
        gpu=ON_GPU["none"],
    )


@experiment("An ID that no token has", WORDS, group="Words and IDs", token_id=TOKEN_ID)
def undecodable_id(run: CodeRun, token_id: int) -> Case:
    return Case(
        assumption="An unknown ID is ignored, or becomes a question mark.",
        invalid_values=[InvalidValue("ids", (2,), token_id, "the tokens have the IDs 0 to 256")],
        explanation=(
            f"No token has the ID {token_id:,}: this tokenizer ends at 256, GPT-2's at 50,256. It happens if a "
            "model's output layer is wider than the vocabulary, for example padded to a round number."
            if token_id <= MAX_TOKEN_ID
            else f"{token_id:,} does not even fit the 32 bits in which tiktoken stores an ID, so it fails before it is "
            "looked up, with another exception than a smaller ID without a token."
        ),
        change="Only IDs below n_vocab are decoded. It is better to prevent the model from predicting the others.",
        gpu=ON_GPU["none"],
    )


@experiment("The first byte of é", WORDS, group="Axes and bytes", character=CHARACTER)
def half_character(run: CodeRun, character: str) -> Case:
    size = len(character.encode("utf-8"))
    return Case(
        assumption="A token is a piece of text, so every token can be printed.",
        invalid_values=[InvalidValue("ids", (0,), run.variables["ids"][0], f"the first of {size} bytes")],
        explanation=(
            f"Nothing is raised: {character} is {size} bytes in UTF-8 and here {size} tokens, the first of them is an "
            "incomplete character, and decode replaces it by U+FFFD, the replacement character. The byte is lost: "
            "encoding the result returns other IDs."
        ),
        change="Decode whole characters. If tokens arrive one by one, collect decode_bytes until a character is "
        "complete.",
        gpu=ON_GPU["none"],
    )
