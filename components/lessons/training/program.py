"""The program of the lesson on training: the text as windows, the toy model, its steps, and what they have changed."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from components.base.link import State
from components.lessons.training.setup import checked_text, training_config
from components.programs.batch_story import text_values, tokenize
from components.text.gpt2 import gpt2_encoding, ranks_in
from components.text.tokenizers import Tokenizer, TokenizerUnavailable, get_tokenizer
from components.text.vocabulary import Vocabulary
from components.training.config import TrainingConfig
from components.training.model import Training
from components.training.row_changes import next_token, row_changes
from components.training.training_text import SPARE_ROWS, TrainingText, training_text


def train(
    text, tokenizer, ranks, encoding, vocabulary, unused_tokens, token_ids, context_length, stride, options,
    train_steps, prompt,
):  # fmt: skip
    """Train the toy model on the text, then show which rows have changed and what comes next."""
    # %% Windows of rows [N, T]
    # The toy model needs few rows: row 0 is `<pad>`, which fills the last window; then comes one row for each token of
    # the text, and at last three rows for tokens that the text never uses. A target is the next token.
    torch.set_printoptions(linewidth=120, sci_mode=False)
    windows = training_text(token_ids, context_length, stride)
    if tokenizer == "words":
        names = dict(zip(token_ids, text.split(), strict=True))
    else:
        names = {token_id: encoding.decode([token_id]) for token_id in set(token_ids)}
    row_names = ["<pad>", *(names[token_id] for token_id in sorted(names)), *unused_tokens]
    print(row_names[:24])
    print(windows.inputs.shape, windows.inputs[:8], windows.targets[:8], sep="\n")
    # %% The toy model
    # Token embedding plus position embedding, then a linear layer to one logit for each row. Without attention the
    # model sees one token and its position only. The token embeddings start with a standard deviation of 0.02, as in
    # GPT-2, or 1, as in torch.nn.Embedding.
    training = Training(windows, TrainingConfig(**options))
    for weight_name, weight in training.model.named_parameters():
        print(weight_name, weight.shape)
    print(f"V = {windows.vocab_size}, ln V = {math.log(windows.vocab_size):.2f}: the loss of a uniform prediction")
    if train_steps:
        # %% Training
        # A step takes a batch of windows, computes its loss and the gradient of every weight, and updates the weights.
        # If the loss is infinite or NaN, training stops.
        for _ in range(train_steps):
            training.step()
        losses = np.array(training.losses)  # [steps]
        print(f"{len(losses)} steps; loss {losses[0]:,.4f} in the first, {losses[-1]:,.4f} in the last")
        if training.finite:
            print(f"loss over the whole text {training.text_loss():,.4f};", end=" ")
            print(f"a model that sees the current token alone cannot get below {windows.conditional_entropy:.4f}")
    # %% The token embedding table [V, D], before and after
    initial_table = training.initial_model.token.weight.detach()  # [V, D]
    trained_table = training.table  # [V, D]
    gradient = training.gradient  # of the last step, [V, D]
    print("row 1 before training", initial_table[1], sep="\n")
    print("its gradient in the last step", gradient[1], sep="\n")
    print("row 1 now", trained_table[1], sep="\n")
    if train_steps:
        # %% Which rows changed
        # A row that was not looked up has a gradient of exactly 0, unless the output layer is the same table.
        changes = row_changes(training)
        if training.finite:
            print(f"{(changes.gradient == 0).sum()} rows have a gradient of exactly 0,", end=" ")
            print(f"{(changes.distance == 0).sum()} are unchanged since the start")
            for row in windows.rows_to_show():
                print(f"row {row}, {row_names[row]!r}: gradient norm {changes.gradient[row]:.4f},", end=" ")
                print(f"distance from the start {changes.distance[row]:.4f}; {changes.reasons[row]}")
    if prompt:
        # %% Next-token predictions
        # The probability of each token to follow the prompt, before training and after, and its share in the text.
        if tokenizer == "words":
            prompt_ids = [vocabulary.get(word, 1) for word in prompt.split()]  # 1 is `<unk>`
        elif ranks:
            prompt_ids = gpt2_encoding(ranks).encode_ordinary(prompt)
        else:
            prompt_ids = encoding.encode_ordinary(prompt)
        last_row, last_position = windows.row(prompt_ids[-1]), min(len(prompt_ids), context_length) - 1
        if training.finite:
            before = next_token(training.initial_model, last_row, last_position)  # [V]
            after = next_token(training.model, last_row, last_position)  # [V]
            in_text = windows.followers(last_row)  # [V]
            for row in after.argsort(descending=True, stable=True)[:5].tolist():
                print(f"{row_names[row]!r}: before {before[row]:.4f},", end=" ")
                print(f"after {after[row]:.4f}, in the text {in_text[row]:.4f}")


STORIES = (tokenize, train)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if there is nothing to train on.

    >>> from components.lessons.training.choices import Choices
    >>> found = values(State(choices=Choices()), [464, 7850, 464, 3331, 318])
    >>> found["options"]["dim"], found["prompt"]
    (16, 'The river')
    """
    settings = state.settings
    try:
        windows = checked_text(token_ids, settings)
        config, _ = training_config(settings, windows.vocab_size, state.choices)
        name = settings.tokenizer
        tokens = Vocabulary.from_text(state.text) if name == "words" else get_tokenizer(name)
    except (ValueError, TokenizerUnavailable):
        return None
    prompt = shown_prompt(state.choices.prompt, windows, tokens)
    found = text_values(state) | {"context_length": settings.context_length, "stride": settings.stride}
    if found["ranks"]:
        found["ranks"] = dict(sorted((found["ranks"] | ranks_in(prompt)).items(), key=lambda item: item[1]))
    unused = [tokens.decode([token_id]) for token_id in windows.token_ids[-SPARE_ROWS:]]
    own = {"options": vars(config), "train_steps": state.choices.train_steps, "prompt": prompt}
    return found | own | {"unused_tokens": unused}


def shown_prompt(prompt: str, windows: TrainingText, tokens: Tokenizer) -> str:
    """Return the prompt, or the first two tokens of the text for an empty one; "" if the page shows an error for it."""
    prompt = prompt or tokens.decode([windows.token_ids[row] for row in windows.inputs[0, :2].tolist()])
    ids = tokens.encode(prompt)
    return prompt if ids and windows.row(ids[-1]) is not None else ""
