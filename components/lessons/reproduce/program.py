"""The program of the lesson Reproduce: every published result, computed with the functions of the lessons."""

from collections.abc import Sequence
from itertools import chain
from math import sqrt
from typing import Any

import torch

from components.base.link import State
from components.base.presets import PUBLISHED
from components.embedding.norm_ratio import row_norms
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.tables import scaled, token_table
from components.text.gpt2 import gpt2_encoding, ranks_in
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from components.text.windows import sliding_windows


def reproduce(
    published_weight,
    lookup_ids,
    published_rows,
    opening,
    opening_ranks,
    published_inputs,
    published_targets,
    small_words,
    sentence,
    input_shapes,
    published_token,
    published_position,
    published_combined,
):
    """Compute the published results again, and print each beside what was published."""
    # %% Toy table
    # Six rows of three numbers, and four of them looked up: the table of `torch.manual_seed(123); nn.Embedding(6, 3)`.
    torch.set_printoptions(linewidth=120, sci_mode=False)
    toy_table = token_table(6, 3, seed=123)  # [V, D]
    toy_rows = toy_table(torch.tensor(lookup_ids))  # [T, D]
    print("published:", torch.tensor(published_weight), "computed:", toy_table.weight.detach(), sep="\n")
    print("published:", torch.tensor(published_rows), "computed:", toy_rows.detach(), sep="\n")
    # %% Story batch
    # The opening of a story as GPT-2's tokens, in windows of 4 inputs and the next token of each.
    opening_ids = gpt2_encoding(opening_ranks).encode_ordinary(opening)
    story_inputs, story_targets = sliding_windows(opening_ids, max_length=4, stride=4)  # [N, T], [N, T]
    print("inputs", story_inputs, story_inputs.tolist() == published_inputs, sep="\n")
    print("targets", story_targets, story_targets.tolist() == published_targets, sep="\n")
    # %% Small vocabulary
    # The same word has the same row at every position.
    small_vocabulary = Vocabulary(small_words, SPECIAL_TOKENS[:2])
    sentence_ids = small_vocabulary.encode(sentence)
    small_table = token_table(small_vocabulary.n_vocab, 512, seed=123)  # [V, D]
    sentence_rows = small_table(torch.tensor(sentence_ids))  # [T, D]
    print(sentence_ids, small_table.weight.shape, torch.equal(sentence_rows[0], sentence_rows[3]))
    # %% Text vocabulary
    # Four special tokens and fifty distinct words make a table of 54 rows.
    passage = " ".join(f"word{n}" for n in range(50))
    text_vocabulary = Vocabulary.from_text(passage)
    text_table = token_table(text_vocabulary.n_vocab, 10, seed=123)  # [V, D]
    passage_ids = torch.tensor(text_vocabulary.encode(passage)[:10])  # [T]
    print(text_vocabulary.special_ids, text_vocabulary.encode("word0"))
    print(text_table.weight.shape, text_table(passage_ids).shape)
    # %% Input shapes
    # Whatever shape the IDs have, the vectors have it too, with D after it.
    for rows, columns, given_ids, id_dtype, times_root in input_shapes:
        given = torch.tensor(given_ids, dtype=getattr(torch, id_dtype))
        looked_up = token_table(rows, columns, seed=123)(given)
        if times_root:
            looked_up = scaled(looked_up, columns)
        print(given.shape, looked_up.shape)
    # %% Combined batch
    # Token embedding table first, position embedding table next from the same random stream, then the sum.
    story_token = token_table(50_257, 256, seed=123)(torch.tensor(published_inputs)).detach()  # [B, T, D]
    story_position = learned_positions(4, 256, vocab_size=50_257, seed=123)  # [T, D]
    story_combined = story_token + story_position  # [B, T, D] + [T, D] -> [B, T, D]
    print(story_token.shape, story_position.shape, story_position.unsqueeze(0).shape, story_combined.shape)
    print("published:", torch.tensor([published_token, published_position, published_combined]), sep="\n")
    print("computed:", torch.stack([story_token[0, 0, :5], story_position[0, :5], story_combined[0, 0, :5]]), sep="\n")
    # %% Error
    # Ten rows are 0 to 9, so ID 10 is out of range.
    try:
        token_table(10, 2, seed=123)(torch.tensor([10]))
    except IndexError as error:
        print(f"{type(error).__name__}: {error}")
    # %% Row norms
    # Each pair of sine and cosine adds 1 to the square, and there are D/2 pairs: √(D/2). The published √(D/3) is wrong.
    mean_norm = row_norms(sinusoidal_positions(100, 512)).mean()
    print(f"computed {mean_norm:.4f}, sqrt(D/2) {sqrt(512 / 2):.4f}, sqrt(D/3) {sqrt(512 / 3):.4f}")


STORIES = (reproduce,)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the published values; they do not depend on the learner's settings.

    >>> found = values(State(), [])
    >>> found["sentence"], found["opening"][:13], found["lookup_ids"]
    ('the cat in the hat', 'I HAD always ', [2, 3, 5, 1])
    """
    toy, story, combined = PUBLISHED["toy_table"], PUBLISHED["story_batch"], PUBLISHED["combined_batch"]
    opening = get_tokenizer("gpt2").decode([*chain(*story["inputs"]), story["targets"][-1][-1]])
    return {
        "published_weight": toy["weight"],
        "lookup_ids": toy["lookup_ids"],
        "published_rows": toy["lookup_rows"],
        "opening": opening,
        "opening_ranks": ranks_in(opening),
        "published_inputs": story["inputs"],
        "published_targets": story["targets"],
        "small_words": [*PUBLISHED["small_vocabulary"]["vocabulary"]][2:],
        "sentence": PUBLISHED["small_vocabulary"]["sentence"],
        "input_shapes": [
            (facts["vocab_size"], facts["dim"], facts["ids"], facts.get("ids_dtype", "int64"), "scaled_by" in facts)
            for facts in PUBLISHED["input_shapes"]
        ],
        "published_token": combined["token_0_0_first5"],
        "published_position": combined["position_0_first5"],
        "published_combined": combined["combined_0_0_first5"],
    }
