"""What the references of all lessons use: the learner's tokens, IDs and batch in plain Python, and tables by torch."""

from contextlib import suppress
from functools import cache, cached_property
from itertools import chain

import torch

from components.base.learner_text import visible
from components.text.gpt2 import gpt2_ranks
from components.text.token_ids import parse_ids
from components.text.windows import make_batch
from tests.app_driver import torch_tables
from tests.embedding.test_embedding import published_element

GPT2 = [*gpt2_ranks()]  # the bytes of each token
tables = cache(torch_tables)


def counted(n, noun):
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def sinusoidal(positions, D, layout="interleaved"):
    columns = range(D) if layout == "interleaved" else [*range(0, D, 2), *range(1, D, 2)]
    rows = [[published_element(position, column, D) for column in columns] for position in positions]
    return torch.tensor(rows, dtype=torch.float64)


def empty(*shape):
    return torch.empty(shape, device="meta")


class Learner:
    """A state with the IDs of its text; its attributes are facts of every question."""

    def __init__(self, state, ids):
        self.settings, self.choices, self.text, self.ids = state.settings, state.choices, state.text, ids
        self.own, self.batch = [], []
        self.V, self.D, self.T = state.settings.vocab_size, state.settings.dim, state.settings.context_length
        self.seed, self.stride, self.position = state.settings.seed, state.settings.stride, state.settings.position
        self.typed = state.settings.ids.strip() != ""
        with suppress(ValueError):
            self.own = [*chain(*parse_ids(state.settings.ids))] if self.typed else ids[:512]
            self.batch = make_batch(ids, state.settings).tolist()
        self.B, self.n_positions = state.settings.batch_size, self.T  # of the batch that would be
        if self.batch:
            self.B, self.n_positions = len(self.batch), len(self.batch[0])

    @cached_property
    def names(self):
        """The tokens of the text, as pages show them."""
        words = map(str.encode, self.text.split())
        return [*map(visible, words if self.settings.tokenizer == "words" else map(GPT2.__getitem__, self.ids))]

    def name(self, n):
        """Return token n of the text in quotation marks, with its ID."""
        name = self.names[n]
        return f"“{name if len(name) <= 20 else f'{name[:20]}…'}” (ID {self.ids[n]})"

    def position_rows(self, T):
        """Return the position embeddings [T, D], zeros without positions."""
        _, learned = tables(self.V, self.D, self.seed, T)
        kinds = {"none": 0 * learned, "learned": learned}
        return kinds.get(self.position, sinusoidal(range(T), self.D, self.settings.layout).float())

    def require_sample(self, sample, most):
        """Fail unless these are consecutive IDs of the learner that are in range, or any in range if there are none."""
        known = [each for each in self.own if 0 <= each < self.V]
        assert all(0 <= each < self.V for each in sample)
        assert len(sample) == min(most, len(known) or most)
        assert not known or sample in [known[start : start + len(sample)] for start in range(len(known))]
