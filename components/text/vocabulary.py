"""A word vocabulary built from the learner's text: whitespace separates words, IDs follow their first appearance."""

from collections.abc import Sequence

SPECIAL_TOKENS = ("<pad>", "<unk>", "<sos>", "<eos>")
UNKNOWN = SPECIAL_TOKENS.index("<unk>")


class Vocabulary:
    """Words and their IDs, with the interface of a byte-pair tokenizer.

    Special tokens come first, with <unk> as the second. The same spelling in a text is an ordinary word with its own
    ID.
    """

    name = "words"

    def __init__(self, words: Sequence[str], special_tokens: Sequence[str] = SPECIAL_TOKENS) -> None:
        self.special_ids = {token: i for i, token in enumerate(special_tokens)}
        self.word_ids = {word: i for i, word in enumerate(dict.fromkeys(words), start=len(special_tokens))}
        self.tokens = [*special_tokens, *self.word_ids]
        self.n_vocab = len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """Return the ID of every word; unknown words have the ID of <unk>."""
        return [self.word_ids.get(word, UNKNOWN) for word in text.split()]

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return the words joined by single spaces; the original spacing is not restored."""
        return " ".join(self.token_bytes(i).decode("utf-8") for i in token_ids)

    def token_bytes(self, token_id: int) -> bytes:
        """Return the word with this ID in UTF-8. Raises KeyError for an ID outside 0 to n_vocab - 1."""
        if not 0 <= token_id < self.n_vocab:
            raise KeyError(token_id)
        return self.tokens[token_id].encode("utf-8")
