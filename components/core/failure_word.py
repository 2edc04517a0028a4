"""Words and tokens that nobody knows: vocabularies, word vectors and tokenizers asked for what they do not have."""

import re

from components.core.exhibit import Run
from components.core.failure import ON_GPU, Case, Offender, Parameter, failure
from components.core.kinds import Line, OneOf, Whole

WORD_CHARS = 40
MAX_TOKEN_ID = 2**32 - 1  # tiktoken keeps IDs as unsigned 32-bit numbers

BYTES = """\
import tiktoken

ranks = {bytes([b]): b for b in range(256)}  # one token a byte
special = {"<|endoftext|>": 256}
encoding = tiktoken.Encoding(
    "bytes", pat_str=r"[\\s\\S]",
    mergeable_ranks=ranks, special_tokens=special,
)
"""


def word(default: str) -> Parameter:
    """Return an entry for a word or a few."""
    return Parameter(Line("word", WORD_CHARS), default)


@failure("An unknown word, and no <unk>", word=word("dog"))
def unknown_word(word: str) -> Case:
    def program(first: str, lookup: str) -> str:
        return (
            'words = "the cat sat on the mat".split()\n'
            f"words = [{first}*dict.fromkeys(words)]  # each once\n"
            "vocabulary = {w: i for i, w in enumerate(words)}\n"
            f"sentence = {['the', word, 'sat']!r}\n"
            f"[{lookup} for w in sentence]\n"
        )

    def unknown(run: Run) -> list[Offender]:
        missing = [i for i, w in enumerate(run.variables["sentence"]) if w not in run.variables["vocabulary"]]
        return [Offender("sentence", (i,), run.variables["sentence"][i], "not in the vocabulary") for i in missing]

    return Case(
        thought="The vocabulary will give a new word a new number.",
        code=program("", "vocabulary[w]"),
        offending=unknown,
        explain=lambda run: (
            f"A word vocabulary is a dictionary of the words it was built from, and {word!r} was not among them. All "
            "that the exception says is the word: not which vocabulary, and not where in the text."
            if run.exception
            else f"{word!r} is in the vocabulary, so nothing fails: put in a word that is not."
        ),
        repair=program('"<unk>", ', 'vocabulary.get(w, vocabulary["<unk>"])'),
        change=(
            "A row for everything unknown, <unk>. It comes first here, so the other words move up by one: a table "
            "trained before no longer fits. Byte pairs need no such row, they fall back on single bytes."
        ),
        gpu=ON_GPU["none"],
    )


@failure("A word without a vector", key=word("kings"))
def unknown_vector(key: str) -> Case:
    code = (
        "import numpy as np\n"
        "from gensim.models import KeyedVectors\n\n"
        "vectors = KeyedVectors(vector_size=2)\n"
        'vectors.add_vectors(["king", "queen"], np.eye(2))\n'
        f"word = {key!r}\n"
    )
    near = "near = get_close_matches(word, vectors.index_to_key)\n{w: vectors[w] for w in near}\n"
    return Case(
        thought="king has a vector, so a word close to it has one as well.",
        code=code + "vectors[word]\n",
        offending=lambda run: [Offender("word", (), key, "not among king, queen")] if run.exception else [],
        explain=lambda run: (
            f"word2vec keeps one row for each spelling that was frequent enough in its training text, and looks at no "
            f"letters: {key!r} is another name than 'king', however alike they are spelled. A capital letter or a "
            "plural makes another word."
            if run.exception
            else f"{key!r} has a row, so nothing fails: put in a word that has none."
        ),
        repair=f"from difflib import get_close_matches\n{code}{near}",
        change="Take the words that are there and spelled alike; there may be none.",
        gpu=ON_GPU["none"],
    )


@failure("A special token typed in a text", text=Parameter(Line("text", WORD_CHARS), "Once upon a time"))
def special_token(text: str) -> Case:
    text += "<|endoftext|>"
    code = BYTES + f"text = {text!r}\n"
    return Case(
        thought="It is text like any other, so it is cut into tokens like any other.",
        code=code + "encoding.encode(text)\n",
        offending=lambda run: [
            Offender("text", (found.start(),), "<|endoftext|>", "a special token")
            for found in re.finditer(r"<\|endoftext\|>", text)
        ],
        explain=lambda run: (
            "A special token is an extra ID that a program puts between documents, never a piece of text. Were it "
            "encoded wherever somebody types it, any user could end the document; so tiktoken wants to be told what "
            "to do. This small tokenizer has one token a byte and no merges; GPT-2's refuses in the same way."
        ),
        repair=code + "encoding.encode(text, disallowed_special=())\n",
        change=(
            'What people type is text: here it is encoded byte by byte. With allowed_special={"<|endoftext|>"} it '
            "becomes the single ID 256."
        ),
        gpu=ON_GPU["none"],
    )


@failure("An ID that no token has", token_id=Parameter(Whole("ID", 257, 10**12), 300))
def undecodable_id(token_id: int) -> Case:
    code = BYTES + f"ids = [72, 105, {token_id}]\nencoding.decode(ids)\n"
    return Case(
        thought="An unknown ID is left out, or becomes a question mark.",
        code=code,
        offending=lambda run: [Offender("ids", (2,), token_id, "the tokens have the IDs 0 to 256")],
        explain=lambda run: (
            f"No token has the ID {token_id:,}: this tokenizer ends at 256, GPT-2's at 50,256. It happens when a "
            "model's output layer is wider than the tokenizer, padded to a round number for instance."
            if token_id <= MAX_TOKEN_ID
            else f"{token_id:,} does not even fit the 32 bits in which tiktoken keeps an ID, so it fails before it is "
            "looked up, with another exception than a smaller ID without a token."
        ),
        repair=code.replace("decode(ids)", "decode([i for i in ids if i < encoding.n_vocab])"),
        change="Only IDs below n_vocab are decoded. Better still, keep the model from choosing the others.",
        gpu=ON_GPU["none"],
    )


@failure("The first byte of é", character=Parameter(OneOf("character", ("é", "☕", "猫", "🙂")), "é"))
def half_character(character: str) -> Case:
    code = BYTES + f"ids = encoding.encode({character!r})\nencoding.decode(ids[:1])\n"
    size = len(character.encode("utf-8"))
    return Case(
        thought="A token is a piece of text, so every token can be printed.",
        code=code,
        offending=lambda run: [Offender("ids", (0,), run.variables["ids"][0], f"the first of {size} bytes")],
        explain=lambda run: (
            f"Nothing is raised: {character} is {size} bytes in UTF-8 and here {size} tokens, the first of them is no "
            "character, and decode puts U+FFFD, the replacement character, in its place. The byte is lost: encoding "
            "the result gives other IDs."
        ),
        repair=code.replace("decode(ids[:1])", "decode(ids)"),
        change="Decode whole characters. Where tokens come one by one, gather decode_bytes until they do.",
        gpu=ON_GPU["none"],
    )
