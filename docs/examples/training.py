# %% [markdown]
# # Training
# Untied, only the rows of the batch get a gradient; momentum and weight decay move other rows as
# well.
#
# From Embedding Lab, with your values; open it there to change them:
# <http://localhost:8501/training>
#
# It needs these libraries: `pip install jaxtyping numpy tiktoken torch`

# %% Your values
text = 'She left the bank for the riverbank.'
context_length = 4  # T
stride = 4
unused_tokens = ['"', '#', '$']
train_steps = 200
prompt = 'She left'
options = {
    'dim': 16, 'seed': 123, 'batch_size': 1, 'position': 'sinusoidal', 'layout': 'interleaved',
    'optimizer': 'sgd', 'learning_rate': 0.3, 'weight_decay': 0.0, 'tied': False,
    'padding_idx': True, 'token_std': 0.02,
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
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import tiktoken
import torch
from jaxtyping import Float, Int
from tiktoken_ext.openai_public import r50k_pat_str
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.adam import adam
from torch.optim.sgd import sgd


PAD = 0  # the row of <pad>, which fills the last window
MAX_TRAINING_TOKENS = 10_000  # tokens of a text in the toy model
SPARE_ROWS = 3  # tokens that the text never uses, as examples of the rest of the vocabulary
Ids = Sequence[int] | np.ndarray
BASE = 10_000.0  # wavelengths from 2π to BASE · 2π positions
Update = Callable[[Sequence[Tensor]], None]
MOMENTUM = 0.9
BETAS = (0.9, 0.999)
EPS = 1e-8
MAX_LOGITS = 2**21  # B x T x V of one step: 8.4 MB, in memory about four times
LOOKED_UP = "in the batch"
OUTPUT = "gradient only through the output layer"
OPTIMIZER_STATE = "no gradient, but changed"
MASKED = "in the batch, gradient set to zero by padding_idx"
UNCHANGED = "no gradient, unchanged in the last step"


def gpt2_encoding(ranks: dict[bytes, int]) -> tiktoken.Encoding:
    """Return GPT-2's byte-pair encoding with all its tokens, or with those that a text can contain."""
    special_tokens = {"<|endoftext|>": 50_256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)


@dataclass(frozen=True)
class TrainingText:
    """Windows of rows [N, T], and the token of each row: `token_ids` has -1 for <pad>."""

    inputs: Int[Tensor, "N T"]
    targets: Int[Tensor, "N T"]
    token_ids: tuple[int, ...]
    counts: tuple[int, ...]  # how often each row occurs in the text
    pairs: dict[tuple[int, int], int]  # how often each pair of input and target occurs in all windows
    rows: Int[np.ndarray, " tokens"]  # the text itself

    @property
    def n_tokens(self) -> int:
        """The number of tokens of the text that are used."""
        return len(self.rows)

    @property
    def n_positions(self) -> int:
        """The number of positions in all windows, those of <pad> included."""
        return self.inputs.numel()

    @property
    def vocab_size(self) -> int:
        """V of the toy model: <pad>, the tokens of the text, the spare tokens."""
        return len(self.token_ids)

    def row(self, token_id: int) -> int | None:
        """Return the row of a token, or None if the model does not have the token."""
        return self.token_ids.index(token_id) if token_id in self.token_ids else None

    def frequent_rows(self, most: int) -> list[int]:
        """Return at most `most` rows that the text uses, the most frequent ones, in the order of the table."""
        by_count = sorted(range(len(self.counts)), key=lambda row: (-self.counts[row], row))
        return sorted(row for row in by_count[:most] if self.counts[row])

    def rows_to_show(self, most: int = 24) -> list[int]:
        """Return at most `most` rows: <pad>, the most frequent ones, and those that the text never uses."""
        spare = [row for row in range(1, self.vocab_size) if not self.counts[row]]
        return [PAD, *self.frequent_rows(most - 1 - len(spare)), *spare]

    def followers(self, row: int) -> Float[np.ndarray, " V"]:
        """Return the share of each row among the tokens that follow `row` in the text [V]; all 0 if nothing does."""
        counts = np.bincount(self.rows[1:][self.rows[:-1] == row], minlength=self.vocab_size)
        return counts / max(1, counts.sum())

    @cached_property
    def conditional_entropy(self) -> float:
        """The lower bound of the mean loss of a model that sees the current token alone, in nats.

        It is the conditional entropy of the target given the input: Shannon (1948), section 6.
        """
        counts = np.array([*self.pairs.values()], dtype=float)
        input_counts = np.zeros(self.vocab_size)
        inputs = [row for row, _ in self.pairs]
        np.add.at(input_counts, inputs, counts)
        return float((counts * np.log(input_counts[inputs] / counts)).sum() / counts.sum())


def window_count(n_tokens: int, max_length: int, stride: int) -> int:
    """Return N = floor((tokens - T - 1) / stride) + 1, or 0 if there are fewer than T + 1 tokens."""
    return max(0, (n_tokens - max_length - 1) // stride + 1)


def training_windows(n_tokens: int, context_length: int, stride: int) -> int:
    """Return the number of training windows of a text: the full ones, and one padded if two tokens or more are left.

    One token that is left over has no next token to predict.
    """
    N = window_count(n_tokens, context_length, stride)
    return N + (n_tokens - N * stride >= 2)


def sliding_windows(ids: Ids, max_length: int, stride: int) -> tuple[Int[Tensor, "N T"], Int[Tensor, "N T"]]:
    """Return inputs and targets, both [N, T] int64; the targets are the inputs shifted by one position."""
    ids = torch.tensor(ids, dtype=torch.int64)  # [tokens]
    if len(ids) <= max_length:
        return ids.new_empty(0, max_length), ids.new_empty(0, max_length)
    return ids[:-1].unfold(0, max_length, stride), ids[1:].unfold(0, max_length, stride)  # [N, T], [N, T]


def _count_pairs(sequence: np.ndarray, n_windows: int, T: int, stride: int) -> dict[tuple[int, int], int]:
    """Return how often each pair of input and target occurs in the windows, without writing out all windows."""
    starts = np.arange(n_windows) * stride
    edges = np.zeros(len(sequence), dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, starts + T, -1)
    n_windows_at = np.cumsum(edges)[:-1]  # how many windows have this position as an input
    pairs: dict[tuple[int, int], int] = {}
    for row, target, count in zip(sequence[:-1].tolist(), sequence[1:].tolist(), n_windows_at.tolist(), strict=True):
        if count:
            pairs[row, target] = pairs.get((row, target), 0) + count
    return pairs


def training_text(token_ids: Sequence[int] | np.ndarray, context_length: int, stride: int) -> TrainingText:
    """Return the windows of a text in rows of the toy model, which count from 0 and leave out unused tokens.

    If two tokens or more are left over, the last window is padded with <pad>. At most MAX_TRAINING_TOKENS tokens are
    used; they must be more than the context length.
    """
    ids = np.asarray(token_ids, dtype=np.int64)[:MAX_TRAINING_TOKENS]
    distinct, index_of_token, counts = np.unique(ids, return_inverse=True, return_counts=True)
    spare = np.setdiff1d(np.arange(1, len(distinct) + SPARE_ROWS + 1), distinct)[:SPARE_ROWS]  # ID 0 may be <pad>
    N, T = training_windows(len(ids), context_length, stride), context_length
    rows = index_of_token + 1  # [tokens]; row 0 is <pad>
    sequence = np.full((N - 1) * stride + T + 1, PAD)
    sequence[: len(rows)] = rows[: len(sequence)]
    inputs, targets = sliding_windows(sequence, T, stride)  # [N, T], [N, T]
    return TrainingText(
        inputs,
        targets,
        (-1, *distinct.tolist(), *spare.tolist()),
        (0, *counts.tolist(), *[0] * len(spare)),
        _count_pairs(sequence, N, T, stride),
        rows,
    )


@dataclass(frozen=True)
class TrainingConfig:
    """All that a training depends on besides the text: the same configuration gives exactly the same numbers."""

    dim: int = 16
    seed: int = 123
    batch_size: int = 2
    position: str = "learned"
    layout: str = "interleaved"
    optimizer: str = "sgd"
    learning_rate: float = 0.3
    weight_decay: float = 0.0
    tied: bool = False
    padding_idx: bool = True
    token_std: float = 1.0  # standard deviation of the initial token embeddings


def rates(dim: int, formula: str = "paper") -> Float[Tensor, " pairs"]:
    """Return the rate of each pair of sine and cosine in radians per position, of the paper or of tensor2tensor.

    The paper, Vaswani et al. (2017), has 10000^(-2i / D) and, for an odd D, one pair more without its cosine;
    tensor2tensor, the code published with it, has 10000^(-i / (D // 2 - 1)) for D // 2 pairs.
    """
    if formula == "paper":
        return BASE ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [ceil(D / 2)]
    return BASE ** (-torch.arange(dim // 2, dtype=torch.float64) / max(1, dim // 2 - 1))  # [D // 2]


def sinusoidal_positions(length: int, dim: int, layout: str = "interleaved") -> Float[Tensor, "length dim"]:
    """Return the sinusoidal positional encoding [T, D] of Vaswani et al. (2017), section 3.5.

    The layouts order the same columns differently: "interleaved" is sin, cos, sin, cos (the paper); "halves" is all
    sines, then all cosines. With an odd D the last sine has no cosine. Raises ValueError for another layout.
    """
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    positions = torch.arange(length, dtype=torch.float64)[:, None]  # [T, 1]
    angles = positions * rates(dim)  # [T, ceil(D / 2)]
    sines, cosines = angles.sin(), angles.cos()[:, : dim // 2]
    if layout == "halves":
        return torch.cat([sines, cosines], dim=1).float()  # [T, D]
    table = torch.empty(length, dim, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table.float()  # [T, D]


class NextToken(nn.Module):
    """Logits [B, T, V] for the next token: a linear layer, without bias, on token embedding plus position embedding.

    The initial weights are those of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D); nn.Linear(D, V,
    bias=False), whichever position embeddings are used; the token embeddings are multiplied by their standard
    deviation. If tied, the token embedding table is the weight of the linear layer.
    """

    def __init__(self, vocab_size: int, context_length: int, config: TrainingConfig) -> None:
        super().__init__()
        generator, D = torch.Generator().manual_seed(config.seed), config.dim
        tokens = torch.empty(vocab_size, D).normal_(generator=generator) * config.token_std
        self.token = nn.Embedding(vocab_size, D, _weight=tokens)
        learned = torch.empty(context_length, D).normal_(generator=generator)
        self.position = nn.Parameter(learned) if config.position == "learned" else None
        fixed = sinusoidal_positions(context_length, D, config.layout) if config.position == "sinusoidal" else None
        self.register_buffer("fixed", fixed)
        bound = 1 / math.sqrt(D)  # of torch's own Linear
        output = torch.empty(vocab_size, D).uniform_(-bound, bound, generator=generator)
        self.output = self.token.weight if config.tied else nn.Parameter(output)
        if config.padding_idx:
            self.token.padding_idx = PAD
            self.token.weight.data[PAD] = 0.0

    def forward(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        """Return the logits of the next token at each position."""
        vectors = self.token(ids)  # [B, T, D]
        positions = self.position if self.position is not None else self.fixed
        if positions is not None:
            vectors = vectors + positions[: ids.shape[1]]  # [B, T, D] + [T, D]
        return F.linear(vectors, self.output)  # [B, T, V]


def _sgd(parameters: Sequence[Tensor], rate: float, momentum: float) -> Update:
    velocities: list[Tensor | None] = [None] * len(parameters)
    options = {"weight_decay": 0.0, "momentum": momentum, "lr": rate, "dampening": 0.0}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        sgd([*parameters], [*gradients], velocities, foreach=False, nesterov=False, maximize=False, **options)

    return step


def _adam(parameters: Sequence[Tensor], rate: float, decay: float) -> Update:
    means, squares = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    counts = [torch.tensor(0.0) for _ in parameters]
    options = {"beta1": BETAS[0], "beta2": BETAS[1], "lr": rate, "weight_decay": decay, "eps": EPS}
    flags = {"foreach": False, "amsgrad": False, "maximize": False, "decoupled_weight_decay": True}

    @torch.no_grad()
    def step(gradients: Sequence[Tensor]) -> None:
        adam([*parameters], [*gradients], means, squares, [], counts, **flags, **options)

    return step


def optimizer_step(name: str, parameters: Sequence[Tensor], rate: float, decay: float = 0.0) -> Update:
    """Return a function that takes the gradients of `parameters` and updates the parameters in place.

    "sgd", "momentum" (SGD with momentum 0.9), "adam" or "adamw" with the weight decay `decay`, which the others do not
    use. The function stores the state of the optimizer. Raises KeyError for another name.
    """
    optimizers = {
        "sgd": lambda: _sgd(parameters, rate, 0.0),
        "momentum": lambda: _sgd(parameters, rate, MOMENTUM),
        "adam": lambda: _adam(parameters, rate, 0.0),
        "adamw": lambda: _adam(parameters, rate, decay),
    }
    return optimizers[name]()


class Training:
    """A model and its optimizer: `step` updates the weights, `losses` has the loss of each step before its update."""

    def __init__(self, text: TrainingText, config: TrainingConfig) -> None:
        V, T = text.vocab_size, text.inputs.shape[1]
        self.text, self.config = text, config
        self.initial_model, self.model = NextToken(V, T, config), NextToken(V, T, config)
        self.losses: list[float] = []
        self.diverged = False
        token = self.model.token.weight
        self.parameters = [token, *(weight for weight in self.model.parameters() if weight is not token)]
        self._update = optimizer_step(config.optimizer, self.parameters, config.learning_rate, config.weight_decay)
        self._generator = torch.Generator().manual_seed(config.seed)
        self._pending_batches: list[Tensor] = []  # window indices of the batches that are left in this epoch
        self.batch = torch.empty(0, T, dtype=torch.int64)  # of the last step
        self.gradient = torch.zeros_like(token)  # of the token embedding table, in the last step
        self.previous_table = self.table.clone()  # the token embedding table before the last step

    @property
    def table(self) -> Float[Tensor, "V D"]:
        """The current token embedding table."""
        return self.model.token.weight.detach()

    def step(self) -> None:
        """Compute the loss of the next batch and update the weights; if the loss is not finite, stop for good."""
        if self.diverged:
            return
        windows = self._next_windows()
        self.batch = self.text.inputs[windows]  # [B, T]
        targets = self.text.targets[windows]  # [B, T]
        loss = F.cross_entropy(self.model(self.batch).flatten(0, 1), targets.flatten())
        self.losses.append(loss.item())
        if not math.isfinite(self.losses[-1]):
            self.diverged = True
            return
        gradients = torch.autograd.grad(loss, self.parameters)
        self.gradient = gradients[0]
        self.previous_table.copy_(self.table)
        self._update(gradients)

    @property
    def finite(self) -> bool:
        """Whether every loss and every weight is finite in float32."""
        return not self.diverged and all(bool(weight.isfinite().all()) for weight in self.parameters)

    @torch.no_grad()
    def text_loss(self) -> float:
        """Return the mean loss over every position of every window, with the current weights."""
        inputs, targets = self.text.inputs, self.text.targets  # [N, T], [N, T]
        windows_at_once = max(1, MAX_LOGITS // (4 * inputs.shape[1] * self.text.vocab_size))
        total = 0.0
        for part, next_tokens in zip(inputs.split(windows_at_once), targets.split(windows_at_once), strict=True):
            logits = self.model(part)  # [n, T, V]
            total += F.cross_entropy(logits.flatten(0, 1), next_tokens.flatten(), reduction="sum").item()
        return total / inputs.numel()

    @property
    def upcoming_windows(self) -> Int[Tensor, " B"]:
        """The indices of the windows that the next step takes."""
        if not self._pending_batches:
            shuffled = torch.randperm(len(self.text.inputs), generator=self._generator)
            self._pending_batches = [*shuffled.split(self.config.batch_size)]
        return self._pending_batches[0]

    def _next_windows(self) -> Int[Tensor, " B"]:
        windows = self.upcoming_windows
        self._pending_batches.pop(0)
        return windows


@dataclass(frozen=True)
class RowChanges:
    """For each row of the token embedding table: the gradient norm of the last step, the distance from the initial row.

    `reasons` has one of REASONS for each row.
    """

    gradient: Float[Tensor, " V"]
    distance: Float[Tensor, " V"]
    reasons: tuple[str, ...]


def row_changes(training: Training) -> RowChanges:
    """Return what the last step, and all steps together, changed in the rows of the token embedding table."""
    table = training.table
    in_batch = torch.zeros(len(table), dtype=torch.bool)
    in_batch[training.batch.flatten()] = True
    # Compared element by element: a norm can underflow to 0 when the elements are not 0.
    has_gradient, changed = training.gradient.ne(0).any(dim=1), table.ne(training.previous_table).any(dim=1)
    masked = PAD if training.config.padding_idx else None  # the row whose lookup has no gradient
    reasons = []
    columns = zip(in_batch.tolist(), has_gradient.tolist(), changed.tolist(), strict=True)
    for row, (looked_up, with_gradient, is_changed) in enumerate(columns):
        if looked_up and row != masked:
            reasons.append(LOOKED_UP)
        elif with_gradient:
            reasons.append(OUTPUT)
        elif is_changed:
            reasons.append(OPTIMIZER_STATE)
        else:
            reasons.append(MASKED if looked_up else UNCHANGED)

    distance = (table - training.initial_model.token.weight.detach()).norm(dim=1)
    return RowChanges(training.gradient.norm(dim=1), distance, tuple(reasons))


def next_token(model: NextToken, row: int, position: int) -> Float[Tensor, " V"]:
    """Return the probability of each row to be the next token after `row` at `position` of a window [V].

    The tokens before it do not matter: the model has no attention.
    """
    window = torch.full((1, position + 1), row)  # [1, T]
    with torch.no_grad():
        return model(window)[0, position].softmax(dim=0)  # [V]

# %% Token IDs of the text
# Byte-pair encoding with those of GPT-2's 50,257 tokens that can occur in this text. The whole
# encoding is `tiktoken.get_encoding("gpt2")`; tiktoken downloads it once.
encoding = gpt2_encoding(ranks)
token_ids = encoding.encode_ordinary(text)
print(len(token_ids), "tokens:", token_ids[:20])

# %% Windows of rows [N, T]
# The toy model needs few rows: row 0 is `<pad>`, which fills the last window; then comes one row
# for each token of the text, and at last three rows for tokens that the text never uses. A target
# is the next token.
torch.set_printoptions(linewidth=120, sci_mode=False)
windows = training_text(token_ids, context_length, stride)
names = {token_id: encoding.decode([token_id]) for token_id in set(token_ids)}
row_names = ["<pad>", *(names[token_id] for token_id in sorted(names)), *unused_tokens]
print(row_names[:24])
print(windows.inputs.shape, windows.inputs[:8], windows.targets[:8], sep="\n")

# %% The toy model
# Token embedding plus position embedding, then a linear layer to one logit for each row. Without
# attention the model sees one token and its position only. The token embeddings start with a
# standard deviation of 0.02, as in GPT-2, or 1, as in torch.nn.Embedding.
training = Training(windows, TrainingConfig(**options))
for weight_name, weight in training.model.named_parameters():
    print(weight_name, weight.shape)
print(f"V = {windows.vocab_size}, ln V = {math.log(windows.vocab_size):.2f}: the loss of a uniform prediction")

# %% Training
# A step takes a batch of windows, computes its loss and the gradient of every weight, and updates
# the weights. If the loss is infinite or NaN, training stops.
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

# %% Which rows changed
# A row that was not looked up has a gradient of exactly 0, unless the output layer is the same
# table.
changes = row_changes(training)
if training.finite:
    print(f"{(changes.gradient == 0).sum()} rows have a gradient of exactly 0,", end=" ")
    print(f"{(changes.distance == 0).sum()} are unchanged since the start")
    for row in windows.rows_to_show():
        print(f"row {row}, {row_names[row]!r}: gradient norm {changes.gradient[row]:.4f},", end=" ")
        print(f"distance from the start {changes.distance[row]:.4f}; {changes.reasons[row]}")

# %% Next-token predictions
# The probability of each token to follow the prompt, before training and after, and its share in
# the text.
prompt_ids = gpt2_encoding(ranks).encode_ordinary(prompt)
last_row, last_position = windows.row(prompt_ids[-1]), min(len(prompt_ids), context_length) - 1
if training.finite:
    before = next_token(training.initial_model, last_row, last_position)  # [V]
    after = next_token(training.model, last_row, last_position)  # [V]
    in_text = windows.followers(last_row)  # [V]
    for row in after.argsort(descending=True, stable=True)[:5].tolist():
        print(f"{row_names[row]!r}: before {before[row]:.4f},", end=" ")
        print(f"after {after[row]:.4f}, in the text {in_text[row]:.4f}")
