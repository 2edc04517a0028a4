import re
from math import ceil, sqrt

from components.base.settings import Settings
from components.figures.cells import FULL_COLOR, fit, number, printed
from components.figures.columns import pager, shown_columns, shown_rows
from tests.figures.drawn import SVG, Reference, all_of, numbers, root_of
from tests.figures.geometry import boxes, check_axis, check_colors, elements
from tests.figures.kit import MASK, Shown, axis, cells, tally, turns
from tests.states import app_state

TYPED = Settings(6, 6, 42, context_length=4, ids="2 3 5 1; 0 1 1 4")
STATES = {
    "last sequence": app_state(TYPED, b=9, t=3, d=5),
    "scaled": app_state(Settings(6, 6, 42, position="learned", scale=True, ids=TYPED.ids), b=1, d=4),
    "presented": app_state(Settings(dim=64, scale=True), present=True, d=9),
    "presented without positions": app_state(Settings(6, 6, position="none", ids=TYPED.ids), present=True),
    "no positions": app_state(Settings(6, 6, 42, position="none", ids=TYPED.ids)),
    "scaled alone": app_state(Settings(6, 5, 42, position="none", scale=True, ids="2 3")),
}


def drawn(app, masked, extra=0):
    it = Shown(app)
    if not it.flat:
        return None
    (B, T), D, P, W = it.shape, it.D, it.positions, it.token_table
    b, t, d = min(it.choices.b, B - 1), min(it.choices.t, T - 1), min(it.choices.d, D - 1)
    page, shown = shown_rows(T, t), shown_columns(D, d, 5 + extra)
    ids, tokens = (each[b * T : (b + 1) * T] for each in (it.flat, it.tokens))
    by, times = (sqrt(D), f" × √{D}") if it.settings.scale else (1.0, "")
    in_front = f"{[B, T, D]}" + f", in front: b = {b}" * (B > 1)
    of_columns = pager("d", shown, D, "columns", f"{D:,} columns")
    chosen, texts = turns(pager("t", page, T, "tokens", f"{T:,} tokens"), of_columns)
    texts += tally("tokens, IDs", [B, T], "token embeddings" + times, in_front)
    texts += tally("position embeddings", [T, D], "+", "+") if P is not None else tally("no position embeddings")
    texts += tally("=", "combined embeddings", *["[?]", *MASK] if masked else [in_front])
    texts += tally(f"the sum is the {'scaled' if times else 'token'} embedding") if P is None else axis(shown)
    texts += axis(shown) + (tally() if masked else axis(shown))
    width = 102 - ceil(8.5 * max(len(str(ids[n])) for n in page))
    names, lit = {}, ""
    for n in page:
        token, position = W[ids[n]] * by, P[n] if P is not None else None
        out = token if P is None else token + position
        chip = fit(tokens[n], width)
        texts += tally(fit(tokens[n], width, 14) if "…" in chip else chip, ids[n], part=n) + cells(n, token, shown)
        texts += tally() if masked else cells(n, out, shown)
        texts += tally() if P is None else tally(n, part=n) + cells(n, position, shown)
        words = []
        for c in shown:
            first, second, right = number(W[ids[n], c].item(), 4), number(by, 4), number(out[c].item(), 4)
            added = [] if P is None else [number(position[c].item(), 4)]
            total = printed(first) * printed(second) + sum(map(printed, added))
            factors = f"{first} × {second}" if times else first
            line = [f"W[{ids[n]}, {c}]{times}", *[f"P[{n}, {c}]"] * len(added)]
            sign = "=" if masked or total == printed(right) else "≈"
            read = [f"combined[{b}, {n}, {c}]", "?" if masked else right, sign, *line, factors, *added]
            texts += tally(*read, part=n, column=c)
            line = " ".join([*line, f"{b} {n} {c}", factors, *added, right * (not masked)])
            lit = numbers(line) if (n, c) == (t, d) else lit
            added = " + ".join(number(each[c].item()) for each in (token, position) if each is not None)
            words.append(added + f" ≈ {number(out[c].item())}" * (not masked) + f" in column {c}")
        names[str(n)] = f"{tokens[n]}, ID {ids[n]}, position {n}: {', '.join(words)}"
    where = f"{b} {B} " + f"{page[0]} {page[-1]} {T:,} " * (T > 1) + f"{' '.join(map(str, shown))} {D:,} "
    reading = numbers(where + " ".join(tokens[n] for n in page)) + lit
    return Reference(texts, chosen, names, reading, (str(t), d))


def check(app, figure, masked):
    """Fail unless tokens are beside their rows, colors fit the scale, and there are as many sheets as sequences."""
    settings, B = app.state.settings, Shown(app).shape[0]
    check_colors(figure, FULL_COLOR * (sqrt(settings.dim) if settings.scale else 1.0))
    check_rows(figure)
    check_axis(figure)
    assert re.fullmatch("[−.0-9×+=≈? ]+", figure.reading.rpartition(": ")[2])  # the sum of the numbers
    root = root_of(figure)
    operators = {float(e.get("y")) for e in all_of(root, "*[@class='operator']")}
    assert operators <= {15.0, *(float(e.get("y")) for e in all_of(root, "*[@class='read']"))}
    slider = figure.slider and (figure.slider.choice, figure.slider.value, figure.slider.high)
    assert slider == (("b", min(app.state.choices.b, B - 1), B - 1) if B > 1 else None)
    assert sheets(figure) == (min(B, 3) - 1) * (1 if masked else 2)


def check_rows(figure):
    """Fail unless a token and the cells of its row are at one height, and the rows in their order."""
    heights = {}
    for box in boxes(figure):
        for part in box.parts:
            heights.setdefault(part, []).append(box.middle)
    assert all(max(each) - min(each) <= 0.5 for each in heights.values())
    assert [*heights] == sorted(heights, key=int)


def sheets(figure):
    return len([e for e in elements(figure) if e.tag == f"{SVG}rect" and e.get("fill") == "var(--chip)"])
