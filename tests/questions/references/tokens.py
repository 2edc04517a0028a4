import re
from string import punctuation

import regex
from tiktoken_ext.openai_public import r50k_pat_str

from components.base.learner_text import visible
from components.text.gpt2 import gpt2_encoding, gpt2_ranks
from tests.questions.references.learner import GPT2, Learner, counted

SYMBOLS = str.maketrans({"␣": " ", "⏎": "\n", "⇥": "\t", "␍": "\r", "◌": ""})
ENCODING = gpt2_encoding(gpt2_ranks())
SPECIAL = "<|endoftext|>"


def pieces_of(text):
    return regex.findall(r50k_pat_str, text)


def byte_pairs(text):
    return ENCODING.decode_tokens_bytes(ENCODING.encode_ordinary(text))


def readable(text):
    """Return a text with its characters visible, besides a single space between two others."""
    return re.sub(r"((?<=\S) (?=\S))|\S+|\s", lambda found: found[1] or visible(found[0].encode()), text)


def parts_of(text):
    """Return how many tokens of a text contain incomplete characters."""
    return sum("\ufffd" in token.decode("utf-8", "replace") for token in byte_pairs(text))


def quoted(tokens):
    return ", ".join(f"“{visible(token)}”" for token in tokens)


class Reference(Learner):
    def _typed(self, text):
        """Return the text of which a page shows this; its first word is one of the learner, or of four others."""
        text = re.sub(r"‹U\+([0-9A-F]{4,5})›", lambda match: chr(int(match[1], 16)), text.translate(SYMBOLS))
        word = text.removesuffix(SPECIAL).rsplit(" ", 1)[0]
        assert word in self.text.split() or word in ("café", "tokenization", "unhappily", "☕")
        return text

    def count(self):
        beginning = text = self.text
        if len(text) > 60:
            ends = [end for end in range(1, 41) if text[end].isspace() and not text[end - 1].isspace()]
            word = len(text.split(None, 1)[0]) if text[0].strip() and len(text.split()) > 1 else 61
            beginning = text[: ends[-1] if ends else word if word <= 60 else 20]
        found, pieces, whole = byte_pairs(beginning), pieces_of(beginning), beginning == text
        n, n_pieces, n_words, n_chars = len(found), len(pieces), len(beginning.split()), len(beginning)
        longest = max([each for each in pieces if len(byte_pairs(each)) > 1], key=len, default="")
        split, made = longest and visible(longest.encode()), quoted(byte_pairs(longest))
        text, tokens = readable(beginning), quoted(found)
        tokenizer, n_with_ends, answer = "GPT-2", len(["", *found, ""]), f"{n}"
        with_space = byte_pairs(f" {longest}") if longest[:1].isalpha() else []
        spaced = GPT2.index(with_space[0]) if len(with_space) == 1 else ""
        listed = longest == beginning or len(byte_pairs(longest)) > 4
        words, rule_pieces = counted(n_words, "word"), counted(n_pieces, "piece")
        characters = counted(n_chars, "character")
        return locals()

    def only_an_id(self, word):
        alone, id = (GPT2.index(text.encode()) for text in (word, f" {word}"))
        assert word in self.text.split() or word in ("bank", "can", "river")
        answer, numbers = f"the ID {id}, which selects a row of a table", counted(self.D, "number")
        return locals()

    def incomplete(self, text):
        typed = self._typed(text)
        found, character = byte_pairs(typed), visible(typed[-1].encode())
        characters = dict.fromkeys(self.text[:2_000])
        split = [each for each in characters if ord(each) > 127 and each.strip() and parts_of(f" {each}") > 1]
        assert typed[-1] in (split[:1] or "☕🎵猫🦉")
        n, n_incomplete = len(found), parts_of(typed)
        n_whole, n_whole_plus_1, tokens = n - n_incomplete, n - n_incomplete + 1, quoted(found)
        answer = f"{n_whole}"
        return locals()

    def special(self, text):
        typed = self._typed(text)
        n_before, n, n_chars = len(byte_pairs(typed[: -len(SPECIAL)])), len(byte_pairs(typed)), len(typed)
        assert typed.endswith(SPECIAL)
        n_if_special = len(ENCODING.encode(typed, allowed_special="all"))
        special_id, answer = len(GPT2), f"{n}"
        return locals()

    def vocabulary(self):
        found, n_special = self.text.split()[:1_000], len(("<pad>", "<unk>", "<sos>", "<eos>"))
        source = ["your text", "the beginning of your text"][len(self.text.split()) > 1_000]
        words, n_words, n_different = counted(len(found), "word"), len(found), len({*found})
        V_if_bare = len({word.strip(punctuation).lower() for word in found} - {""}) + n_special
        V, V_if_all_words, answer = n_different + n_special, n_words + n_special, f"{n_different + n_special:,}"
        return locals()
