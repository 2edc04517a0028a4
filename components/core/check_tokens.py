"""What a learner may think about tokens: that they are words, characters or bytes, and can always be printed."""

from string import punctuation

from components.core.checks import Check, Ids, Option, ask, dice, many
from components.core.link import State
from components.core.text import visible, whole_character
from components.core.tokenizers import Tokenizer, TokenizerUnavailable, get_tokenizer
from components.core.vocabulary import Vocabulary

CHARS_READ, LONGEST_WORD, WORDS_COUNTED = 2_000, 20, 1_000
WORDS = ("café", "tokenization", "unhappily", "☕")  # for a text without any of use
FRAGMENTED = "☕🙂猫🦉"  # of two fragments or more in GPT-2
SPECIAL = "<|endoftext|>"
NAMES = {"gpt2": "GPT-2"}


def token_name(state: State, token_ids: Ids, place: int) -> str:
    """Return a token of the text to look at, with its ID.

    >>> token_name(State(text="the cat"), [1169, 3797], 1)
    '“␣cat” (ID 3797)'
    """
    token_id = int(token_ids[place])
    try:
        if state.settings.tokenizer == "words":
            token = state.text.split(None, place + 1)[place].encode("utf-8", "replace")
        else:
            token = get_tokenizer(state.settings.tokenizer, timeout=0.0).token_bytes(token_id)
    except (TokenizerUnavailable, KeyError, IndexError, OverflowError):
        return f"ID {token_id}"
    return f"“{visible(token)[:LONGEST_WORD]}” (ID {token_id})"


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on tokens.

    >>> [check.name for check in questions(State(), [])]
    ['word', 'fragments', 'special', 'rows']
    """
    text = state.text[: CHARS_READ + LONGEST_WORD]
    words = [word for word in dict.fromkeys(text.split()) if len(word) <= LONGEST_WORD] or WORDS
    choose, gpt2 = dice(state, "tokens"), get_tokenizer("gpt2")
    byte_pairs = _byte_pairs(state, token_ids)
    return [
        *_how_many(choose.choice(words), byte_pairs),
        *_fragments(choose.choice(words), _fragmented(text, choose.choice(FRAGMENTED), gpt2), gpt2),
        *_special(choose.choice(words), gpt2),
        *_rows(state.text),
    ]


def _byte_pairs(state: State, token_ids: Ids) -> Tokenizer:
    """Return the learner's byte-pair tokenizer where it has given IDs, and so is here; else GPT-2's."""
    name = state.settings.tokenizer
    try:
        return get_tokenizer(name, timeout=0.0) if name != "words" and len(token_ids) else get_tokenizer("gpt2")
    except TokenizerUnavailable:
        return get_tokenizer("gpt2")


def _fragmented(text: str, other: str, gpt2: Tokenizer) -> str:
    """Return a character of the text that GPT-2 cuts into fragments, or another one."""
    for character in dict.fromkeys(text):
        tokens = gpt2.encode(f" {character}") if ord(character) > 127 and not character.isspace() else []
        if sum(not whole_character(gpt2.token_bytes(i)) for i in tokens) > 1:
            return character
    return other


def _how_many(word: str, tokenizer: Tokenizer) -> list[Check]:
    """Ask how many tokens a word of the text is, with the space in front of it."""
    spaced, name = f" {word}", NAMES.get(tokenizer.name, tokenizer.name)
    tokens, alone = tokenizer.encode(spaced), tokenizer.encode(word)
    shown = visible(spaced.encode("utf-8", "replace"))
    n, n_bytes = len(tokens), len(spaced.encode("utf-8", "replace"))
    pieces = " | ".join(visible(tokenizer.token_bytes(i)) for i in tokens)
    return ask(
        "word",
        f"How many tokens does {name} make of “{shown}”, the space in front (␣) included?",
        f"{n}",
        [
            Option("1", "a token is a word", f"Only frequent strings have a token of their own; {name} cuts this one."),
            Option(
                f"{1 + len(alone)}",
                "a space is a token of its own",
                f"Without its space it is {len(alone)}, and the space in front belongs to the first token.",
            ),
            Option(f"{len(spaced)}", "a token is a character", f"It has {len(spaced)} characters; tokens join them."),
            Option(
                f"{n_bytes}", "a token is a byte", f"It has {n_bytes} bytes; byte pairs join those that go together."
            ),
            Option(f"{n + 2}", "every text gets a start and an end token", f"{name} adds no tokens to a text."),
        ],
        f"{name} cuts it so: {pieces}. That is {n}.",
    )


def _fragments(word: str, character: str, gpt2: Tokenizer) -> list[Check]:
    """Ask how many tokens of a string with a rare character are whole characters."""
    text = f"{word} {character}"
    tokens = [gpt2.token_bytes(i) for i in gpt2.encode(text)]
    n, whole = len(tokens), sum(map(whole_character, tokens))
    shown = visible(text.encode("utf-8", "replace"))
    return ask(
        "fragments",
        f"GPT-2 cuts “{shown}” into {n} tokens. How many of them are text by themselves, and no pieces of a character?",
        f"{whole}",
        [
            Option(
                f"{n}",
                "a token is always printable",
                f"{n - whole} of the {n} are pieces of a character's bytes, and no text by themselves.",
            ),
            Option(
                f"{whole + 1}",
                "a character is never cut",
                f"{visible(character.encode())} is one character to you, and more than one token here.",
            ),
            Option("0", "byte pairs are bytes, so no token can be read", f"{whole} of the {n} are whole characters."),
        ],
        f"The tokens are {' | '.join(map(visible, tokens))}: {whole} of {n} are whole characters, the others only "
        "bytes that make one together.",
    )


def _special(word: str, gpt2: Tokenizer) -> list[Check]:
    """Ask what becomes of a special token that is typed in a text."""
    text = word + SPECIAL
    n, before = len(gpt2.encode(text)), len(gpt2.encode(word))
    return ask(
        "special",
        f"Somebody types “{visible(text.encode('utf-8', 'replace'))}” as text here. How many GPT-2 tokens is that?",
        f"{n}",
        [
            Option(
                f"{before + 1}",
                "a special token that is typed is the special token",
                f"Then anybody could end a document by typing. The ID {gpt2.n_vocab - 1:,} is put in by programs only.",
            ),
            Option(f"{before}", "special tokens are left out of a text", "Nothing of a text is left out."),
            Option(f"{len(text)}", "a token is a character", f"It has {len(text)} characters; tokens join them."),
        ],
        f"Typed, {SPECIAL} is text like any other and is cut into pieces: {n} tokens in all. (tiktoken left to itself "
        "would refuse such a text.)",
    )


def _rows(text: str) -> list[Check]:
    """Ask how many rows a word vocabulary of the text has."""
    words = text.split(None, WORDS_COUNTED)[:WORDS_COUNTED]
    vocabulary = Vocabulary.from_text(" ".join(words))
    V, n_special = vocabulary.n_vocab, len(vocabulary.special_ids)
    bare = len({word.strip(punctuation).lower() for word in words})
    which = f"the first {many(len(words), 'word')} of your text, {V - n_special:,} of them different"
    return ask(
        "rows",
        f"A word vocabulary is built from {which if words else 'a text without words'}. "
        f"How many IDs has it, the {n_special} special tokens included?",
        f"{V:,}",
        [
            Option(
                f"{len(words) + n_special:,}",
                "V is the number of words in the text",
                f"{len(words):,} words are read, but a word that comes again gets the ID it has already.",
            ),
            Option(
                f"{bare + n_special:,}",
                "punctuation and capitals do not count",
                "Here a word is what stands between spaces, so care and care. are two; without that there were "
                f"{bare:,}.",
            ),
            Option(f"{V - n_special:,}", "special tokens have no ID", "Special tokens have IDs and rows as well."),
            Option(
                "50,257", "V is the same for every tokenizer", "50,257 is GPT-2's; a word vocabulary has its own V."
            ),
        ],
        f"{V - n_special:,} different words + {n_special} special tokens = {V:,}.",
    )
