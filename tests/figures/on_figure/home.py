from itertools import pairwise

from components.base.settings import Settings
from components.figures.cells import fit, number, printed
from components.figures.columns import pager, shown_columns, shown_rows
from tests.figures.drawn import SVG, Reference, floats, numbers
from tests.figures.geometry import boxes, check_colors, check_reading, elements, lines
from tests.figures.kit import TWENTY, Shown, axis, cells, tally, turns
from tests.questions.references import home
from tests.states import RIVER, app_state

STATES = {
    "no positions": app_state(Settings(position="none", batch_size=1, scale=True, dim=6), RIVER),
    "last page": app_state(Settings(20, 2, position="learned", ids=TWENTY, context_length=10), home_token=17),
    "incomplete sequence": app_state(Settings(dim=2), "one two three four five"),
    "one token each": app_state(Settings(3, 2, context_length=1, batch_size=9, ids="0; 1; 2; 0; 0; 1; 2; 2; 2")),
    "past the last window": app_state(home_token=99),
    "presented": app_state(Settings(dim=64), present=True),
    "presented without positions": app_state(Settings(position="none", dim=4), present=True),
    "few columns": app_state(Settings(dim=3), present=True),
    "ID out of range": app_state(Settings(100)),
    "over 999 tokens": app_state(Settings(dim=2, context_length=501), "x+" * 1_100),
}
LESSONS = ("tokens", "windows", "lookup", "positions", "combine")


class Followed(Shown, home.Reference):
    """The learner of the page, whose tokens are all in its figure, as its questions have them."""


def written(values, digits):
    """Return rounded numbers and their sum, which comes last, and the sign before it."""
    *terms, total = texts = [number(value.item(), digits) for value in values]
    return " + ".join(terms), "=" if sum(map(printed, terms)) == printed(total) else "≈", texts[-1]


def repeated(ids):
    """Return the indices of the first two of the first tokens that have the same ID, or none."""
    first = [n for n, each in enumerate(ids[:8]) if ids[:8].count(each) > 1][:1]
    return first and [*first, ids.index(ids[first[0]], first[0] + 1)]


def drawn(app, masked, extra=0):
    it = Followed(app)
    if not it.flat:
        return None
    (B, T), D, flat, P = it.shape, it.D, it.flat, it.positions
    count, page, shown = len(flat), shown_rows(len(flat), it.choices.home_token), shown_columns(D, 0, 3 + extra)
    same, root, shape = repeated(flat), D**0.5 if it.settings.scale else 1.0, "[B, T, D]"
    asks_same = masked and bool(same) and P is not None
    turned, texts = turns(pager("home_token", page, count, "tokens", f"{page[0]} to {page[-1]}"))
    texts += tally("tokens", f"{len(page)} of {count:,}", "IDs", "[B, T]", "=")
    texts += tally("table", str([it.V, D]), "token embeddings", shape + f" times √{D}" * it.settings.scale)
    texts += tally("position embeddings", "none" if P is None else f"[T, D], {it.position}")
    texts += tally("combined", "[?]" if masked and not asks_same else shape, "rows in use, evenly spaced")
    texts += axis(shown) + axis(shown) + (tally() if P is None else axis(shown) + tally("t", "+"))
    names = {}
    for n in page:
        i, t, name = flat[n], n % T, fit(it.tokens[n], 245)
        W = it.token_table[i] * root
        terms = [W, W] if P is None else [W, P[t], W + P[t]]
        of_sequence = B > 1 and f"sequence {n // T}"
        texts += tally(fit(name, 84), f"{i}", f"{fit(name, 128)} position {t}" + f", {of_sequence}" * (B > 1), part=n)
        for kind, row in zip(("token", "position", "combined")[:: 1 if P is not None else 2], terms, strict=True):
            hidden = kind == "combined" and asks_same and n in same
            texts += tally("?", part=n) if hidden else cells(n, row, shown)
        texts += tally() if P is None else tally(t, part=n)
        for c in shown:
            added, sign, total = written([row[c] for row in terms], 4)
            total = "?" if asks_same and n in same else total
            read = f"√{D} · " * it.settings.scale + f"W[{i}, {c}]"
            read += f" = {added}" if P is None else f" + P[{t}, {c}] = {added} {sign} {total}"
            texts += tally(read, part=n, column=c)
        added, sign, total = written([row[0] for row in terms], 2)
        where = f"{name} at position {t}" + f" of {of_sequence}" * (B > 1)
        total = "= ?" if asks_same and n in same else f"{sign} {total}"
        names[str(n)] = f"{where}, ID {i}, column 0: {added} {total}"
    chosen = [{"lesson": lesson} for lesson in LESSONS] + turned
    reading = numbers(f"{len(page)} of {count:,} tokens; " + "; ".join(names.values()))
    second = next((n for n in page if n % T), page[0])
    second = same[1] if same and same[1] in page and not asks_same else second
    return Reference(texts, chosen, names, reading, (str(second), 0))


def check(app, figure, masked):
    """Fail unless a token leads to its row and on to its sum at its height; sequences are apart."""
    check_colors(figure)
    check_reading(figure)
    assert figure.play == "Play"
    found, it = boxes(figure), Followed(app)
    heights = {n: {box.middle for box in found if n in box.parts} for box in found for n in sorted(box.parts)}
    assert all(len(each) == 1 for each in heights.values())
    tokens = sorted((int(n), *each) for n, each in heights.items())
    for (n, y), (m, below) in pairwise(tokens):
        assert below - y == 30 if n // it.shape[1] == m // it.shape[1] else 30 < below - y <= 36
    rows = {}
    for e in elements(figure):
        if e.tag == f"{SVG}rect" and e.get("class") == "path":
            rows |= dict.fromkeys(e.get("data-part").split(), float(e.get("y")) + float(e.get("height")) / 2)
    (strip,) = [e for e in elements(figure) if e.get("fill") == "var(--token-soft)"]
    left, top, width, height = floats(strip, "x", "y", "width", "height")
    assert all(top < y - 11 < y + 11 < top + height for y in rows.values())
    cells = [e for e in elements(figure) if "--share" in e.get("style", "")]
    of_rows = [floats(e.find(f"{SVG}rect"), "x", "width") for e in cells if e.find(f"{SVG}text") is None]
    assert all(left < x < x + wide < left + width for x, wide in of_rows)
    for line in lines(figure):
        (n,) = line.parts
        ends = [*heights[n], rows[n]]
        assert [line.start[1], line.end[1]] == (ends if line.start[0] < 200 else ends[::-1])
    ids, ordered = zip(*sorted({(it.flat[int(n)], y) for n, y in rows.items()}), strict=True)
    assert ([*ids], [*ordered]) == (sorted({*ids}), sorted({*ordered}))
    spaces = [below - y for y, below in pairwise(ordered)]
    assert not spaces or max(spaces) - min(spaces) <= 2
