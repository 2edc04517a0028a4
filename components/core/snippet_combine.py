"""The programs of the combine lesson: each step of the walk, one cell of the sum, and the sqrt(D) laboratory."""

from dataclasses import replace

from components.core.link import State
from components.core.snippet import Ids, Rows, Snippet, journey_batch, written
from components.core.snippet_literals import batch_ids
from components.core.snippet_tables import PRINT, sinusoidal, token_table

ROWS, COLUMNS = 12, 16
SPREADS = {"1": "1.0", "D^-0.5": "D**-0.5", "0.02": "0.02"}


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return a program for each step of the walk, by the step's name, one for a cell, and one for the laboratory.

    >>> [snippet.name for snippet in snippets(State(), range(9))]
    ['ids', 'token', 'position', 'position_unsqueezed', 'position_broadcast', 'combined', 'cell', 'laboratory']
    """
    rows = journey_batch(state, token_ids)
    if rows is None:
        return []
    settings, batch = state.settings, written(rows, state.choices.b)
    found = [_ids(state, batch), _token(state, batch)]
    found += [_scaled(state, batch)] if settings.scale else []
    if settings.position != "none":
        found += [_position(state, batch), _unsqueezed(state, batch), _broadcast(state, batch)]
    return [*found, _combined(state, batch), _cell(state, batch), _laboratory(state, batch)]


def _start(state: State, batch: Rows) -> str:
    """Return the lines that make `token` [B, T, D], and `position` [T, D] where there is one."""
    settings, scale = state.settings, state.settings.scale
    code = token_table(settings, settings.position != "none", "import math\n\n" if scale else "")
    code += batch_ids(state, batch) + "token = token_table(ids).detach()  # [B, T, D]\n"
    code += "token = token * math.sqrt(D)  # [B, T, D]\n" if scale else ""
    if settings.position == "learned":
        code += "position = position_table(torch.arange(ids.shape[1])).detach()  # [T, D]\n"
    elif settings.position == "sinusoidal":
        code += "position = position_table[: ids.shape[1]]  # [T, D]\n"
    return code


def _place(state: State, batch: Rows) -> tuple[int, int, int]:
    """Return the chosen cell: sequence, place and column, each held to what there is."""
    choices = state.choices
    return batch.b, min(choices.t, len(batch.rows[0]) - 1), min(choices.d, state.settings.dim - 1)


def _part(state: State, batch: Rows, sheet: str = "") -> str:
    """Return the index of the part around the chosen cell that the page draws."""
    _, t, d = _place(state, batch)
    t, d = t - t % ROWS, d - d % COLUMNS
    t_end, d_end = min(t + ROWS, len(batch.rows[0])), min(d + COLUMNS, state.settings.dim)
    return f"[{sheet}{t}:{t_end}, {d}:{d_end}]"


def _ids(state: State, batch: Rows) -> Snippet:
    code = f"import torch\n\n{batch_ids(state, batch)}print(ids.shape)\nprint(ids)\n"
    return Snippet("ids", "The IDs", f"A batch of B rows with T IDs each.{batch.note}", code)


def _token(state: State, batch: Rows) -> Snippet:
    code = (
        token_table(state.settings)
        + batch_ids(state, batch)
        + (
            "token = token_table(ids).detach()  # [B, T, D]\n"
            f"print(token.shape)\nprint(token{_part(state, batch, f'{batch.b}, ')})\n"
        )
    )
    return Snippet("token", "The token vectors", f"Each ID is replaced by its row of the table.{batch.note}", code)


def _scaled(state: State, batch: Rows) -> Snippet:
    code = (
        token_table(state.settings, imports="import math\n\n")
        + batch_ids(state, batch)
        + (
            "token = token_table(ids).detach() * math.sqrt(D)  # [B, T, D]\n"
            f"print(token.shape)\nprint(token{_part(state, batch, f'{batch.b}, ')})\n"
        )
    )
    about = "Token vectors times √D, as in the first Transformer, before any position is added."
    return Snippet("scaled", "Times √D", about + batch.note, code)


def _positions(state: State, batch: Rows) -> str:
    """Return the lines that make `position` [T, D] alone; only a learned table needs the token table before it."""
    settings, length = state.settings, len(batch.rows[0])
    T = "T" if length == settings.context_length else f"{length}"
    if settings.position == "learned":
        code = token_table(settings, positions=True)
        return code + f"position = position_table(torch.arange({T})).detach()  # [T, D]\n"
    code = f"import torch\n\n{PRINT}T, D = {settings.context_length}, {settings.dim}\n"
    code += sinusoidal("position", "T", settings.layout)
    return code if T == "T" else f"{code}position = position[:{T}]  # of the {T} places in use\n"


def _position(state: State, batch: Rows) -> Snippet:
    code = _positions(state, batch) + f"print(position.shape)\nprint(position{_part(state, batch)})\n"
    about = "One row for each place, the same for every sequence: no ID has a part in it."
    return Snippet("position", "The position vectors", about, code)


def _unsqueezed(state: State, batch: Rows) -> Snippet:
    code = _positions(state, batch) + (
        "unsqueezed = position.unsqueeze(0)  # [1, T, D]\n"
        f"print(unsqueezed.shape)\nprint(unsqueezed{_part(state, batch, '0, ')})\n"
    )
    about = "A new axis of size 1 stands where the batch is. The numbers are the same; nothing is copied."
    return Snippet("position_unsqueezed", "With an axis for the batch", about, code)


def _broadcast(state: State, batch: Rows) -> Snippet:
    code = _positions(state, batch) + (
        f"broadcast = position.unsqueeze(0).expand({batch.of}, -1, -1)  # [B, T, D]\n"
        f"print(broadcast.shape)\nprint(broadcast{_part(state, batch, f'{batch.first + batch.b}, ')})\n"
        "print(broadcast.data_ptr() == position.data_ptr())  # the same memory: one sheet, read B times\n"
    )
    about = "For the sum the one sheet of positions is read once for each sequence, without a copy."
    return Snippet("position_broadcast", "Stretched over the batch", about, code)


def _combined(state: State, batch: Rows) -> Snippet:
    code = _start(state, batch)
    if state.settings.position == "none":
        code += "combined = token  # no positions\n"
        about = "Positions are off, so the token vectors are all that the model would read."
    else:
        code += "combined = token + position  # [B, T, D] + [T, D] = [B, T, D]\n"
        code += "print(torch.equal(combined, token + position.unsqueeze(0)))  # broadcasting adds the axis by itself\n"
        about = "Addition, number by number: the sum keeps D, where concatenation would give 2 D."
    code += f"print(combined.shape)\nprint(combined{_part(state, batch, f'{batch.b}, ')})\n"
    return Snippet("combined", "The sum", about + batch.note, code)


def _cell(state: State, batch: Rows) -> Snippet:
    b, t, d = _place(state, batch)
    code = _start(state, batch) + f"b, t, d = {b}, {t}, {d}\n"
    if state.settings.position == "none":
        code += 'print(f"{token[b, t, d]:.4f}")\n'
    else:
        code += 'print(f"{token[b, t, d]:.4f} + {position[t, d]:.4f} = {(token + position)[b, t, d]:.4f}")\n'
    about = "One number of the token vector plus one of the position vector; only what is printed is rounded."
    if state.settings.position == "none":
        about = "Positions are off, so this number is that of the token vector."
    return Snippet("cell", "One cell of the sum", about + batch.note, code)


def _laboratory(state: State, batch: Rows) -> Snippet:
    settings = state.settings
    code = token_table(replace(settings, position="none"), positions=True, imports="import math\n\n")
    code += "learned = nn.Embedding(T, D).weight.detach()  # [T, D], the next numbers of the same stream\n"
    code += sinusoidal("sinusoidal", "T", settings.layout) + batch_ids(state, batch)
    code += f"spread = {SPREADS[state.choices.spread]}  # of the initial weights\n\n"
    code += """\
for kind, position in (("learned", learned * spread), ("sinusoidal", sinusoidal)):
    position = position[: ids.shape[1]]  # [T, D]
    for times, scale in (("", 1.0), (" x sqrt(D)", math.sqrt(D))):
        token = token_table(ids).detach() * spread * scale  # [B, T, D]
        lengths = token.norm(dim=-1).mean().item(), position.norm(dim=-1).mean().item()
        cosine = torch.cosine_similarity(token + position, token, dim=-1).mean().item()
        print(f"{kind}, token{times}: lengths {lengths[0]:.4f} and {lengths[1]:.4f},", end=" ")
        print(f"ratio {lengths[0] / lengths[1]:.4f}, cosine of sum and token {cosine:.4f}")
"""
    about = (
        "Which of the two is louder in the sum depends on the spread of the initial weights, and on the scale. The "
        "lengths and the cosine are means over the batch."
    )
    return Snippet("laboratory", "The √D laboratory", about + batch.note, code)
