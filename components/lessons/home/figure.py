"""The figure of Home: tokens, their IDs, their rows of the table, the rows of their positions, and the sums."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from components.base.settings import Settings
from components.base.text_format import pluralize
from components.figures.cells import equals, fit, full_color, number, printed
from components.figures.columns import columns, pager, shown_columns, wider_by
from components.figures.drawing import Figure, draw
from components.figures.sizes import CELL_HEIGHT, ROW_PITCH
from components.lessons.home.shown import Journey, Step, same_id_steps

TOP = 72
GAP, ALL_GAPS = 6, 18  # between two sequences, and between all of them
BELOW = 54  # for what is read out
ABOVE = 34  # from a panel to the one below it, on a narrow screen
NARROW, READ_OUT = 424, 74
COLUMNS = 3
DIGITS = 4  # of the numbers that are read out
NAME = 245  # units in the code font, 24 characters: longer names are cut


def journey_figure(
    followed: Journey,
    names: Sequence[str],
    steps: Mapping[str, Tensor],
    settings: Settings,
    masked: str,
    at: int,
    column: int,
    extra: int = 0,
) -> Figure:
    """Return the figure of those tokens that are shown with token `at`, and their `names`.

    `steps` are those of `walk` for their sequences, and `masked` names the question whose answer is masked, if any.
    With a trained table, which is wide, the columns from `column` on are shown.
    The blocks have `extra` columns more than usually, if there are as many.
    """
    count, n_sequences, D = followed.ids.numel(), followed.n_sequences, settings.dim
    tokens, shown = followed.steps(at), shown_columns(D, column, COLUMNS + extra)
    wider = wider_by(shown, COLUMNS)
    first, last = min(tokens), max(tokens)
    gaps = tokens[last].sequence - tokens[first].sequence
    gap = min(GAP, ALL_GAPS // max(1, gaps))
    height = ROW_PITCH * (len(tokens) - 1) + CELL_HEIGHT + gap * gaps
    begin = first - first % followed.T  # the first token of these sequences
    rows = rows_in_use(tokens, begin, steps["token"].flatten(0, 1)[:, shown], height)
    same = same_id_steps(followed) or ()
    parts = []
    for (n, token), name in zip(tokens.items(), names, strict=True):
        part = {"n": n, "text": fit(name, NAME), "step": token}
        part |= {"y": TOP + ROW_PITCH * (n - first) + gap * (token.sequence - tokens[first].sequence)}
        part |= {"row": rows[token.token_id], "masked": masked == "same_id" and token in same}
        part |= terms(token, n - begin, shown, steps)
        parts.append(part | {"sums": sums(part, settings), "about": about(part, n_sequences)})
    drawing = draw(
        "lessons/home/figure.svg.j2",
        parts=parts,
        rows=rows.values(),
        top=TOP,
        wider=wider,
        height=height,
        count=count,
        sequences=n_sequences,
        table_shape=[settings.vocab_size, D],
        positions="position" in steps,
        kind=settings.position,
        factor=f" times √{D}" if settings.scale else "",
        masked_shape=masked == "numbers",
        down=height + TOP + ABOVE,
        full=full_color(settings.trained, steps["token"]),
        turn=pager("home_column", shown, D, "columns", f"{D:,} columns") if settings.trained else None,
        pages=pager("home_token", range(first, last + 1), count, "tokens", f"{first:,} to {last:,}"),
    )
    reading = f"{len(parts)} of {pluralize(count, 'token')} on the way to the model. " + "; ".join(
        part["about"] for part in parts
    )
    lit = next((n for n, token in tokens.items() if token.position), first)  # at 0 a sine adds nothing
    if masked != "same_id":
        lit = next((n for n, token in tokens.items() if token in same[1:]), lit)
    size = {"width": Figure.width + 3 * wider, "height": TOP + height + BELOW}
    size |= {"narrow": (NARROW, 2 * (TOP + height) + ABOVE + READ_OUT)}
    return Figure(drawing, reading, **size, lit=str(lit), columns=shown, column=shown[0], play="Play")


def rows_in_use(tokens: Mapping[int, Step], begin: int, vectors: Tensor, height: int) -> dict[int, dict]:
    """Return the rows of the table that the tokens select, by ID and evenly spaced, with the parts they belong to.

    The `vectors` are those of the tokens from index `begin` on.
    """
    parts: dict[int, list[int]] = {}
    for n, token in tokens.items():
        parts.setdefault(token.token_id, []).append(n)
    return {
        row: {
            "parts": " ".join(map(str, parts[row])),
            "y": round(TOP + height * (index + 0.5) / len(parts)),
            "numbers": vectors[parts[row][0] - begin].tolist(),
        }
        for index, row in enumerate(sorted(parts))
    }


def terms(token: Step, n: int, shown: Sequence[int], steps: Mapping[str, Tensor]) -> dict[str, list]:
    """Return the shown columns of the terms of the sum for the n-th token, and of the sum."""
    added = steps.get("scaled", steps["token"])
    found = {"token": added.flatten(0, 1)[n], "combined": steps["combined"].flatten(0, 1)[n]}
    if "position" in steps:
        found["position"] = steps["position"][token.position]
    return {name: columns(shown, row.tolist()) for name, row in found.items()}


def sums(part: Mapping[str, Any], settings: Settings) -> list[dict]:
    """Return what is read out for each shown column of a token: its terms, their numbers, and the sum."""
    step, found = part["step"], []
    for n, (column, _, _) in enumerate(part["token"]):
        names = f"{f'√{settings.dim} · ' if settings.scale else ''}W[{step.token_id}, {column}]"
        names += f" + P[{step.position}, {column}]" if "position" in part else ""
        kinds = [name for name in ("token", "position", "combined") if name in part]
        numbers = {name: number(part[name][n].value, DIGITS) for name in kinds}
        found.append({"column": column, "terms": names, "sign": sign_of(*numbers.values())} | numbers)
    return found


def sign_of(*terms: str) -> str:
    """Return the sign between rounded numbers and their rounded sum, which comes last."""
    *summands, total = terms
    return equals(sum(map(printed, summands)), total)


def about(part: Mapping[str, Any], n_sequences: int) -> str:
    step = part["step"]
    sequence = f" of sequence {step.sequence}" if n_sequences > 1 else ""
    terms = [number(part[role][0].value) for role in ("token", "position", "combined") if role in part]
    terms[-1] = "?" if part["masked"] else terms[-1]
    sign = "=" if part["masked"] else sign_of(*terms)
    return (
        f"{part['text']} at position {step.position}{sequence}, ID {step.token_id}, column {part['token'][0].index}: "
        f"{' + '.join(terms[:-1])} {sign} {terms[-1]}"
    )
