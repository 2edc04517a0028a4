"""Facts for the questions on tokens."""

import re
from string import punctuation

from components.base.learner_text import visible, visible_text, whole_character
from components.base.link import State
from components.base.text_format import pluralize
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids
from components.text.gpt2 import gpt2_pieces
from components.text.tokenizers import Tokenizer, get_tokenizer
from components.text.vocabulary import Vocabulary

CHARS_READ, LONGEST_WORD, WORDS_COUNTED = 2_000, 20, 1_000
SHORT, BEGINNING = 60, 40  # characters of a text that is asked about as a whole, and of the beginning of a longer one
SINGLE = ("bank", "can", "river")  # words of one token, for a text without any
MADE_NAMED = 4  # tokens of a piece that are listed once more, after those of the text
WORDS = ("café", "tokenization", "unhappily", "☕")  # for a text without suitable words
SPLIT_CHARACTERS = "☕🎵猫🦉"  # two or more GPT-2 tokens each
SPECIAL = "<|endoftext|>"


def count(state: State, token_ids: Ids) -> Facts | None:
    """Return the facts on the text, or on its beginning if it is long."""
    tokenizer, text = _bpe(state, token_ids), _beginning(state.text)
    if not text:
        return None
    n_words, pieces = len(text.split()), gpt2_pieces(text)
    tokens = [tokenizer.token_bytes(i) for i in tokenizer.encode(text)]
    n = len(tokens)
    split = next((each for each in sorted(pieces, key=len, reverse=True) if len(tokenizer.encode(each)) > 1), "")
    made, spaced = [tokenizer.token_bytes(i) for i in tokenizer.encode(split)], tokenizer.encode(f" {split}")
    facts = {"tokenizer": "GPT-2" if tokenizer.name == "gpt2" else tokenizer.name, "whole": text == state.text}
    facts |= {"text": _readable(text), "tokens": _quoted(tokens), "n": n}
    facts |= {"split": visible_text(split) if split else "", "made": _quoted(made)}
    facts |= {"spaced": spaced[0] if split[:1].isalpha() and len(spaced) == 1 else ""}
    facts |= {"listed": split == text or len(made) > MADE_NAMED, "words": pluralize(n_words, "word")}
    facts |= {"rule_pieces": pluralize(len(pieces), "piece"), "characters": pluralize(len(text), "character")}
    return facts | {"n_words": n_words, "n_pieces": len(pieces), "n_chars": len(text), "n_with_ends": n + 2}


def only_an_id(state: State, token_ids: Ids) -> Facts:
    gpt2 = get_tokenizer("gpt2")
    own = [word for word in _words(state.text) if word.isalpha()]
    single = [word for word in own if len(gpt2.encode(word)) == len(gpt2.encode(f" {word}")) == 1]
    chosen = question_rng(state, "only_an_id").choice(single or SINGLE)
    (alone,), (with_space,) = gpt2.encode(chosen), gpt2.encode(f" {chosen}")
    numbers = pluralize(state.settings.dim, "number")
    return {"word": visible_text(chosen), "id": with_space, "alone": alone, "numbers": numbers}


def incomplete(state: State, token_ids: Ids) -> Facts:
    gpt2, character = get_tokenizer("gpt2"), _split_character(state)
    text = f"{_own_word(state, 'incomplete')} {character}"
    tokens = [gpt2.token_bytes(i) for i in gpt2.encode(text)]
    n, n_whole = len(tokens), sum(map(whole_character, tokens))
    facts = {"text": visible_text(text), "tokens": _quoted(tokens), "character": visible_text(character)}
    return facts | {"n": n, "n_whole": n_whole, "n_whole_plus_1": n_whole + 1, "n_incomplete": n - n_whole}


def special(state: State, token_ids: Ids) -> Facts:
    gpt2, own_word = get_tokenizer("gpt2"), _own_word(state, "special")
    text, n_before = own_word + SPECIAL, len(gpt2.encode(own_word))
    facts = {"text": visible_text(text), "n_chars": len(text), "n": len(gpt2.encode(text))}
    return facts | {"n_before": n_before, "n_if_special": n_before + 1, "special_id": gpt2.n_vocab - 1}


def vocabulary(state: State, token_ids: Ids) -> Facts:
    found = state.text.split(None, WORDS_COUNTED)
    words, source = found[:WORDS_COUNTED], "your text" if len(found) <= WORDS_COUNTED else "the beginning of your text"
    made = Vocabulary(words)
    V, n_special = made.n_vocab, len(made.special_ids)
    n_bare = len({word.strip(punctuation).lower() for word in words} - {""})
    facts = {"words": pluralize(len(words), "word"), "n_words": len(words), "n_different": V - n_special}
    facts |= {"V": V, "V_if_all_words": len(words) + n_special, "V_if_bare": n_bare + n_special}
    return facts | {"n_special": n_special, "source": source}


def _quoted(tokens: list[bytes]) -> str:
    return ", ".join(f"“{visible(token)}”" for token in tokens)


def _readable(text: str) -> str:
    """Return a text with its line breaks and runs of spaces made visible, which Markdown would not show as typed.

    >>> _readable("if x:\\n    return  x + 1")
    'if x:⏎␣␣␣␣return␣␣x + 1'
    """
    return " ".join(map(visible_text, re.split(r"(?<=\S) (?=\S)", text)))


def _bpe(state: State, token_ids: Ids) -> Tokenizer:
    """Return the learner's BPE tokenizer, or GPT-2's if there are no IDs: then the tokenizer may not be available."""
    name = state.settings.tokenizer
    return get_tokenizer("gpt2" if name == "words" or not len(token_ids) else name)


def _beginning(text: str) -> str:
    """Return a short text whole, and of a long one the first words, or a part of a first word that is as long."""
    words = re.match(rf".{{0,{BEGINNING - 1}}}\S(?=\s)|\S{{1,{SHORT}}}(?=\s)", text, re.DOTALL)
    return text if len(text) <= SHORT else words[0] if words else text[: BEGINNING // 2]


def _words(text: str) -> list[str]:
    """Return the different words of a text, of a long one those at its beginning; none is cut."""
    words = text[:CHARS_READ].split()
    return list(dict.fromkeys(words[:-1] if len(text) > CHARS_READ else words))


def _own_word(state: State, question: str) -> str:
    """Return a word of the text for a question, or another word if all in the text are long or contain SPECIAL."""
    words = [word for word in _words(state.text) if len(word) <= LONGEST_WORD and SPECIAL not in word]
    return question_rng(state, question).choice(words or WORDS)


def _split_character(state: State) -> str:
    """Return a character of the text that GPT-2 splits into several tokens, or another one if there is none."""
    gpt2 = get_tokenizer("gpt2")
    for character in dict.fromkeys(state.text[: CHARS_READ + LONGEST_WORD]):
        tokens = gpt2.encode(f" {character}") if ord(character) > 127 and not character.isspace() else []
        if sum(not whole_character(gpt2.token_bytes(i)) for i in tokens) > 1:
            return character
    return question_rng(state, "character").choice(SPLIT_CHARACTERS)
