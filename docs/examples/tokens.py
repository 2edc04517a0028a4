# %% [markdown]
# # Tokens
# A tokenizer splits text into tokens and gives each token an ID: its row index in the embedding
# table.
#
# From Embedding Lab, with your values; open it there to change them: <http://localhost:8501/tokens>
#
# It needs these libraries: `pip install tiktoken`

# %% Your values
text = 'She left the bank for the riverbank.'
first_word = 0
word = 0
first_piece = 0
piece = 0
opened_piece = ' riverbank'
n_merged = 0
learned = 10
second = 'the riverside'
opened_ranks = {
    b'a': 64, b'b': 65, b'e': 68, b'i': 72, b'k': 74, b'n': 77, b'r': 81, b'v': 85, b' ': 220,
    b'er': 263, b'an': 272, b've': 303, b'ver': 332, b' r': 374, b'ri': 380, b'ive': 425,
    b'iv': 452, b'ank': 962, b'iver': 1428, b'ban': 3820, b'ba': 7012, b' river': 7850,
    b'rive': 11590, b'riv': 15104, b'bank': 17796, b'verb': 19011, b'erb': 23552, b'rb': 26145,
    b'river': 38291, b' rive': 40112,
}
ranks = {  # the tokens of GPT-2 that can occur in the text, with their IDs
    b'.': 13, b'S': 50, b'a': 64, b'b': 65, b'e': 68, b'f': 69, b'h': 71, b'i': 72, b'k': 74,
    b'l': 75, b'n': 77, b'o': 78, b'r': 81, b't': 83, b'v': 85, b' ': 220, b' t': 256, b'he': 258,
    b' the': 262, b'er': 263, b'an': 272, b'or': 273, b' b': 275, b' f': 277, b'le': 293,
    b' th': 294, b' l': 300, b've': 303, b' for': 329, b'ver': 332, b' r': 374, b'ri': 380,
    b'th': 400, b'ive': 425, b' le': 443, b'iv': 452, b'ft': 701, b'ef': 891, b'ank': 962,
    b'the': 1169, b' left': 1364, b'iver': 1428, b'for': 1640, b'Sh': 2484, b' bank': 3331,
    b'She': 3347, b'ban': 3820, b' ban': 3958, b'fo': 6513, b'ba': 7012, b' river': 7850,
    b'left': 9464, b' fo': 11511, b'rive': 11590, b'riv': 15104, b'bank': 17796, b'verb': 19011,
    b'erb': 23552, b'rb': 26145, b' ba': 26605, b'river': 38291, b' rive': 40112,
}

# %% What is used
# The functions are those of the app; each is used below.
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import regex
import tiktoken
from tiktoken_ext.openai_public import r50k_pat_str


SPECIAL_TOKENS = ("<pad>", "<unk>", "<sos>", "<eos>")
UNKNOWN = SPECIAL_TOKENS.index("<unk>")
Step = tuple[list[bytes], int | None]
Pair = tuple[bytes, bytes]
TRAINED_CHARS = 4_000  # of the text, from which they are learned


def number_words(words: Sequence[str], special_tokens: Sequence[str] = SPECIAL_TOKENS) -> dict[str, int]:
    """Return the ID of each distinct word, in order of first appearance, after those of the special tokens."""
    return {word: i for i, word in enumerate(dict.fromkeys(words), start=len(special_tokens))}


def encode_words(words: Sequence[str], vocabulary: Mapping[str, int]) -> list[int]:
    """Return the ID of each word; a word that is not in the vocabulary has the ID of <unk>."""
    return [vocabulary.get(word, UNKNOWN) for word in words]


def gpt2_encoding(ranks: dict[bytes, int]) -> tiktoken.Encoding:
    """Return GPT-2's byte-pair encoding with all its tokens, or with those that a text can contain."""
    special_tokens = {"<|endoftext|>": 50_256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)


def whole_character(token: bytes) -> bool:
    """Return whether the bytes of a token decode alone; an incomplete character does not."""
    try:
        token.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def pair_ranks(parts: Sequence[bytes], ranks: Mapping[bytes, int]) -> list[int | None]:
    """Return the rank of each pair of neighbors, None for a pair that is no token."""
    return [ranks.get(first + second) for first, second in pairwise(parts)]


def merge_by_rank(piece: str, ranks: Mapping[bytes, int]) -> list[Step]:
    """Return the steps of `merge_steps` with the ranks given; a rank is also the ID of the token.

    Of all pairs of neighbors that are a token together, the one with the lowest rank is merged, the first one if it
    occurs several times.
    """
    parts = [bytes([byte]) for byte in piece.encode()]
    steps: list[Step] = []
    while True:
        found = pair_ranks(parts, ranks)
        lowest = min((rank for rank in found if rank is not None), default=None)
        steps.append((parts, lowest))
        if lowest is None:
            return steps
        at = found.index(lowest)
        parts = [*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]]


def gpt2_pieces(text: str) -> list[str]:
    """Return the pieces into which GPT-2's pattern cuts a text before any merge; no merge crosses their borders."""
    return regex.findall(r50k_pat_str, text)


def merge(parts: Sequence[bytes], pair: Pair) -> list[bytes]:
    """Return the parts with every occurrence of a pair joined, from left to right."""
    merged: list[bytes] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def count_merges(text: str, n_merges: int) -> list[tuple[Pair, int]]:
    """Return the merges of `train_bpe`, each with the number of times that the pair occurs when it is merged."""
    pieces = Counter(gpt2_pieces(text))
    parts = {piece: [bytes([byte]) for byte in piece.encode()] for piece in pieces}
    merges: list[tuple[Pair, int]] = []
    while len(merges) < n_merges:
        counts: Counter[Pair] = Counter()
        for piece, count in pieces.items():
            for pair in pairwise(parts[piece]):
                counts[pair] += count
        if not counts:
            break
        most = max(counts, key=counts.__getitem__)
        merges.append((most, counts[most]))
        parts = {piece: merge(each, most) for piece, each in parts.items()}
    return merges


def encode_with(merges: Sequence[Pair], text: str) -> list[bytes]:
    """Return the tokens of a text under learned merges, applied in the order in which they were learned."""
    found: list[bytes] = []
    for piece in gpt2_pieces(text):
        parts = [bytes([byte]) for byte in piece.encode()]
        for pair in merges:
            parts = merge(parts, pair)
        found += parts
    return found

# %% The text
print(f"{len(text)} characters, {len(text.encode())} bytes")

# %% A word vocabulary
# Whitespace separates words; punctuation next to a word belongs to it. Each distinct word gets the
# next ID, after those of four special tokens.
words = text.split()
vocabulary = number_words(words)
word_ids = encode_words(words, vocabulary)
print(f"{len(words)} tokens, {len(vocabulary)} distinct, vocabulary of {len(SPECIAL_TOKENS) + len(vocabulary)}")
shown = slice(first_word, first_word + 120)
print(*zip(word_ids[shown], words[shown], strict=True))

# %% One word
token_id, token = word_ids[word], words[word].encode()
print(f"position {word}: ID {token_id}, number of occurrences {word_ids.count(token_id)}")
print("bytes", token.hex(" ").upper())

# %% Byte-pair encoding
# BPE can split any text; spaces are part of tokens. Here are those of GPT-2's 50,257 tokens that
# can occur in this text. The whole encoding is `tiktoken.get_encoding("gpt2")`; tiktoken downloads
# it once.
encoding = gpt2_encoding(ranks)
token_ids = encoding.encode_ordinary(text)  # special tokens typed into a text are text like any other
tokens = [encoding.decode_single_token_bytes(token_id) for token_id in token_ids]
print(f"{len(token_ids)} tokens, {len(set(token_ids))} distinct, vocabulary of {encoding.n_vocab:,}")
shown = slice(first_piece, first_piece + 120)
print(*zip(token_ids[shown], tokens[shown], strict=True))

# %% One token
# A token is bytes, and not always whole characters.
token_id, token = token_ids[piece], tokens[piece]
print(f"position {piece}: ID {token_id}, number of occurrences {token_ids.count(token_id)}")
print("bytes", token.hex(" ").upper())
print("includes the leading space:", token.startswith(b" "), "whole characters:", whole_character(token))

# %% The merges of one piece
# GPT-2's pattern cuts the text into pieces first. Within a piece, of all pairs of neighbors that
# are a token, the one with the lowest rank is merged, again and again. The rank of a token is its
# ID; here are those of the tokens that occur in the piece.
merge_history = merge_by_rank(opened_piece, opened_ranks)
for parts, merged_id in merge_history:
    print(parts, merged_id)

# %% The pairs that are there after some merges, with their ranks
parts, lowest = merge_history[n_merged]
print(*zip(pairwise(parts), pair_ranks(parts, opened_ranks), strict=True))
print(f"after {n_merged} of {len(merge_history) - 1} merges the lowest rank is {lowest}")

# %% Merges learned from the text
# Each gives the pair of neighbors that occurs most often the next ID after the 256 bytes.
own_merges = count_merges(text[:TRAINED_CHARS], learned)
for new_id, (merged_pair, times) in enumerate(own_merges, start=256):
    print(new_id, *merged_pair, times)

# %% A second text
second_tokens = encode_with([merged_pair for merged_pair, _ in own_merges], second)
print(f"{len(second.encode())} bytes became {len(second_tokens)} tokens:", second_tokens)
