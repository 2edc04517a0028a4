"""The figure of the lesson on windows, computed by trying every start."""

import re
from collections import Counter

from torch import Generator
from torch.utils.data import DataLoader

from components.base.settings import Settings
from components.figures.cells import fit
from components.lessons.windows.figure import LEFT, PITCH, TILE
from components.lessons.windows.ribbon import COLUMNS
from tests.figures.drawn import SVG, Reference, all_of, floats, root_of
from tests.figures.kit import tally
from tests.questions.references.learner import Learner, counted
from tests.states import RIVER, app_state, token_ids

BANK = "She left the bank for the riverbank."
STATES = {
    "unused": app_state(Settings(context_length=2, stride=6, batch_size=2), BANK),
    "dropped": app_state(Settings(context_length=2, stride=2, batch_size=2, drop_last=True), RIVER, window_index=8),
    "left over": app_state(Settings(context_length=4, stride=3, batch_size=1, shuffle=True), BANK, window_index=99),
    "all dropped": app_state(
        Settings(context_length=4, stride=9, batch_size=2, drop_last=True), "one " * 30, window_index=2
    ),
    "long windows": app_state(Settings(context_length=18, stride=2, tokenizer="words"), RIVER * 9, window_index=20),
    "long steps": app_state(Settings(context_length=12, stride=5), RIVER * 9, window_index=2),
    "many": app_state(Settings(context_length=1, stride=1, shuffle=True, seed=1), RIVER * 60, window_index=1000),
    "long text": app_state(Settings(context_length=1024, stride=1), "one two " * 2000, window_index=700),
    "in all windows": app_state(Settings(context_length=8, stride=1), RIVER, window_index=5),
    "too short": app_state(Settings(context_length=64), BANK),
    "no batch": app_state(Settings(batch_size=64, drop_last=True), BANK),
}
REASONS = {
    "left over": "left over at the end, after the last window that fits",
    "skipped": "skipped, since the stride is above T",
    "dropped": "in the dropped last batch",
}


def some(ids):
    return f"[{', '.join(map(str, ids if len(ids) <= 4 else [*ids[:3], '…', ids[-1]]))}]"


def drawn(app, masked):
    settings, ids = app.state.settings, token_ids(app.state)
    n, T, stride = len(ids), settings.context_length, settings.stride
    texts = Learner(app.state, ids).names
    starts = [start for start in range(0, n, stride) if start + T < n]
    all_windows = range(len(starts))
    generator = Generator().manual_seed(settings.seed)
    options = {"shuffle": starts and settings.shuffle, "drop_last": settings.drop_last, "generator": generator}
    batches = DataLoader(all_windows, settings.batch_size, **options)
    batch_of = {window: number for number, batch in enumerate(batches) for window in batch.tolist()}
    batch_of = dict(sorted(batch_of.items()))
    if not batch_of:
        return None
    window = min(app.state.choices.window_index, len(starts) - 1)
    start = starts[window]
    first = max(0, min(start - (T < 8), n - 9))  # from the token before the window, if there is room
    columns = [*range(first, min(first + 9, n))]
    if T > 8:
        columns = [*range(start, start + 4), None, *range(start + T - 3, start + T + 1)]
    shown = [each for each in columns if each is not None]
    with_shown = [w for w, begun in enumerate(starts) if begun <= shown[-1] and begun + T >= shown[0]]
    low = max(0, min(with_shown.index(window) - 2, len(with_shown) - 6))
    lanes = [window] if masked else with_shown[low : low + 6]

    def with_input(position, windows):
        return [w for w in windows if starts[w] <= position < starts[w] + T]

    def uses(position):
        """Return the lines on a token: as an input with its target, and as a target with its input."""
        lines = []
        for at, other, use in ((position, position + 1, "input"), (position - 1, position - 1, "target")):
            if found := with_input(at, lanes if masked else [*batch_of]):
                named = [f"window {w:,} at index {at - starts[w]:,}" for w in found[:2]]
                both = ", ".join(named)
                where = both if len(found) < 3 and len(both) <= 52 else f"{named[0]} and {len(found) - 1:,} more"
                before = {"input": "its target is", "target": "of the input"}[use]
                lines.append((f"{use} of {where}, {before}", texts[other], ids[other]))
        return lines or [(f"not in window {window:,}" if masked else f"unused: {REASONS[unused(position)]}", "", "")]

    def unused(position):
        in_batches, in_any = (with_input(position, ws) + with_input(position - 1, ws) for ws in (batch_of, all_windows))
        if in_batches:
            return ""
        return "dropped" if in_any else "left over" if position > starts[-1] + T else "skipped"

    sizes = f"{counted(n, 'token')}, T = {T:,}, stride = {stride:,}"
    formula = f"⌊({n:,} − {T:,} − 1) / {stride:,}⌋ + 1 = {counted(len(starts), 'window')}"
    title = [f"{sizes}:", "? windows" if masked else formula]
    if not masked and len(lanes) < len(starts):
        title += [f", windows {lanes[0]:,} to {lanes[-1]:,} shown" if lanes[1:] else f", window {lanes[0]:,} shown"]
    span = f"{shown[0]:,} to {shown[-1]:,} of {n:,}" if len(shown) < n else ""
    left = ["input", "target", "position", *(("?", "answer to see it") if masked else ("as input", "as target"))]
    found = Counter()
    found += tally(*filter(None, (" ".join(title), span, *left)))
    reading, names, boxes = [], {}, Counter()

    for shift, color in enumerate(("gray", "target")):
        before = [(-1, columns[0] - shift)] * shift
        for column, position in (*before, *enumerate(columns)):
            if position is None:
                found += tally(f"{T - 7:,} more")
            elif position + shift == n:
                found += tally("none")
            else:
                part, at = " ".join(map(str, with_input(position, lanes))), position + shift
                found += tally(fit(texts[at], TILE - 6), ids[at], part=part, column=at)
                boxes["tile", part, str(at), color, column] += 1
    for column, position in enumerate(columns):
        at = "" if position is None else str(position)
        found += tally(f"{position:,}" if at else "…", column=at)
        if not at or masked:
            continue
        times = [len(with_input(position - shift, batch_of)) for shift in (0, 1)]
        reason = unused(position)
        found += tally(*[reason] if reason else [f"{t}×" if t else "never" for t in times], column=at)
        boxes.update(("cell", "", at, color, column) for color in (["error"] if reason else ["gray", "target"]))
    for w in lanes:
        sides = [ids[starts[w] + shift :][:T] for shift in (0, 1)]
        in_batch = [] if masked else [f"batch {batch_of[w]:,}" if w in batch_of else "dropped"]
        found += tally(f"{w:,}" if len(starts) > 999 else f"window {w:,}", *in_batch, part=str(w))
        found += tally(f"window {w:,}", " → ".join(map(some, sides)), part=str(w))
        names[str(w)] = f"Window {w:,}: inputs {some(sides[0])}, targets {some(sides[1])}"
        for shift, color in enumerate(("gray", "target")):
            for column, position in enumerate(columns):
                gap = range(start + 4, start + T - 3) if position is None else [position]
                if with_input(gap[0] - shift, [w]) or with_input(gap[-1] - shift, [w]):
                    at = "" if position is None else str(position)
                    boxes["use", str(w), at, color, column] += 1
                    if at and len(lanes) < 4:
                        found += tally(position - shift - starts[w], part=str(w), column=at)
    for position in shown:
        part, at, lines = " ".join(map(str, lanes)), str(position), uses(position)
        readings = [f"{use} {fit(name, 92)} {i}" for use, name, i in lines]
        found += tally(fit(texts[position], LEFT - 6), f"ID {ids[position]}", *readings, part=part, column=at)
        readings = "; ".join(f"{use} {name} {i}".strip() for use, name, i in lines)
        reading.append(f"{texts[position]} {ids[position]}: {readings}")
    both = [w for w in lanes[:-1] if {starts[w], starts[w + 1]} <= {*shown}][:1]
    found += tally(*[f"stride {stride}"] * len(both))

    figure = app.learner.outputs.figure
    part = span and f"Positions {span} are shown"
    reading = filter(None, [" ".join(title).replace(" ,", ","), part, "; ".join(names.values()), "; ".join(reading)])
    assert boxes_in(figure) == boxes
    framed = {w: [each for *own, color, each in boxes if (*own[:2], color) == ("use", w, "gray")] for w in names}
    frames = {
        w: (own[0], own[-1], [each for each in own if columns[each] is not None]) for w, own in framed.items() if own
    }
    assert frames_in(figure) == frames
    assert narrow_frames_in(figure) == {w: (first, last) for w, (first, last, _) in frames.items()}
    assert steps_in(figure) == [columns.index(starts[each]) for w in both for each in (w, w + 1)]
    assert len(figure.svg()) < 48_000
    ends = [sum(floats(each[0], "x", "width")) for each in all_of(root_of(figure), "*[@class='masked']")]
    assert max(ends, default=2_000) >= LEFT + PITCH * (COLUMNS - 1) + TILE
    limits = (window, window) if masked else (0, len(starts) - 1)
    assert (figure.slider.value, figure.slider.low, figure.slider.high) == (window, *limits)
    assert (figure.lit, figure.columns, figure.column) == (str(window), shown, start + T - 1)
    assert bool(figure.play) == (len(lanes) > 1)
    chosen = [] if masked else [{"window_index": w} for w in lanes]
    return Reference(found, chosen, names, ". ".join(reading))


def column_of(x):
    """Return the column at a left edge; it must be one."""
    column, rest = divmod(float(x) - LEFT, PITCH)
    assert rest == 0
    return int(column)


def boxes_in(figure):
    """Return the tiles, bars and numbers with part, position, color and column; the shares of color fit the numbers."""
    found, shares, edges, root = Counter(), {}, {}, root_of(figure)
    for parent in root.iter():
        for box in (each for each in parent if each.get("class") in ("tile", "use", "cell")):
            (rect,), texts = box.findall(f"{SVG}rect"), box.findall(f"{SVG}text")
            x, y, width, height = floats(rect, "x", "y", "width", "height")
            assert all((float(each.get("x")), width) == (x + TILE / 2, TILE) for each in texts)
            assert all(y < float(each.get("y")) < y + height for each in texts)
            look = f"{parent.get('style')} {box.get('fill')} {box.get('style')}"
            color = next((color for color in ("target", "error") if f"var(--{color})" in look), "gray")
            kind, part, at = box.get("class"), box.get("data-part", ""), box.get("data-column", "")
            found[kind, part, at, color, column_of(x)] += 1
            if kind == "use":
                edges[int(part), color] = y, y + height
            elif kind == "cell" and color != "error":
                times = int(texts[0].text.replace("never", "0").rstrip("×"))
                shares[times] = int(re.search(r"--share:(\d+)%", look)[1])
    most = max(shares, default=0)
    assert all(abs(share - (times and 12 + 48 * times / most)) < 1 for times, share in shares.items())
    inside = [edge for lane in sorted(edges) for edge in edges[lane]]  # window by window, inputs above targets
    assert inside == sorted(inside)
    axis = [each for each in all_of(root, "text") if "axis" in each.get("class", "")]
    assert [column_of(float(each.get("x")) - TILE / 2) for each in axis] == [*range(len(axis))]
    return found


def frames_in(figure):
    """Return the first and the last column in the frame of each window, and the columns with an arrow to the target."""
    found = {}
    for part in all_of(root_of(figure), "g[@class='readout']"):
        if frames := part.findall(f"{SVG}rect"):
            ((x, width),) = {(*floats(each, "x", "width"),) for each in frames}
            starts = re.findall(r"M([\d.]+) ", part.find(f"{SVG}path").get("d"))
            arrows = [column_of(float(each) - TILE / 2) for each in starts]
            found[part.get("data-part")] = column_of(x + 3), column_of(x + width - 3 - TILE), arrows
    return found


def narrow_frames_in(figure):
    """Return the first and the last column in the frame of each window, which may be on two sheets."""
    edges = {}
    for part in all_of(root_of(figure), "g[@class='narrow-only']/g[@class='readout']"):
        ends = re.match(r"M([\d.]+) [\d.]+H([\d.]+)", part.find(f"{SVG}path").get("d")).groups()
        edges.setdefault(part.get("data-part"), []).extend(map(float, ends))
    return {w: (column_of(min(each) + 3), column_of(max(each) - 3 - TILE)) for w, each in edges.items()}


def steps_in(figure):
    """Return the columns between which the arrow of the stride leads, if there is one."""
    ends = re.findall(r'd="M([\d.]+) [\d.]+v8m0 -4H([\d.]+)', figure.drawing)
    return [column_of(round((float(x) - LEFT) / PITCH) * PITCH + LEFT) for each in ends for x in each]
