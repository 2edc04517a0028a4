"""The correct answers that are computed, each found in another way: by torch, by plain Python, or by training.

The functions read the numbers of a question from its text, as a learner does.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import regex
import torch
from tiktoken_ext.openai_public import r50k_pat_str
from torch import nn
from torch.nn import functional as F

from components.base.link import State
from components.base.settings import Settings
from components.lessons.training.setup import training_config
from components.lessons.word2vec.facts import LOWEST, MEASURED, OPPOSITES
from components.text.gpt2 import gpt2_ranks
from components.training.model import Training
from components.training.training_text import training_text
from components.vectors.load import load_vectors
from tests.embedding.test_positions import published_element
from tests.questions.asked_questions import asked
from tests.skipping import skip_or_fail
from tests.states import lesson_state, questions, token_ids
from tests.training.trainings import torch_layers, torch_steps

VECTORS = Path(__file__).parents[3] / "shared" / "data" / "word2vec-1000x300.bin"


def numbers_in(question: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", question)]


def list_in(question: str) -> list[int]:
    """Return the numbers of the first list in a question, such as [2, 4] or []."""
    return numbers_in(re.search(r"\[([\d, ]*)\]", question)[1].replace(", ", " "))


VISIBLE = str.maketrans({"␣": " ", "⏎": "\n", "⇥": "\t", "␍": "\r", "◌": ""})


def quoted(question: str) -> str:
    """Return the text that a question quotes, with its invisible characters instead of their names."""
    text = re.search("“(.*)”", question)[1].translate(VISIBLE)
    return re.sub(r"U\+([0-9A-F]{4,5})", lambda match: chr(int(match[1], 16)), text)


def byte_pairs(question: str) -> list[bytes]:
    """Return GPT-2's tokens of the quoted text as the paper defines them: merge the pair of the lowest rank."""
    ranks, tokens = gpt2_ranks(), []
    for piece in regex.findall(r50k_pat_str, quoted(question)):
        parts = [bytes([byte]) for byte in piece.encode()]
        while pairs := [(ranks[a + b], n) for n, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
            n = min(pairs)[1]
            parts[n : n + 2] = [parts[n] + parts[n + 1]]
        tokens += parts
    return tokens


def n_windows(question: str) -> int:
    n, T, stride = numbers_in(question)
    return len([start for start in range(0, n, stride) if start + T < n])


def n_left_over(question: str) -> int:
    n, T, stride = numbers_in(question)
    return n - 1 - max(start + T for start in range(0, n - T, stride))


def target_positions(state: State, question: str) -> str:
    n, stride, k, *_ = numbers_in(question)
    moved = [*range(n)][k * stride :][1 : 1 + state.settings.context_length]
    return f"positions {moved[0]:,} to {moved[-1]:,}" if len(moved) > 1 else f"position {moved[0]:,} alone"


def looked_up_shape(question: str) -> list[int]:
    V, D = numbers_in(question.split("V =")[1])
    ids = torch.zeros(list_in(question), dtype=torch.int64, device="meta")
    return [*nn.Embedding(V, D, device="meta")(ids).shape]


def moved_rows(state: State, question: str) -> str:
    """Return how many rows the first step of torch's own layers and optimizers moves, with a colon."""
    choices, settings = state.choices, state.settings
    if "And with weight decay" in question:
        decay = float(re.search(r"weight decay ([\d.]+)", question)[1])
        choices = replace(choices, optimizer="adamw", weight_decay=decay, learning_rate=0.03)
    text = training_text(token_ids(state), settings.context_length, settings.stride)
    config, _ = training_config(settings, text.vocab_size, choices)
    token = torch_layers(text.vocab_size, text.inputs.shape[1], config)[0]
    _, _, _, table = next(torch_steps(text, config))
    moved = int((table != token.weight).any(dim=1).sum())
    assert int(re.search(r"of the ([\d,]+) rows", question)[1].replace(",", "")) == text.vocab_size
    return f"{moved:,}: "


def trained_numbers(question: str) -> int:
    """Return how many numbers the layers of torch have that a question describes."""
    shapes = [[int(n.replace(",", "")) for n in found] for found in re.findall(r"\[([\d,]+), ([\d,]+)\]", question)]
    (V, D), *others = shapes
    layers = [nn.Embedding(V, D, device="meta")]
    if "learned positions" in question:
        layers.append(nn.Embedding(*others[0], device="meta"))
    if "without bias" in question:
        layers.append(nn.Linear(*others[-1], bias=False, device="meta"))
    return sum(weight.numel() for weight in nn.ModuleList(layers).parameters())


def updated_rows(state: State, question: str) -> str:
    """Train until a row that was looked up before is not in the batch, and see whether it and a spare row change."""
    text = training_text([5, 6, 7, 8, 9, 5, 6, 7], context_length=1, stride=1)
    settings = Settings(context_length=1, stride=1, batch_size=1, dim=4, position=state.settings.position)
    choices = replace(state.choices, learning_rate=0.1, weight_decay=0.1 if state.choices.weight_decay else 0.0)
    training = Training(text, training_config(settings, text.vocab_size, choices)[0])
    training.step()
    earlier: set[int] = set()
    while not (seen := sorted(earlier - {0, *training.batch.flatten().tolist()})):
        earlier.update(training.batch.flatten().tolist())
        training.step()
    changed = training.table.ne(training.previous_table).any(dim=1)
    return {(0, 0): "neither", (1, 0): "the first alone", (1, 1): "both"}[int(changed[seen].all()), int(changed[-1])]


def sinusoidal(positions: Iterable[int], D: int, layout: str) -> torch.Tensor:
    columns = range(D) if layout == "interleaved" else [*range(0, D, 2), *range(1, D, 2)]
    rows = [[published_element(position, column, D) for column in columns] for position in positions]
    return torch.tensor(rows, dtype=torch.float64)


def after_shuffle(question: str) -> str:
    first, second, T = numbers_in(question)
    token = torch.randn(T, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    position = 0 * token if "embeddings are off" in question else sinusoidal(range(T), 3, "interleaved")
    order = [*range(T)]
    order[first], order[second] = second, first
    before, after = ({tuple(row) for row in (rows + position).tolist()} for rows in (token, token[order]))
    return {0: "the same vectors, in another", 2: "two new vectors; all others"}[len(after - before)]


def column_of_cosine(question: str) -> int:
    row = sinusoidal(range(2), numbers_in(question)[0], re.search(r"layout (\w+)", question)[1])[1].tolist()
    return row.index(math.cos(1))


def element(state: State, question: str) -> str:
    settings = state.settings
    random = torch.Generator().manual_seed(settings.seed)
    W = torch.randn(settings.vocab_size, settings.dim, generator=random)
    P = torch.randn(settings.context_length, settings.dim, generator=random)
    if settings.position == "sinusoidal":
        P = sinusoidal(range(settings.context_length), settings.dim, settings.layout)
    (i, d), (t, _) = (numbers_in(index.replace(", ", " ")) for index in re.findall(r"[WP]\[(.*?)\]", question))
    return f"{W[i, d] * (math.sqrt(settings.dim) if settings.scale else 1.0) + P[t, d]:.4f}"


@cache
def ratio_or_cosine(question: str) -> float:
    """Return the ratio of the norms, or the cosine, of random tables with the sizes of a question."""
    D, random = numbers_in(question.split("D =")[1])[0], torch.Generator().manual_seed(5)
    sigma = float(found[1]) if (found := re.search(r"times ([\d.e-]+),", question)) else 1.0
    found = re.search(r"learned, from N\(0, 1\) times ([\d.e-]+)\.", question)
    of_positions = float(found[1]) if found else sigma
    token, position = (torch.randn(1_000, D, generator=random) * each for each in (sigma, of_positions))
    if "are learned" not in question:
        position = sinusoidal(range(0, 311_000, 311), D, "halves").float()
    if "cosine similarity" in question:
        return float(torch.cosine_similarity(token, token + position).mean())
    return float(math.sqrt(D) * token.norm() / position.norm())


def n_out_of_range(question: str) -> int:
    table = nn.Embedding(numbers_in(question)[0], 1)
    count = 0
    for token_id in map(int, question.split(": ")[1].rstrip("?").split(", ")):
        try:
            table(torch.tensor(token_id))
        except IndexError:
            count += 1
    return count


@cache
def first_row(question: str) -> str:
    seed, D, V, more = numbers_in(question)[:4]
    rows = [torch.randn(n, D, generator=torch.Generator().manual_seed(seed))[0] for n in (V, more)]
    return "row 0 stays exactly the same" if torch.equal(*rows) else "numbers of row 0 change"


def equal_rows(question: str) -> str:
    first, second = map(int, re.findall(r"at position (\d+)", question))
    token, position = (
        torch.randn(3, generator=torch.Generator().manual_seed(1)),
        sinusoidal(range(max(first, second) + 1), 3, "halves"),
    )
    return "both" if torch.equal(token + position[first], token + position[second]) else "its token embeddings"


def model_input(question: str) -> int:
    B, T, V, D = numbers_in(question)
    return nn.Embedding(V, D, device="meta")(torch.zeros(B, T, dtype=torch.int64, device="meta")).numel()


def changed_by_exchange(question: str) -> str:
    """Return the positions at which the output of torch's attention changes if two tokens are exchanged."""
    n, first, second = numbers_in(question)[:3]
    x, order = torch.randn(n, 8, generator=torch.Generator().manual_seed(2)), list(range(n))
    order[first], order[second] = second, first
    before, after = (F.scaled_dot_product_attention(*[rows] * 3, is_causal=True) for rows in (x, x[order]))
    changed = (before - after).abs().amax(dim=1) > 1e-5
    return f"{' and '.join(map(str, changed.nonzero().flatten().tolist()))} only"


def weight_of_padding(question: str) -> str:
    x = torch.randn(numbers_in(question.split("reads")[1])[0], 8, generator=torch.Generator().manual_seed(3))
    table = nn.Embedding(len(x), 8, padding_idx=0)
    weights = (x @ torch.cat([table.weight[:1].detach(), x[1:]]).T).softmax(dim=1)[:, 0]
    return "more than 0" if (weights > 0).all() else "exactly 0"


REFERENCES: dict[str, dict[str, Callable[[State, str], object]]] = {  # of the state and the text of a question
    "home": {"same_id": lambda s, q: equal_rows(q), "numbers": lambda s, q: model_input(q)},
    "tokens": {
        "count": lambda s, q: len(byte_pairs(q)),
        "only_an_id": lambda s, q: f"the ID {gpt2_ranks()[quoted(q).encode()]:,}, which",
        "incomplete": lambda s, q: sum("\ufffd" not in token.decode("utf-8", "replace") for token in byte_pairs(q)),
        "special": lambda s, q: len(byte_pairs(q)),
        "vocabulary": lambda s, q: len({*s.text.split()}) + 4,
    },
    "windows": {"count": lambda s, q: n_windows(q), "tail": lambda s, q: n_left_over(q), "targets": target_positions},
    "lookup": {
        "shape": lambda s, q: looked_up_shape(q),
        "memory": lambda s, q: nn.Embedding(*numbers_in(q)[1:3], device="meta").weight.nbytes,
    },
    "one_hot": {
        "multiplications": lambda s, q: f"{math.prod(numbers_in(q)):,} and 0",
        "linear": lambda s, q: [*nn.Linear(*numbers_in(q.replace(", ", " "))[:2], device="meta").weight.shape],
        "gradient": lambda s, q: int((F.one_hot(torch.tensor(list_in(q))).sum(dim=0) > 0).sum()),
        "columns": lambda s, q: F.one_hot(torch.tensor(list_in(q))).shape[1],
    },
    "positions": {
        "shuffle": lambda s, q: after_shuffle(q),
        "norm": lambda s, q: f"{sinusoidal(range(3), numbers_in(q)[0], 'halves').norm(dim=1)[2]:.4f}",
        "layout": lambda s, q: column_of_cosine(q),
    },
    "combine": {
        "element": element,
        "ratio": lambda s, q: ratio_or_cosine(q),
        "cosine": lambda s, q: ratio_or_cosine(q),
    },
    "attention": {
        "mask": lambda s, q: changed_by_exchange(q),
        "pairing": lambda s, q: numbers_in(q.split("d = ")[1])[0] // 2,
        "padding": lambda s, q: weight_of_padding(q),
    },
    "errors": {"no_row": lambda s, q: n_out_of_range(q)},
    "training": {
        "updates": updated_rows,
        "moves": moved_rows,
        "decay": moved_rows,
        "parameters": lambda s, q: trained_numbers(q),
    },
    "reproduce": {"first_row": lambda s, q: first_row(q)},
}


@pytest.mark.parametrize(("page", "name"), [(page, name) for page, found in REFERENCES.items() for name in found])
def test_answer_is_that_of_the_reference(page, name):
    found = [(question, state) for where, question, state in asked() if (where, question.name) == (page, name)]
    assert len(found) >= 10
    for question, state in found:
        expected, answer = REFERENCES[page][name](state, question.prompt), question.answer
        if isinstance(expected, float):
            assert float(answer.replace(",", "")) == pytest.approx(expected, rel=0.05, abs=0.02), question
        elif isinstance(expected, int):
            assert int(answer.replace(",", "")) == expected, question
        else:
            assert answer.startswith(str(expected)), question


def test_rotary_answer_alone_has_the_same_score_by_complex_numbers():
    q, k = torch.randn(2, 4, dtype=torch.complex128, generator=torch.Generator().manual_seed(4))
    rates = 10_000.0 ** -(torch.arange(4) / 4)

    def score(of_query: int, of_key: int) -> float:
        one, other = (torch.polar(torch.ones_like(rates), rates * t) for t in (of_query, of_key))
        return float((q * one * (k * other).conj()).sum().real)

    found = [question for page, question, _ in asked() if (page, question.name) == ("attention", "rotary")]
    assert len({question.prompt for question in found}) >= 4
    for question in found:
        own = score(*numbers_in(question.prompt)[:2])
        options = [option.text for option in question.options if len(numbers_in(option.text)) == 2]
        assert [text for text in options if abs(score(*numbers_in(text)) - own) < 1e-4] == [question.answer], question


def test_measured_facts_on_word2vec_are_those_of_the_published_vectors():
    if not VECTORS.exists():
        skip_or_fail(f"{VECTORS} is missing: it is not part of this project")
    vectors = load_vectors(VECTORS)
    words, unit = vectors.index_to_key, vectors.get_normed_vectors()
    cosines = unit @ unit.T
    for analogy, *measured in MEASURED:
        a, b, c = (unit[words.index(word)] for word in (analogy.a, analogy.b, analogy.c))
        scores = unit @ (a - b + c) / np.linalg.norm(a - b + c)
        first, second = nearest = scores.argsort()[::-1][:2]
        assert measured == [value for n in nearest for value in (words[n], round(float(scores[n]), 3))]
        assert analogy.answer in (words[first], words[second])
        state = lesson_state("word2vec", vectors="upload", word_a=analogy.a, word_b=analogy.b, word_c=analogy.c)
        question = questions("word2vec", state, [])[0]
        assert f"{analogy.a} − {analogy.b} + {analogy.c}" in question.prompt
        assert question.answer == words[first]
    for (one, other), cosine in OPPOSITES.items():
        assert round(float(cosines[words.index(one), words.index(other)]), 2) == cosine
    assert round(float(cosines.min()), 2) == LOWEST[2]
    assert {words[n] for n in np.unravel_index(cosines.argmin(), cosines.shape)} == {*LOWEST[:2]}
