"""The programs of the positions lesson: the table, one column, the rows' lengths, both layouts, and the shuffle."""

from components.core.link import State
from components.core.snippet import Ids, Snippet, journey_batch, written
from components.core.snippet_literals import batch_ids
from components.core.snippet_tables import PRINT, columns_shown, sinusoidal, token_table

ROWS, PLACES_OF_WAVE, PLACES_DRAWN = 12, 64, 256


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson for the position type that is chosen; the shuffle needs a batch.

    >>> [snippet.name for snippet in snippets(State(), range(9))]
    ['table', 'wave', 'lengths', 'past', 'shuffle']
    """
    kind = state.settings.position
    found = [] if kind == "none" else [_table(state), _wave(state), _lengths(state)]
    found += [_layouts(state)] if kind == "sinusoidal" else [_past(state)] if kind == "learned" else []
    batch = journey_batch(state, token_ids)
    return [*found, _shuffle(state, batch[0])] if batch else found


def _position(state: State, length: int | None = None) -> str:
    """Return the lines that make the position vectors [T, D], called `position`; sinusoidal ones of any `length`."""
    settings = state.settings
    if settings.position == "learned":
        return token_table(settings, positions=True) + "position = position_table.weight.detach()  # [T, D]\n"
    letter, comment = ("L", f"  # past T = {settings.context_length}") if length else ("T", "")
    sizes = f"{letter}, D = {length or settings.context_length}, {settings.dim}{comment}\n"
    return f"import torch\n\n{PRINT}{sizes}" + sinusoidal("position", letter, settings.layout)


def _table(state: State) -> Snippet:
    start, end = columns_shown(state.settings.dim, state.choices.column, most=48)
    end = min(end, start + 16)
    about = {
        "learned": "A learned table is drawn like the token table, from the numbers that come next. Until it is "
        "trained its rows say nothing but which place it is.",
        "sinusoidal": "A sinusoidal table is computed: sines and cosines, slower from column to column.",
    }[state.settings.position]
    code = _position(state) + f"print(position.shape)\nprint(position[:{ROWS}, {start}:{end}])\n"
    return Snippet("table", "The position table", about, code)


def _wave(state: State) -> Snippet:
    settings = state.settings
    wave = min(state.choices.wave, settings.dim - 1)
    code, about = _position(state), "One column of the table, from place to place."
    if settings.position == "sinusoidal" and settings.context_length < PLACES_OF_WAVE:
        code = _position(state, PLACES_OF_WAVE)
        about += f" The formula goes on past T = {settings.context_length}; {PLACES_OF_WAVE} places are drawn."
    code += (
        f"wave = position[:{PLACES_DRAWN}, {wave}]  # one number a place\n"
        'print(f"from {wave.min():.4f} to {wave.max():.4f}")\nprint(wave[:64])\n'
    )
    return Snippet("wave", f"Column {wave} down the places", about, code)


def _lengths(state: State) -> Snippet:
    if state.settings.position == "sinusoidal":
        expected, about = (
            "(D / 2) ** 0.5",
            "Each sine and its cosine add 1 to the square, so a row has the length √(D/2)",
        )
        about += (
            ", exactly, for even D." if state.settings.dim % 2 == 0 else "; for odd D the last sine lacks its cosine."
        )
    else:
        expected, about = "D**0.5", "Rows of D numbers from N(0, 1) have a length near √D."
    code = _position(state) + (
        "lengths = position.norm(dim=1)  # [T]\n"
        'print(f"from {lengths.min():.4f} to {lengths.max():.4f}")\n'
        f'print(f"expected {{{expected}:.4f}}")\nprint(lengths[:64])\n'
    )
    return Snippet("lengths", "The length of each row", about, code)


def _layouts(state: State) -> Snippet:
    code = f"import torch\n\n{PRINT}T, D = {state.settings.context_length}, {state.settings.dim}\n"
    code += sinusoidal("interleaved", "T", "interleaved")
    code += sinusoidal("halves", "T", "halves").splitlines(keepends=True)[-1]
    code += (
        "print(interleaved[:4, :8])  # sin, cos, sin, cos\n"
        "print(halves[:4, :8])  # all sines first\n"
        "order = [*range(0, D, 2), *range(1, D, 2)]\n"
        "print(torch.equal(interleaved[:, order], halves))\n"
    )
    about = "Two layouts are in use: the same columns in another order. Weights trained with one do not fit the other."
    return Snippet("layouts", "Both layouts", about, code)


def _past(state: State) -> Snippet:
    code = token_table(state.settings, positions=True) + (
        "try:\n    position_table(torch.tensor([T]))  # the rows are 0 to T - 1\n"
        'except IndexError as error:\n    print(f"IndexError: {error}")\n'
    )
    about = (
        "A learned table ends at row T - 1. The message is that of a bad token ID, but it is this table that failed."
    )
    return Snippet("past", "One place too far", about, code)


def _shuffle(state: State, sequence: list[int]) -> Snippet:
    settings, choices = state.settings, state.choices
    positions = settings.position != "none"
    at = {"none": "", "learned": "position_table.weight.detach()", "sinusoidal": "position_table"}[settings.position]
    code = token_table(settings, positions) + batch_ids(state, written([sequence]), one=True)
    code += f"draw = torch.Generator().manual_seed({choices.shuffle_seed})\n"
    code += "order = torch.randperm(len(ids), generator=draw)  # the token at place order[t] moves to place t\n\n"
    code += "token = token_table(ids).detach()  # [T, D]\n"
    if positions:
        code += f"position = {at}[: len(ids)]  # [T, D]\n"
        code += "before, after = token + position, token[order] + position  # each [T, D]\n"
    else:
        code += "before, after = token, token[order]  # no positions\n"
    code += (
        "change = after[order.argsort()] - before  # of each token's vector, [T, D]\n"
        "print(order.tolist())\n"
        'print(f"{(order != torch.arange(len(ids))).sum()} moved, largest change {change.abs().max():.4f}")\n'
        f"print(change[:{ROWS}, :16])\n"
    )
    about = (
        "The tokens of the first sequence change places. Each of them now has another position added, and so another "
        "vector."
        if positions
        else "The tokens of the first sequence change places. Without positions no vector changes, only their order."
    )
    return Snippet("shuffle", "Shuffle the tokens", about, code)
