"""The correct answer to every question, found in another way: by torch, by plain Python, or by training.

Each function gets the state of the lesson and the text of the question, and returns the text of the correct option or,
for an answer in words, its beginning.
"""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import regex
import torch
from tiktoken_ext.openai_public import r50k_pat_str
from torch import nn
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from components.base.link import State
from components.base.settings import Settings
from components.embedding.projection import project
from components.embedding.walkthrough import init_tables, walk
from components.lessons.training.setup import training_config
from components.text.gpt2 import gpt2_ranks
from components.text.tokenizers import get_tokenizer
from components.training.model import Training
from components.training.training_text import training_text
from components.vectors.word2vec import train_word2vec
from tests.states import token_ids

RANKS = gpt2_ranks()


def numbers_in(question: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d|\d", question)]


def byte_pairs(text: str) -> list[bytes]:
    """Return GPT-2's tokens as the paper defines them: merge the pair of the lowest rank until there is none."""
    ranks, tokens = RANKS, []
    for piece in regex.findall(r50k_pat_str, text):
        parts = [bytes([byte]) for byte in piece.encode()]
        while pairs := [(ranks[a + b], n) for n, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
            n = min(pairs)[1]
            parts[n : n + 2] = [parts[n] + parts[n + 1]]
        tokens += parts
    return tokens


def quoted(question: str) -> str:
    return re.search("“(.*)”", question)[1].replace("␣", " ")


def decodes(token: bytes) -> bool:
    return "\ufffd" not in token.decode("utf-8", "replace")


def of_incomplete(state: State, question: str) -> str:
    alone = [decodes(token) for token in byte_pairs(quoted(question))]
    assert not all(alone)
    return str(sum(alone))


def of_special(state: State, question: str) -> str:
    with pytest.raises(ValueError, match="disallowed special token"):  # as the explanation says of tiktoken's default
        get_tokenizer("gpt2").encoding.encode(quoted(question))
    return str(len(byte_pairs(quoted(question))))


def of_words(state: State) -> str:
    return f"{len({*state.text.split()}) + 4:,}"


def of_count(state: State, question: str) -> str:
    n, T, stride = numbers_in(question)
    starts = [start for start in range(0, n, stride) if start + T + 1 <= n]
    return f"{len(starts):,}"


def of_tail(state: State, question: str) -> str:
    n, T, stride = numbers_in(question)
    used = {0}
    for start in range(0, n - T, stride):
        used = {*range(start, start + T + 1)}
    return f"{n - 1 - max(used):,}"


def of_stride(state: State, question: str) -> str:
    T = state.settings.context_length
    windows = [[*range(start, start + T + 1)] for start in (0, T)]
    uses = [(T in window[:-1], T in window[1:]) for window in windows]
    assert uses == [(False, True), (True, False)]
    return "a target of the first window, and an input of the second"


def of_targets(state: State, question: str) -> str:
    n, stride, k, *_ = (number for number in numbers_in(question))
    text = [*range(n)]
    moved = text[k * stride :][1 : 1 + state.settings.context_length]
    assert len(moved) == state.settings.context_length
    return f"positions {moved[0]:,} to {moved[-1]:,}" if len(moved) > 1 else f"position {moved[0]:,} alone"


def table_on_no_device(V: int, D: int) -> nn.Embedding:
    return nn.Embedding(V, D, device="meta")


def of_shape(state: State, question: str) -> str:
    shape = [int(size) for size in re.search(r"\[([\d, ]*)\]", question)[1].replace(",", " ").split()]
    V, D = numbers_in(question.split("V =")[1])
    return str([*table_on_no_device(V, D)(torch.zeros(shape, dtype=torch.int64, device="meta")).shape])


def of_rows(state: State, question: str) -> str:
    V, D, n = numbers_in(question)
    table = table_on_no_device(V, D)
    table(torch.zeros(n, dtype=torch.int64, device="meta"))
    return f"{len(table.weight):,}"


def of_same_row(state: State, question: str) -> str:
    token_id = numbers_in(re.search(r"ID ([\d,]+)", question)[1])[0]
    first, second = numbers_in(re.search(r"at positions (.*) of your", question)[1])
    ids = token_ids(state)
    if not question.startswith("Suppose") and not state.settings.typed:
        assert ids[first] == ids[second] == token_id
        assert first < second
    rows = nn.Embedding(token_id + 1, 2)(torch.tensor([token_id, 0, token_id]))
    assert torch.equal(rows[0], rows[2])
    return f"row {token_id:,} at both positions"


def of_bytes(state: State, question: str) -> str:
    _, V, D, _ = numbers_in(question)
    return f"{table_on_no_device(V, D).weight.nbytes:,}"


def of_multiplications(state: State, question: str) -> str:
    N, V, D = numbers_in(question)
    table, ids = table_on_no_device(V, D), torch.zeros(N, dtype=torch.int64, device="meta")
    with FlopCounterMode(display=False) as lookup:
        table(ids)
    with FlopCounterMode(display=False) as product:
        torch.zeros(N, V, device="meta") @ table.weight
    assert product.get_total_flops() == 2 * N * V * D
    return str(lookup.get_total_flops())


def of_linear(state: State, question: str) -> str:
    V, D, *_ = numbers_in(question.replace(", ", " "))
    return str([*nn.Linear(V, D, bias=False, device="meta").weight.shape])


def ids_in(question: str) -> torch.Tensor:
    return torch.tensor([int(number) for number in re.search(r"\[(.*?)\]", question)[1].split(", ")])


def of_gradient_rows(state: State, question: str) -> str:
    V, ids = numbers_in(question)[0], ids_in(question)
    table = torch.zeros(V, 1, requires_grad=True)
    (F.one_hot(ids, num_classes=V).float() @ table).sum().backward()
    assert int(table.grad.ne(0).sum()) == len({*ids.tolist()})
    return f"{int(table.grad.ne(0).sum()):,}"


def of_columns(state: State, question: str) -> str:
    return f"{F.one_hot(ids_in(question)).shape[1]:,}"


def waves(length: int, D: int, layout: str) -> torch.Tensor:
    """Return the sinusoidal table number by number, as its paper writes it."""
    rows = []
    for place in range(length):
        angles = [place / 10_000 ** (2 * i / D) for i in range((D + 1) // 2)]
        sines, cosines = [math.sin(a) for a in angles], [math.cos(a) for a in angles][: D // 2]
        mixed = [number for pair in zip(sines, [*cosines, 0.0], strict=False) for number in pair][:D]
        rows.append(mixed if layout == "interleaved" else sines + cosines)
    return torch.tensor(rows, dtype=torch.float64)


def of_shuffle(state: State, question: str) -> str:
    first, second, T = numbers_in(question)
    token = torch.randn(T, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    position = {
        "none": torch.zeros(T, 3),
        "learned": torch.randn(T, 3, generator=torch.Generator().manual_seed(2), dtype=torch.float64),
        "sinusoidal": waves(T, 3, "interleaved"),
    }[re.search("embeddings are (off|learned|sinusoidal)", question)[1].replace("off", "none")]
    order = [*range(T)]
    order[first], order[second] = second, first
    before, after = ({tuple(row) for row in (rows + position).tolist()} for rows in (token, token[order]))
    return {0: "the same vectors, in another order", 2: "two new vectors"}[len(after - before)]


def of_length(state: State, question: str) -> str:
    lengths = waves(3, numbers_in(question)[0], "halves").norm(dim=1)
    assert lengths.max() - lengths.min() < 1e-9
    return f"{lengths[2]:.4f}"


def of_past_the_end(state: State, question: str) -> str:
    T = numbers_in(question)[0]
    with pytest.raises(IndexError):
        nn.Embedding(T, 2)(torch.tensor(T))
    assert torch.isfinite(waves(T + 1, 2, "halves")[T]).all()
    return "learned: there is none, torch raises an error; sinusoidal: its formula gives it"


def of_layout(state: State, question: str) -> str:
    layout = re.search(r"layout (\w+)", question)[1]
    row = waves(2, numbers_in(question)[0], layout)[1].tolist()
    return f"{row.index(math.cos(1)):,}"


def of_sum_shape(state: State, question: str) -> str:
    token, position = ([int(n) for n in sizes.split(", ")] for sizes in re.findall(r"\[(.*?)\]", question))
    return str([*(torch.zeros(token, device="meta") + torch.zeros(position, device="meta")).shape])


def of_cell(state: State, question: str) -> str:
    settings = state.settings
    draw = torch.Generator().manual_seed(settings.seed)
    W = torch.randn(settings.vocab_size, settings.dim, generator=draw)
    P = torch.randn(settings.context_length, settings.dim, generator=draw)
    if settings.position == "sinusoidal":
        P = waves(settings.context_length, settings.dim, settings.layout)
    (i, d), (t, same) = ((int(n) for n in cell.split(", ")) for cell in re.findall(r"[WP]\[(.*?)\]", question))
    assert d == same
    out = W[i, d] * (math.sqrt(settings.dim) if settings.scale else 1.0) + P[t, d]
    return f"{out:.4f}"


def of_scale(state: State, question: str) -> str:
    steps = walk(torch.tensor([[1, 0]]), Settings(vocab_size=2, dim=9, scale=True))
    token, position = steps["token"], steps["position"]
    assert torch.allclose(steps["combined"], token * 3 + position)
    return "it multiplied the token embeddings by it, before positions were added"


def rows_drawn(question: str, sigma: float, D: int) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(5)
    token = torch.randn(1_000, D, generator=draw) * sigma
    learned = torch.randn(1_000, D, generator=draw) * sigma
    return token, learned if "positions are learned" in question else waves(64, D, "halves").float().repeat(16, 1)[
        :1_000
    ]


def of_ratio(state: State, question: str) -> float:
    sigma, D = float(re.search(r"times ([\d.]+),", question)[1]), numbers_in(question.split("D =")[1])[0]
    token, position = rows_drawn(question, sigma, D)
    return float(math.sqrt(D) * token.norm() / position.norm())


def of_cosine(state: State, question: str) -> float:
    D = numbers_in(question.split("D =")[1])[0]
    token, position = rows_drawn(question, 1.0, D)
    return float(torch.cosine_similarity(token, token + position).mean())


def raises(V: int, token_id: int) -> str:
    try:
        nn.Embedding(V, 1)(torch.tensor(token_id))
    except Exception as error:  # whatever torch raises is the answer
        return type(error).__name__
    return ""


def of_id_equals_v(state: State, question: str) -> str:
    return f"{raises(*numbers_in(question))} is raised"


def of_no_row(state: State, question: str) -> str:
    V = numbers_in(question)[0]
    ids = [int(number) for number in question.split(": ")[1].rstrip("?").split(", ")]
    assert {V, V - 1} <= {*ids}
    return str(sum(bool(raises(V, i)) for i in ids))


def of_which_table(state: State, question: str) -> str:
    T, length, *_ = numbers_in(question)
    nn.Embedding(6, 1)(torch.arange(length) % 6)
    with pytest.raises(IndexError) as raised:
        nn.Embedding(T, 1)(torch.arange(length))
    assert f"torch raises IndexError: {raised.value}." in question
    return "the position embedding table"


def of_silent(state: State, question: str) -> str:
    T, D = numbers_in(question.split("Position embeddings")[1].replace(", ", " "))[:2]
    token, position = torch.randn(T, T, D), torch.randn(T, D)
    out = token + position.unsqueeze(1)
    assert out.shape == token.shape
    assert all(torch.equal(out[b], token[b] + position[b]) for b in range(T))
    return "no error, the right shape, and the wrong positions"


def of_moves(state: State, question: str) -> str:
    """Train until a row that was looked up before is not in the batch, and see whether it and a spare row move."""
    text = training_text([5, 6, 7, 8, 9, 5, 6, 7], context_length=1, stride=1)
    usual = Settings(context_length=1, stride=1, batch_size=1, dim=4, position=state.settings.position)
    choices = replace(state.choices, learning_rate=0.1, weight_decay=0.1 if state.choices.weight_decay else 0.0)
    training = Training(text, training_config(usual, text.vocab_size, **choices.training_options)[0])
    training.step()
    earlier: set[int] = set()
    while True:
        earlier.update(training.batch.flatten().tolist())
        training.step()
        seen = torch.zeros(text.vocab_size, dtype=torch.bool)
        seen[[*earlier]] = True
        seen[training.batch.flatten()] = False
        seen[0] = False  # the padding
        if seen.any():
            break
    moved = training.table.ne(training.previous_table).any(dim=1)
    return {(0, 0): "neither", (1, 0): "the first alone", (1, 1): "both"}[int(moved[seen].all()), int(moved[-1])]


def of_training_gradient(state: State, question: str) -> str:
    V, names = int(re.search(r"V = (\d+)", question)[1]), question.split("the tokens ")[1].split(" (")[0]
    ids = re.findall(r"“(.*?)”(?:, |$)", names) or names.split(", ")
    length = len(ids)
    assert f"({len(set(ids))} different)" in question
    rows = {token_id: row for row, token_id in enumerate(dict.fromkeys(ids), start=1)}
    table = torch.randn(V, 4, requires_grad=True)
    output = table if "the same table" in question else torch.randn(V, 4)
    vectors = table[torch.tensor([rows[i] for i in ids])]
    F.cross_entropy(vectors @ output.T, torch.full((length,), V - 1)).backward()
    n_tokens = len(token_ids(state))
    if n_tokens > state.settings.context_length and len({*token_ids(state)}) > 1:
        text = training_text(token_ids(state), state.settings.context_length, state.settings.stride)
        assert text.vocab_size == V
    return str(int(table.grad.ne(0).any(dim=1).sum()))


def of_padding(state: State, question: str) -> str:
    table = nn.Embedding(3, 2, padding_idx=0)
    assert not table.weight[0].any()
    logits = table(torch.tensor([0, 1])) @ torch.randn(2, 3)
    every = F.cross_entropy(logits, torch.tensor([0, 2]), reduction="none")
    F.cross_entropy(logits, torch.tensor([0, 2])).backward()
    assert every[0] > 0  # the padding counts in the loss
    assert not table.weight.grad[0].any()
    assert table.weight.grad[1].any()
    text = training_text([5, 6, 7, 8, 9], context_length=3, stride=3)
    choices = replace(state.choices, learning_rate=0.1, padding_idx=True)
    training = Training(text, training_config(Settings(dim=4), text.vocab_size, **choices.training_options)[0])
    training.step()
    assert bool(training.table[0].any()) == choices.tied  # the explanation: else it stays zeros
    return "it stops the lookup from sending a gradient to row 0"


def of_map(state: State, question: str) -> str:
    D = numbers_in(question.split("D = ")[1])[0]
    rows = np.zeros((6, D))
    rows[:4, :2] = [[9, 0], [-9, 0], [0, 5], [0, -5]]
    rows[4:, 2] = [1, -1]  # two rows that differ in the third direction alone
    flat = project(rows).points
    apart, drawn = (np.linalg.norm(x[:, None] - x[None], axis=2) for x in (rows, flat))
    assert apart[4, 5] == 2
    assert drawn[4, 5] < 1e-9
    assert (drawn <= apart + 1e-9).all()
    return f"not much: they may be far apart in the other {f'{D - 2} directions' if D > 3 else 'direction'}"


def of_letters(state: State, question: str) -> str:
    trained = train_word2vec([["king", "rules"]] * 9, dim=2, epochs=1)
    with pytest.raises(KeyError):
        trained.vectors["kings"]
    assert not hasattr(trained.vectors, "buckets_word")  # of fastText's pieces
    return "none: looking it up raises KeyError"


def of_needed(state: State, question: str) -> str:
    V, D, T, D_again = (int(n) for pair in re.findall(r"\[(\d+), (\d+)\]", question) for n in pair)
    assert D_again == D
    if V * D > 100_000:
        return "the seed"
    with torch.random.fork_rng():
        torch.manual_seed(state.settings.seed)
        token, position = nn.Embedding(V, D), nn.Embedding(T, D)
        torch.manual_seed(state.settings.seed)
        second, first = nn.Embedding(T, D), nn.Embedding(V, D)
    tables = init_tables(replace(state.settings, position="learned"))
    assert torch.equal(tables.token.weight, token.weight)
    assert torch.equal(tables.position, position.weight)
    assert not torch.equal(first.weight, token.weight) or not torch.equal(second.weight, position.weight)
    return f"the seed {state.settings.seed}, both sizes, and that W is sampled before P"


def of_drawn_before(state: State, question: str) -> str:
    V, D = (int(n) for n in re.search(r"token embedding table \[(\d+), (\d+)\]", question).groups())
    return f"{table_on_no_device(V, D).weight.numel():,}"


def of_first_row(state: State, question: str) -> str:
    seed, D, V, more = numbers_in(question)[:4]
    rows = [torch.randn(n, D, generator=torch.Generator().manual_seed(seed))[0] for n in (V, more)]
    return "row 0 stays exactly the same" if torch.equal(*rows) else "numbers of row 0 change"


FOUND: dict[tuple[str, str], Callable[[State, str], str | float]] = {
    ("tokens", "word"): lambda state, question: str(len(byte_pairs(quoted(question)))),
    ("tokens", "incomplete"): of_incomplete,
    ("tokens", "special"): of_special,
    ("tokens", "vocabulary"): lambda state, question: of_words(state),
    ("windows", "count"): of_count,
    ("windows", "tail"): of_tail,
    ("windows", "stride_T"): of_stride,
    ("windows", "targets"): of_targets,
    ("lookup", "shape"): of_shape,
    ("lookup", "rows"): of_rows,
    ("lookup", "same_row"): of_same_row,
    ("lookup", "memory"): of_bytes,
    ("one_hot", "multiplications"): of_multiplications,
    ("one_hot", "linear"): of_linear,
    ("one_hot", "gradient"): of_gradient_rows,
    ("one_hot", "columns"): of_columns,
    ("positions", "shuffle"): of_shuffle,
    ("positions", "norm"): of_length,
    ("positions", "past_T"): of_past_the_end,
    ("positions", "layout"): of_layout,
    ("combine", "shape"): of_sum_shape,
    ("combine", "element"): of_cell,
    ("combine", "ratio"): of_ratio,
    ("combine", "scale"): of_scale,
    ("combine", "cosine"): of_cosine,
    ("errors", "id_equals_v"): of_id_equals_v,
    ("errors", "no_row"): of_no_row,
    ("errors", "which_table"): of_which_table,
    ("errors", "silent"): of_silent,
    ("training", "updates"): of_moves,
    ("training", "gradient"): of_training_gradient,
    ("training", "padding"): of_padding,
    ("training", "projection"): of_map,
    ("word2vec", "spelling"): of_letters,
    ("reproduce", "needed"): of_needed,
    ("reproduce", "sampled_before"): of_drawn_before,
    ("reproduce", "first_row"): of_first_row,
}
