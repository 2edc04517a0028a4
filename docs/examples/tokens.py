# %% [markdown]
# # Tokens
# A tokenizer splits text into tokens and gives each token an ID: its row index in the embedding
# table.
#
# From Embedding Lab, with your values; open it there to change them: <http://localhost:8501/tokens>
#
# It needs these libraries: `pip install tiktoken`

# %% Your values
text = 'The river bank is steep. The bank in town lends money, and the river does not care.'
first_word = 0
word = 0
first_piece = 0
piece = 0
ranks = {  # the tokens of GPT-2 that can occur in the text, with their IDs
    b',': 11, b'.': 13, b'T': 51, b'a': 64, b'b': 65, b'c': 66, b'd': 67, b'e': 68, b'h': 71,
    b'i': 72, b'k': 74, b'l': 75, b'm': 76, b'n': 77, b'o': 78, b'p': 79, b'r': 81, b's': 82,
    b't': 83, b'v': 85, b'w': 86, b'y': 88, b' ': 220, b' t': 256, b' a': 257, b'he': 258,
    b'in': 259, b're': 260, b'on': 261, b' the': 262, b'er': 263, b' s': 264, b'en': 268,
    b' c': 269, b'is': 271, b'an': 272, b'es': 274, b' b': 275, b' an': 281, b'ar': 283,
    b' to': 284, b' m': 285, b' in': 287, b' d': 288, b' and': 290, b'le': 293, b' th': 294,
    b' n': 299, b' l': 300, b'st': 301, b've': 303, b' T': 309, b'ot': 313, b' is': 318, b'ow': 322,
    b'ver': 332, b' st': 336, b'nd': 358, b' r': 374, b'ri': 380, b' The': 383, b'and': 392,
    b'th': 400, b' not': 407, b'ive': 425, b'end': 437, b' le': 443, b'iv': 452, b'The': 464,
    b' do': 466, b'one': 505, b'are': 533, b' Th': 536, b'ep': 538, b'own': 593, b' no': 645,
    b'te': 660, b'wn': 675, b'ne': 710, b'Th': 817, b' does': 857, b' mon': 937, b'ank': 962,
    b' car': 1097, b'the': 1169, b' ca': 1275, b' i': 1312, b' care': 1337, b'oney': 1419,
    b'iver': 1428, b'ee': 1453, b'to': 1462, b' money': 1637, b'not': 1662, b'ney': 1681,
    b'mon': 2144, b'ends': 2412, b'oe': 2577, b' ste': 2876, b'ey': 2959, b'oes': 3028,
    b' town': 3240, b' bank': 3331, b'ban': 3820, b'no': 3919, b' ban': 3958, b'ste': 4169,
    b'do': 4598, b'mo': 5908, b' tow': 6094, b'care': 6651, b'ca': 6888, b' mo': 6941, b'ba': 7012,
    b'car': 7718, b' river': 7850, b'ds': 9310, b'rive': 11590, b'len': 11925, b'town': 12735,
    b' steep': 14559, b'riv': 15104, b'bank': 17796, b' len': 18896, b' lend': 22096,
    b'does': 22437, b'money': 26316, b' ba': 26605, b' lends': 37733, b'river': 38291,
    b' rive': 40112, b'mone': 47122,
}

# %% What is used
# The functions are those of the app; each is used below.
from collections.abc import Mapping, Sequence

import tiktoken
from tiktoken_ext.openai_public import r50k_pat_str


SPECIAL_TOKENS = ("<pad>", "<unk>", "<sos>", "<eos>")
UNKNOWN = SPECIAL_TOKENS.index("<unk>")


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
