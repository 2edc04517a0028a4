"""A word vocabulary built from the learner's text: whitespace splits it, first appearance numbers it."""

from collections.abc import Sequence

SPECIAL_TOKENS = ("<pad>", "<unk>", "<sos>", "<eos>")


class Vocabulary:
    """Words and their IDs; it answers the same questions as a byte-pair tokenizer.

    Special tokens come first. The same spelling typed by a learner is an ordinary word with a row of its own.

    >>> vocabulary = Vocabulary.from_text("the cat in the hat")
    >>> vocabulary.encode("the dog in the hat")
    [4, 1, 6, 4, 7]
    >>> vocabulary.decode([4, 5]), vocabulary.n_vocab
    ('the cat', 8)
    """

    name = "words"

    def __init__(self, words: Sequence[str], special_tokens: Sequence[str] = SPECIAL_TOKENS) -> None:
        self.tokens = [*special_tokens, *words]
        self.special_ids = {token: i for i, token in enumerate(special_tokens)}
        self.word_ids = {word: i for i, word in enumerate(words, start=len(special_tokens))}
        self.n_vocab = len(self.tokens)

    @classmethod
    def from_text(cls, text: str, special_tokens: Sequence[str] = SPECIAL_TOKENS) -> "Vocabulary":
        """Return the vocabulary of `text`: special tokens, then its distinct words in order of first appearance."""
        return cls(list(dict.fromkeys(text.split())), special_tokens)

    def encode(self, text: str) -> list[int]:
        """Return the ID of every word; unknown words get <unk>. Raises KeyError where there is no <unk>."""
        unknown = self.special_ids.get("<unk>")
        if unknown is None:
            return [self.word_ids[word] for word in text.split()]
        return [self.word_ids.get(word, unknown) for word in text.split()]

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return the words joined by single spaces; the spacing of the original text is not kept."""
        return " ".join(self.token_bytes(i).decode("utf-8") for i in token_ids)

    def token_bytes(self, token_id: int) -> bytes:
        """Return the word with this ID in UTF-8. Raises KeyError for an ID outside 0 to n_vocab - 1."""
        if not 0 <= token_id < self.n_vocab:
            raise KeyError(token_id)
        return self.tokens[token_id].encode("utf-8")
