# %% [markdown]
# # Tokens
# A tokenizer splits text into tokens and gives each token an ID: its row index in the embedding table.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
unit = "word"  # "word", or "character" for a text without spaces between words
word, token = 0, 0  # one word, one token
opened = 6  # the piece of the text whose merges are replayed
learned = 10  # merges that are learned from the text
probe = ""  # words to look up in the vocabulary of the text
second = "the riverside"  # a text that is encoded with the learned merges

# %% Libraries
from collections import Counter
from itertools import pairwise

import regex
import tiktoken

# %% A word vocabulary
# Whitespace separates words. Each new word gets the next ID, after those of `<pad>`, `<unk>`, `<sos>` and `<eos>`.
words = text.split()
vocabulary = {each: i for i, each in enumerate(dict.fromkeys(words), start=4)}
word_ids = [vocabulary[each] for each in words]
print(f"text: {len(text)} characters, {len(text.encode())} bytes")
print(f"words: {len(words)}, {len(vocabulary)} distinct, V = {4 + len(vocabulary)}")
print("words and IDs:", [*zip(words, word_ids)][:20])
if words:
    word = min(word, len(words) - 1)
    print(f"word {word}: {words[word]!r}, ID {word_ids[word]}, count {words.count(words[word])}")

# %% Unknown words section="The vocabularies"
# All words that the text does not contain get ID 1, that of `<unk>`.
probe_ids = [vocabulary.get(each, 1) for each in probe.split()]
if probe_ids:
    print("IDs of the probe:", [*zip(probe.split(), probe_ids)])
    print(f"unknown words: {probe_ids.count(1)} of {len(probe_ids)}")

# %% Byte-pair encoding (BPE)
# Every byte is a token, and so are sequences of bytes that occur often: BPE can encode any text.
encoding, gpt2 = tiktoken.get_encoding(tokenizer), tiktoken.get_encoding("gpt2")
token_ids = encoding.encode_ordinary(text)  # special tokens that are typed are text like any other
tokens = [encoding.decode_single_token_bytes(i) for i in token_ids]  # bytes
n_vocab = encoding.n_vocab
ranks = {gpt2.decode_single_token_bytes(i): i for i in range(50_256)}  # every token of GPT-2 but <|endoftext|>

# %% The tokens of the text
# A leading space is part of its token. An incomplete character is printed as the codes of its bytes.
print(f"tokens: {len(tokens)}, {len({*tokens})} distinct, V = {n_vocab}")


def readable(tokens):
    return [token.decode(errors="backslashreplace") for token in tokens]


texts = readable(tokens)
print("tokens and IDs:", [*zip(texts, token_ids)][:20])
token = min(token, len(tokens) - 1)
print(f"token {token}: {texts[token]!r}, ID {token_ids[token]}, count {tokens.count(tokens[token])}")
print(f"bytes of token {token}:", tokens[token].hex(" ").upper())
if words:
    print(f"tokens per {unit}: {len(tokens) / len(words if unit == 'word' else text):.4f}")
id_of = dict(zip(tokens, token_ids))
both_ways = [token for token in id_of if token.isalpha() and b" " + token in id_of]
for token in both_ways[:1]:
    print(f"{token.decode()!r} without and with a leading space: ID {id_of[token]}, ID {id_of[b' ' + token]}")

# %% The merges of one piece
# GPT-2's pattern (github.com/openai/gpt-2, src/encoder.py) cuts a text into pieces; merges do not cross their borders.
# Of all pairs of neighbors that are a token together, the one with the lowest rank is merged, again and again. The rank
# of a token is its ID.
cut = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+").findall


def bytes_of(piece):
    return [bytes([byte]) for byte in piece.encode()]


pieces = cut(text)
opened = min(opened, len(pieces) - 1)
print("pieces:", len(pieces))
parts, n_merges = bytes_of(pieces[opened]), 0
if len(parts) <= 128:  # bytes, as many as the longest token of GPT-2 has
    while pairs := [(ranks[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
        rank, i = min(pairs)  # the first one if it occurs several times
        n_merges += 1
        print(f"merge {n_merges}: {readable(parts[i : i + 2])}, rank {rank}")
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    print(f"tokens of piece {opened}:", readable(parts))

# %% Merges learned from the text section="Train your own"
# The pair of neighbors that occurs most often gets the next ID after those of the 256 bytes, again and again.
piece_counts = Counter(cut(text[:4_000]))  # the beginning is enough
split = {each: bytes_of(each) for each in piece_counts}
merges = []


def merge(parts, pair):  # every occurrence, from left to right
    merged = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


for token_id in range(256, 256 + learned):
    counts = Counter()
    for each, parts in split.items():
        for pair in pairwise(parts):
            counts[pair] += piece_counts[each]
    if not counts:
        break
    pair = max(counts, key=counts.get)  # the first one if several occur equally often
    print(f"ID {token_id}: {readable(pair)}, count {counts[pair]}")
    merges.append(pair)
    split = {each: merge(parts, pair) for each, parts in split.items()}

# %% GPT-2's tokens of a second text section="Train your own"
second_gpt2_ids = gpt2.encode_ordinary(second)

# %% A second text section="Train your own"
# The merges are applied in the order in which they were learned.
second_tokens = []
for each in cut(second):
    parts = bytes_of(each)
    for pair in merges:
        parts = merge(parts, pair)
    second_tokens += parts
print(f"second text: {len(second.encode())} bytes, {len(second_tokens)} tokens with V = {256 + len(merges)}")
print("its tokens:", readable(second_tokens[:20]))
print("number of GPT-2's tokens for it:", len(second_gpt2_ids))
