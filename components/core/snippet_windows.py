"""The programs of the windows lesson: how many there are, one batch of them, and what each token is used for."""

from collections.abc import Sequence

from components.core.link import State
from components.core.shapes import too_short, window_count
from components.core.snippet import MAX_INLINE, Ids, Snippet, chosen_windows
from components.core.snippet_literals import by_words, encode_call, ids_literal, word_ids


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson; none where the text is too short for a window.

    >>> [snippet.name for snippet in snippets(State(), range(9))]
    ['count', 'batch', 'coverage']
    """
    if too_short(len(token_ids), state.settings):
        return []
    found = [_count(state, len(token_ids))]
    try:
        number, windows = chosen_windows(state, len(token_ids))
    except ValueError:  # drop_last throws away the only batch
        return found
    few = len(token_ids) <= MAX_INLINE
    batch = _batch(state, token_ids, number) if few else _strips(state, token_ids, number, windows)
    return [*found, batch, _coverage(state, len(token_ids))]


def _count(state: State, tokens: int) -> Snippet:
    code = f"tokens, T, stride = {tokens}, {state.settings.context_length}, {state.settings.stride}\n"
    code += "N = -((T - tokens) // stride)  # rounded up\nprint(N)\n"
    about = "A window needs T tokens and one more for the last target; the next window begins `stride` tokens later."
    return Snippet("count", "How many windows", about, code)


def _loader(state: State, dataset: str) -> str:
    settings, choices = state.settings, state.choices
    return (
        f"loader = DataLoader(\n    {dataset}, batch_size={settings.batch_size}, shuffle={choices.shuffle}, "
        f"drop_last={choices.drop_last},\n    generator=torch.Generator().manual_seed({settings.seed}),\n)\n"
    )


def _batch(state: State, token_ids: Ids, number: int) -> Snippet:
    settings = state.settings
    ids = word_ids(state.text) if by_words(state) else ""
    ids = f"{ids}ids = torch.tensor(ids)  # [tokens]\n" if ids else _inlined(state, token_ids)
    code = (
        "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n\n"
        f"{ids}T, stride = {settings.context_length}, {settings.stride}\n"
        "inputs = ids[:-1].unfold(0, T, stride)  # [N, T]\n"
        "targets = ids[1:].unfold(0, T, stride)  # [N, T], moved by one\n"
        f"{_loader(state, 'TensorDataset(inputs, targets)')}"
        f"batches = list(loader)\ninputs, targets = batches[{number}]  # each [B, T]\n"
        "print(len(batches), inputs.shape)\nprint(inputs)\nprint(targets)\n"
    )
    about = "The windows as a dataset, and a `DataLoader` that makes batches of them. Targets are inputs moved by one."
    return Snippet("batch", f"Batch {number}", about, code)


def _inlined(state: State, token_ids: Ids) -> str:
    ids = [int(i) for i in token_ids]
    call = encode_call(state.settings.tokenizer, state.text)
    return f"# {call}\n{ids_literal(ids, 'ids = torch.tensor(', ')')}  # [tokens]\n"


def _strips(state: State, token_ids: Ids, number: int, windows: Sequence[int]) -> Snippet:
    """Return the program for a text whose IDs are too many to write out: those of one batch are there."""
    settings = state.settings
    T, stride, tokens = settings.context_length, settings.stride, len(token_ids)
    fits = windows[: max(1, MAX_INLINE // (T + 1))]
    strips = [[int(i) for i in token_ids[n * stride : n * stride + T + 1]] for n in fits]
    some = f"windows[:{len(fits)}]" if len(fits) < len(windows) else "windows"
    code = (
        "import torch\nfrom torch.utils.data import DataLoader\n\n"
        f"N = {window_count(tokens, T, stride)}  # windows of T = {T} with stride {stride} in {tokens} tokens\n"
        f"{_loader(state, 'range(N)').replace('generator=', 'collate_fn=list, generator=')}"
        f"batches = list(loader)\nwindows = batches[{number}]\nprint(len(batches), windows)\n"
        f"# {encode_call(state.settings.tokenizer, state.text)}, the T + 1 tokens of {some}\n"
        f"{ids_literal(strips, 'strips = torch.tensor(', ')')}  # [B, T + 1]\n"
        "inputs, targets = strips[:, :-1], strips[:, 1:]  # each [B, T]\nprint(inputs)\nprint(targets)\n"
    )
    about = (
        f"Your text has {tokens:,} tokens, and a program holds at most {MAX_INLINE:,}: those of "
        f"{'this batch' if len(fits) == len(windows) else f'the first {len(fits)} windows of this batch'} are written "
        "out. Targets are inputs moved by one."
    )
    return Snippet("batch", f"Batch {number}", about, code)


def _coverage(state: State, tokens: int) -> Snippet:
    settings, choices = state.settings, state.choices
    loader = _loader(state, "range(len(places))").replace("generator=", "collate_fn=list, generator=")
    start = min(choices.start, tokens - 1)
    code = (
        "import torch\nfrom torch.utils.data import DataLoader\n\n"
        f"tokens, T, stride = {tokens}, {settings.context_length}, {settings.stride}\n"
        "places = torch.arange(tokens - 1).unfold(0, T, stride)  # [N, T], where each window's inputs stand\n"
        f"{loader}"
        "windows = [window for batch in loader for window in batch]\n"
        "used = places[windows].flatten()\n"
        "as_input = used.bincount(minlength=tokens)  # [tokens]\n"
        "as_target = (used + 1).bincount(minlength=tokens)  # [tokens]\n"
        'print(f"input: {(as_input > 0).sum()}, target: {(as_target > 0).sum()}")\n\n'
        "by_all = torch.zeros(tokens, dtype=torch.bool)\n"
        "by_all[places] = by_all[places + 1] = True\n"
        "tail = tokens - 2 - int(places[-1, -1])  # behind the last window and its target\n"
        "lost = (as_input + as_target) == 0\n"
        'print(f"lost at the tail {tail}, skipped {(~by_all).sum() - tail}, dropped {(by_all & lost).sum()}")\n'
        f"print(as_input[{start}:{start + 80}].tolist())\nprint(as_target[{start}:{start + 80}].tolist())\n"
    )
    about = (
        "Counted over all batches: how often each token is an input and a target, and how many are neither, because "
        "they fill no window, lie between two, or go with the last batch."
    )
    return Snippet("coverage", "What each token is used for", about, code)
