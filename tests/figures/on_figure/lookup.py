import re
from itertools import chain

import pytest

from components.base.settings import Settings
from components.figures.cells import fit
from components.figures.columns import pager, shown_columns, shown_rows
from components.figures.sizes import CELL_HEIGHT
from tests.figures.drawn import Reference, floats, numbers
from tests.figures.geometry import boxes, check_colors, check_reading, elements, lines
from tests.figures.kit import MASK, TWENTY, Shown, axis, cells, in_columns, tally, turns
from tests.states import RIVER, app_state

STATES = {
    "sequence": app_state(text=RIVER, input="sequence"),
    "single ID": app_state(Settings(6, 40, ids="2 3 3 1"), input="single", column=24),
    "two rows": app_state(Settings(2, 3, ids="1 0")),
    "second page": app_state(Settings(20, 2, context_length=10, ids=TWENTY), lookup_token=9),
    "presented": app_state(Settings(60, 64, ids=TWENTY, context_length=10), present=True, column=9),
    "presented with all columns": app_state(Settings(dim=6), present=True),
    "last page": app_state(Settings(20, 2, context_length=10, ids=TWENTY), lookup_token=10**4),
}


def drawn(app, masked, extra=0):
    choices = app.state.choices
    it = Shown(app, axes={"batch": 2, "sequence": 1, "single": 0}[choices.input])
    if not it.flat:
        return None
    count, shown = len(it.flat), shown_columns(it.D, choices.column, 5 + extra)
    page = shown_rows(count, choices.lookup_token, 9)
    ids = it.flat[page.start : page.stop]
    chosen, texts = turns(pager("lookup_token", page, count, "tokens", f"{page[0]} to {page[-1]}"))
    texts += tally("tokens", "IDs", it.shape, "table, and the rows in use", [it.V, it.D], "result")
    texts += tally("[?]" if masked else [*it.shape, it.D], 0, it.V - 1) + axis(shown)
    texts += tally(*MASK) if masked else axis(shown)
    texts += tally(f"{len(page)} of {count}") if len(page) < count else tally()
    names, read = {}, []
    for i, token in zip(ids, it.tokens[page.start :], strict=False):
        row = it.token_table[i]
        texts += tally(i, fit(token, 84), part=i) + (tally() if masked else cells(i, row, shown))
        if str(i) not in names:
            texts += tally(i, part=i) + cells(i, row, shown)
        names[str(i)] = f"{token}, ID {i}: row {i} of the table, {in_columns(row, shown)}"
        read.append(names[str(i)])
    cut = f"{page[0]} {page[-1]} {count} " if len(page) < count else ""
    reading = numbers(f"{len(ids) if ids[1:] else ''} {len({*ids})} {it.V:,} {it.D:,} {cut}" + "; ".join(read))
    lit = next((i for i in ids if ids.count(i) > 1), ids[0])
    return Reference(texts, chosen, names, reading, (str(lit), shown[0]))


def check(app, figure, masked):
    """Fail unless each token leads to its row's height in the table's strip, and this row to a copy beside it."""
    check_colors(figure)
    check_reading(figure)
    assert re.search(r" columns?\. ", figure.reading)
    found = boxes(figure)
    soft = [e for e in elements(figure) if e.get("fill") == "var(--token-soft)"]
    top, height = floats(soft[0], "y", "height")
    arrows = [e.get("d") for e in elements(figure) if e.get("stroke") == "var(--gray)"]
    start = [float(re.match(r"M(\S+)", each)[1]) for each in arrows]
    assert [x > max(box.right for box in found) for x in start] == [True] * masked
    chips = [box for box in found if box.kind == "chip" and box.parts]
    rows = {box.parts: box.middle for box in found if box.kind == "cell" and box.left < 600}
    strip = {part: top + 2 + (height - 4) * int(*part) / max(1, app.state.settings.vocab_size - 1) for part in rows}
    assert [*map(int, chain(*rows))] == sorted({int(*chip.parts) for chip in chips})
    assert [*rows.values()] == sorted(rows.values())
    ways = [(line.parts, line.start[1], line.end[1]) for line in lines(figure)]
    to_strip = [(chip.parts, chip.middle, pytest.approx(strip[chip.parts])) for chip in chips]
    assert ways[:: 1 if masked else 2] == to_strip
    assert masked or ways[1::2] == [(chip.parts, rows[chip.parts], chip.middle) for chip in chips]
    copies = {(box.parts, box.middle) for box in found if box.kind == "cell" and box.left > 600}
    assert copies == (set() if masked else {(chip.parts, chip.middle) for chip in chips})
    marks = [
        re.match(r"M213 (\S+)H239$", e.get("d", "")) for e in elements(figure) if e.get("stroke") == "var(--token)"
    ]
    assert [float(each[1]) for each in marks] == pytest.approx([*strip.values()])
    ends = [[float(y) for y in re.match(r"M\S+ ([\d.]+)C.* ([\d.]+)H325", each.get("d")).groups()] for each in soft[1:]]
    assert ends == [pytest.approx([strip[part] - 1, row - CELL_HEIGHT / 2]) for part, row in rows.items()]
