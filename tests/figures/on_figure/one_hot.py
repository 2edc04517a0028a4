import re
from itertools import pairwise

import pytest

from components.base.settings import Settings
from components.figures.cells import factor, fit, number
from components.figures.columns import pager, shown_columns, shown_rows
from tests.figures.drawn import SVG, Reference, numbers
from tests.figures.geometry import boxes, check_colors, check_reading, elements
from tests.figures.kit import MASK, Shown, axis, cells, in_columns, tally, turns
from tests.questions.references.learner import counted
from tests.states import app_state

TYPED = Settings(10, 7, context_length=12, ids="0 1 2 3 4 5 6 7 8 9 9 1")
STATES = {
    "lookup": app_state(TYPED, way="lookup", one_hot_token=9, one_hot_column=3),
    "presented": app_state(Settings(dim=64), present=True, one_hot_column=9),
    "presented lookup": app_state(TYPED, present=True, way="lookup", one_hot_column=5),
    "one row": app_state(Settings(1, 1, ids="0 0")),
    "two rows": app_state(Settings(2, 2, ids="1")),
    "four rows": app_state(Settings(4, 4, ids="3 3 1"), one_hot_column=9),
    "nine rows": app_state(Settings(9, 2, context_length=8, ids="0 1 2 3 4 5 6 7")),
    "last page": app_state(TYPED, one_hot_token=9, one_hot_column=2),
    "many rows": app_state(Settings(200_019, 2, batch_size=8), "the river bank is steep and the town lends money"),
}


def drawn(app, masked, extra=0):
    it, product = Shown(app), app.state.choices.way == "product"
    if not it.flat:
        return None
    N, V, D, W = len(it.flat), it.V, it.D, it.token_table
    page, shown = shown_rows(N, it.choices.one_hot_token), shown_columns(D, it.choices.one_hot_column, 3 + extra)
    ids, at = it.flat[page.start : page.stop], shown[0]
    more = [row for row in (range(V) if V <= 8 else (V - 1, 0)) if row not in ids]
    rows = sorted({*ids, *more[: 8 - len({*ids})]})
    of_columns = pager("one_hot_column", shown, D, "columns")
    turned, texts = turns(pager("one_hot_token", page, N, "tokens"), of_columns)
    texts += tally("tokens", "table", [V, D], "result", [N, D])
    texts += axis(shown) + axis(shown) + tally("as a product", "as a lookup")
    texts += tally(f"{page[0]} to {page[-1]}") if len(page) < N else tally()
    if product:
        n_shown, n_cut = len(rows) - 1, V - len(rows)  # zeros of a vector
        cut = f", {'most' if n_cut > n_shown else 'some'} zeros left out" * (n_cut > 0)
        texts += tally(f"{[N, V]}{cut}", "one-hot vectors", "as a column", *"×=")
    else:
        texts += tally("IDs", [N])
    for row in rows:
        parts = " ".join(str(t) for t, i in enumerate(ids) if i == row)
        texts += cells(parts, W[row], shown) + tally(*[row] * (1 + product), part=parts) + tally(*"0" * product)
        texts += tally(1, part=parts) if product and parts else tally()
    names = {}
    for t, (i, token) in enumerate(zip(ids, it.tokens[page.start :], strict=False)):
        texts += tally(fit(token, 84), *["1", f"row {page[t]}"] if product else [i], part=t) + cells(t, W[i], shown)
        texts += tally("0" * (len(rows) - 1), part=t) if product and len(rows) > 1 else tally()
        n = rows.index(i)
        first = max(0, min(n - 1, len(rows) - 3))
        beside = rows[first : first + 3]
        left_out = f" + {counted(V - len(beside), 'more zero')}" * (len(beside) < V)
        for c in shown:
            terms = [f"{int(row == i)} · {factor(W[row, c].item())}" for row in beside]
            read = " + ".join(terms) + left_out if product else f"W[{i}, {c}], copied"
            texts += tally(f"column {c}:", read, "=", number(W[i, c].item()), part=t, column=c)
        how = f"the 1 is in column {i}, which selects row {i}" if product else f"row {i}"
        names[str(t)] = f"{token}, ID {i}: {how} of the table, {in_columns(W[i], shown)}"
    multiplied = f"{N * V * D:,}" if product else "0"
    if masked:
        texts += tally("multiplications:", *MASK)
    elif product:
        takes = counted(N * V * D, "multiplication")
        texts += tally(f"{N:,} × {V:,} × {D:,} = {takes} , by 1: {N:,} × {D:,} = {N * D:,}")
    else:
        texts += tally(f"0 multiplications : {counted(N * D, 'number')} copied")
    chosen = [*turned, {"way": "product"}, {"way": "lookup"}]
    reading = f"{N} {V} {V} {D} " * product + f"{N} {D} " + f"{page[0]} {page[-1]} {N} " * (len(page) < N)
    reading += f"{multiplied} " * (not masked) + "; ".join(names.values())
    lit = next((t for t, i in enumerate(ids) if ids.count(i) > 1), 0)
    return Reference(texts, chosen, names, numbers(reading), (str(lit), at))


def check(app, figure, masked):
    """Fail unless each 1 is below its row's index, each 0 below another, and gaps, arrows and the way are marked."""
    check_colors(figure)
    check_reading(figure)
    found, product = [*elements(figure)], app.state.choices.way == "product"
    pressed = [e.get("aria-pressed") for e in found if e.get("aria-pressed")]
    assert pressed == [str(product).lower(), str(not product).lower()]
    assert [e.get("data-choose") is not None for e in found if "lit" in e.get("class", "").split()] == [True]
    end = (520 + figure.width) / 2  # between the table and the result
    rows = {box.middle: box.parts for box in boxes(figure) if box.kind == "cell" and box.left < end}
    labels = [(e.text, float(e.get("x")), float(e.get("y"))) for e in found if "label" in e.get("class", "").split()]
    ids = {text: y for text, x, y in labels if x > 500}
    assert [*ids.values()] == sorted(ids.values(), key=lambda y: y) == [*rows]
    assert [*map(int, ids)] == sorted(map(int, ids))
    (factors,) = [e for e in found if e.get("class") == "factors"]  # which shows a whole column of the table
    table = [e for e in factors.iter() if "--share" in e.get("style", "")]
    assert len(table) == len([box for box in boxes(figure) if box.kind == "cell" and box.left < end])
    if not product:
        arrows = [(e.get("d"), {*e.get("data-part").split()}) for e in found if e.get("d", "").startswith("M458 ")]
        assert arrows == [(f"M458 {y - 5}l8 5-8 5", parts) for y, parts in rows.items() if parts]
        return
    above = [(text, x, y) for text, x, y in labels if x < 420]
    assert [text for text, *_ in above] == [*ids]
    where, pitch = {text: x for text, x, _ in above}, 312 / len(above)
    assert [*where.values()] == pytest.approx([101 + pitch * (n + 0.5) for n in range(len(above))])
    for (text, x, y), (other, other_x, other_y) in pairwise(above):
        assert y != other_y or other_x - x >= 7 * len(text + other) / 2 + 5
    assert all(y == max(y for *_, y in above) for _, _, y in above) or pitch < 7 * 6 + 5
    for e in found:
        if e.get("class") == "chip one":
            (i,) = [text for text, y in ids.items() if e.get("data-part") in rows[y]]
            assert float(e.find(f"{SVG}text").get("x")) == where[i]
        zeros = e.find(f"{SVG}text") if e.tag == f"{SVG}g" and e.get("class") is None and e.get("data-part") else None
        if zeros is not None:
            (i,) = [text for text, y in ids.items() if e.get("data-part") in rows[y]]
            assert [*map(float, zeros.get("x").split())] == [x for text, x in where.items() if text != i]
    indices = [-1, *map(int, ids)]
    cuts = [101 + pitch * n for n, (one, other) in enumerate(pairwise(indices)) if other > one + 1]
    (gaps,) = [e for e in found if e.get("stroke-dasharray")]
    assert [float(x) for x in re.findall(r"M(\S+)", gaps.get("d"))] == pytest.approx(cuts)
