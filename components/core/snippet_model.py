"""The toy model in a program: the windows of the text, the model, and the loop that trains it."""

from components.core.link import State
from components.core.shapes import window_count
from components.core.snippet_literals import by_words, encode_call, ids_literal, word_ids
from components.core.snippet_tables import PRINT, sinusoidal
from components.core.training_recipe import Recipe, training_windows

OPTIMIZERS = {
    "sgd": "SGD(model.parameters(), lr={rate})",
    "momentum": "SGD(model.parameters(), lr={rate}, momentum=0.9)",
    "adam": "Adam(model.parameters(), lr={rate})",
    "adamw": "AdamW(model.parameters(), lr={rate}, weight_decay={decay})",
}


def windows_of_rows(state: State, ids: list[int]) -> str:
    """Return the lines that give the windows of the text: `inputs` and `targets` [N, T], and V.

    >>> windows_of_rows(State(), [464, 7850, 464, 3331, 318]).splitlines()[1]
    'ids = torch.tensor([464, 7850, 464, 3331, 318])  # [tokens]'
    """
    settings = state.settings
    T, stride = settings.context_length, settings.stride
    if by_words(state):
        code = f"{word_ids(state.text)}ids = torch.tensor(ids)  # [tokens]\n"
    else:
        code = f"# {encode_call(settings.tokenizer, state.text)}\n"
        code += f"{ids_literal(ids, 'ids = torch.tensor(', ')')}  # [tokens]\n"
    N = training_windows(len(ids), T, stride)
    full = window_count(len(ids), T, stride) == N
    tail = "each full" if full else "the last one filled up with <pad>"
    return code + (
        f"T, stride, N = {T}, {stride}, {N}  # {N} windows, {tail}\n\n"
        "# The toy model's rows: 0 is <pad>, then the tokens of the text, then 3 that the text never uses.\n"
        "tokens, rows = ids.unique(return_inverse=True)\n"
        "V = 1 + len(tokens) + 3\n"
        "sequence = torch.zeros((N - 1) * stride + T + 1, dtype=torch.int64)\n"
        "sequence[: len(rows)] = rows[: len(sequence)] + 1\n"
        "inputs = sequence[:-1].unfold(0, T, stride)  # [N, T]\n"
        "targets = sequence[1:].unfold(0, T, stride)  # [N, T], moved by one\n"
    )


def _model(recipe: Recipe, seed: int, T: int) -> str:
    """Return the class of the toy model, and the line that makes one."""
    padding = ", padding_idx=0" if recipe.padding_idx else ""
    code = "\n\nclass NextToken(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    code += f"        self.token = nn.Embedding(V, D{padding})\n"
    if recipe.position == "learned":
        code += "        self.position = nn.Embedding(T, D)\n"
        adds = " + self.position(torch.arange(ids.shape[1]))"
    else:
        code += "        nn.Embedding(T, D)  # drawn, not used: the output layer comes next in the stream\n"
        adds = " + positions[: ids.shape[1]]" if recipe.position == "sinusoidal" else ""
    code += "        self.output = nn.Linear(D, V, bias=False)\n"
    code += "        self.output.weight = self.token.weight  # tied\n" if recipe.tied else ""
    code += f"\n    def forward(self, ids):  # [B, T]\n        vectors = self.token(ids){adds}  # [B, T, D]\n"
    return (
        code + f"        return self.output(vectors)  # [B, T, V]\n\n\ntorch.manual_seed({seed})\nmodel = NextToken()\n"
    )


def training_loop(state: State, ids: list[int], recipe: Recipe) -> str:
    """Return the program up to the trained `model`, with `start` as it was before and the `losses` on the way.

    >>> "torch.optim.SGD(model.parameters(), lr=0.3)" in training_loop(State(), [464, 7850, 464, 3331, 318], Recipe())
    True
    """
    optimizer = OPTIMIZERS[recipe.optimizer].format(rate=recipe.learning_rate, decay=recipe.weight_decay)
    code = "import copy\nimport math\n\nimport torch\nfrom torch import nn\nfrom torch.nn import functional as F\n\n"
    code += f"{PRINT}{windows_of_rows(state, ids)}B, D = {recipe.batch_size}, {recipe.dim}\n"
    if recipe.position == "sinusoidal":
        code += sinusoidal("positions", "T", recipe.layout)
    code += _model(recipe, recipe.seed, state.settings.context_length)
    return code + (
        "start = copy.deepcopy(model)\n"
        f"optimizer = torch.optim.{optimizer}\n\n"
        f"order, losses = torch.Generator().manual_seed({recipe.seed}), []\n"
        "batches = []\n"
        f"for step in range({state.choices.train_steps}):\n"
        "    batches = batches or [*torch.randperm(N, generator=order).split(B)]  # an epoch\n"
        "    windows = batches.pop(0)  # [B]\n"
        "    logits = model(inputs[windows])  # [B, T, V]\n"
        "    loss = F.cross_entropy(logits.flatten(0, 1), targets[windows].flatten())\n"
        "    losses.append(loss.item())\n"
        "    if not math.isfinite(losses[-1]):\n"
        "        break\n"
        "    optimizer.zero_grad()\n"
        "    loss.backward()\n"
        "    optimizer.step()\n\n"
    )
