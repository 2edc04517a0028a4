"""What the figure of Errors shows: the values, rows and message of a run, from its variables and invalid values."""

import ast
import re
from copy import deepcopy
from itertools import groupby, pairwise, zip_longest
from operator import itemgetter
from textwrap import dedent, wrap

import numpy as np
import torch

from components.failures.cases import row_range
from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.figures.cells import fit
from tests.figures.drawn import Reference, all_of, floats, root_of
from tests.figures.kit import MASK, tally
from tests.questions.references.errors import parameters
from tests.states import app_state

HOSTILE = "</text><script>'\"{{7*7}}"
OWN = """ids=-9 0 1 2 3 4|ids=1 5 1 6|ids=-2 -8 1 9 7|ids=5 5 5 5 3|ids=1 2 3 4 5 0 8|ids=[[]]|ids=((|ids=1 12345678
ids=[1, [2], -3]|ids=1 2; 1 2; 1 2; 1 2; 7 2|ids=[[[1, 2]], [[3, 4]]]|ids=0 1 2 3 4 5 6; 6 5 4 3 2 1 0
dtype=int64&ids=1.5 1|dtype=int64&ids=4e9 9|dtype=float32&ids=2 1|dtype=bool&ids=2 1|D=0|V=0|T=0|V=14
V=5000&T=999&ids=4999 0 7 8 9|V=15&D=1"""
OTHERS = f"""unknown_word&word={HOSTILE}|unknown_vector&key={HOSTILE}|special_token&text={HOSTILE}
float_ids&wrong_dtype=bool|unknown_vector&key=king|past_position_table&V=9|id_equals_v&V=1|undecodable_id&token_id={2**33}"""
CASES = [*FAILURES, *re.split(r"[|\n]", OTHERS), f"own&ids={'9 ' * 100}", f"own&ids={'1 ' * 50} 8 2"]
CASES += [f"own&{each}" for each in re.split(r"[|\n]", OWN)]


def state_of(case):
    name, *values = case.split("&")
    choices = {f"lab_{key}": value for key, value in (each.split("=", 1) for each in values)}
    return app_state(experiment=name, **{key: int(text) if text.isdigit() else text for key, text in choices.items()})


STATES = {case: state_of(case) for case in CASES}
FIRST = {"lab_V": 6, "lab_D": 3, "lab_T": 4, "lab_B": 2}  # what a card sets besides its experiment


def drawn(app, masked):
    choices = app.state.choices
    chosen = FAILURES[choices.experiment]
    try:
        outcome = run_failure(chosen.name, **parameters(choices, app.state.settings.seed))
    except ValueError:
        return None
    run, causes = outcome.run, [*map(str, outcome.invalid_values[:2])]
    heading, rows = values_of(run, outcome.invalid_values)
    wrong = [(r, c) for r, row in enumerate(rows) for c, (_, _, reason) in enumerate(row) if reason and not masked]
    top, left = ([*wrong, (0, 0)])[0]
    longest = max(map(len, rows))
    top, left = min(top, len(rows) - 3) * (top > 2), min(left, longest - 6) * (left > 5)
    room = 59 if heading.startswith(("ids", "sentence")) else 101 if longest > 2 else 139
    values = {  # the cells that are shown, by their part
        f"value-{r}-{c}": (name, "?" if masked and name in ("sum", "share") else text, "" if masked else reason)
        for r, row in [*enumerate(rows)][top : top + 3]
        for c, (name, text, reason) in [*enumerate(row)][left : left + 6]
        if text
    }
    cut = "".join(f"from {name} on" for name, *_ in [*values.values()][:1]) * (longest > 6 or len(rows) > 3)
    tables = [(role, shape, [] if masked else requested) for role, shape, requested in tables_of(run)]
    lines = wrap(run.raised.strip() or "No exception is raised.", 60)
    located = wrap(where(run), 60)
    value = causes and outcome.invalid_values[0].value
    named = re.findall(r"-?\d+|list|instead", run.message.replace("#1", ""))
    if run.exception and isinstance(value, int | float) and not {f"{value}", "list", "instead"} & {*named}:
        causes[0] = f"Not in the message: {causes[0]}"
    first = 26 + 46 * len(tables) + (74 if not values else 42 + 30 * len({part[:7] for part in values}))
    code = [part for line in code_of(run.code) for part in broken(line)]
    most = max(3, (302 - first - 18 * min(4, len(code) - 1)) // 18)
    lines = lines if len(lines) <= most else wrap(" ".join(lines), 60, max_lines=most, placeholder="…")
    found = [line for cause in causes for line in wrap(cause, 70)][: 1 if len(lines) > 2 else 2]
    below = 28 + 20 * len(found) if found else 24
    height = max(100, 12 + 18 * (len(lines) + len(located) - 1) + below)
    whole, code = code, code[-n:] if (n := (362 - height - first) // 18 + 1) > 0 else []
    while code and code[0].startswith(8 * " "):
        code.pop(0)
    words = (
        [heading, cut] + ["code: the last lines"] * bool(code and code != whole) + [fit(line, 534, 14) for line in code]
    )
    words += [] if code else [fit(code_of(run.code)[-1].removeprefix("result = "), 330 if cut else 400, 14)]
    if room > 78:
        words += {part[:7]: name for part, (name, _, _) in values.items()}.values()
    for role, (n_rows, _), requested in tables:
        boxes = lacking(requested, n_rows)
        words += [f"{role} embedding table", row_range(n_rows) + " · raised it" * bool(boxes)]
        words += map(str, range(n_rows) if n_rows < 15 and (requested or masked) else ())
        words += [fit(f"{row}", 36 if row < 0 else 69, 14) for row in boxes]
        words += [] if requested or masked else ["not reached"]
    if masked:
        words += MASK
    else:
        words += [fit(line, 523, 14) for line in lines] + [fit(line, 534, 14) for line in located] + found
    texts = tally(*filter(None, words))
    names = {part: f"{name} = {text}{f': {why}' if why else ''}" for part, (name, text, why) in values.items()}
    for part, (_, text, _) in values.items():
        texts += tally(fit(text, room, 14), fit(names[part], 424, 14), part=part)
    listed = []
    for title, group in GROUPS.items():
        is_open, members = chosen in group, group if chosen in group and len(group) > 1 else group[:1]
        listed += members
        texts += tally(title, part="" if len(members) > 1 else f"case-{members[0].name}")
        for each in members:
            names[f"case-{each.name}"] = (each.title if is_open else title) + ", chosen" * (each == chosen)
            if len(members) > 1:
                texts += tally(each.title, part=f"case-{each.name}")
    read = f"{chosen.title}: {heading}"
    for name, group in groupby(values.values(), key=itemgetter(0)):
        first, *others = [text for _, text, _ in group]
        read += f", {name} [{', '.join([first, *others])}]" if others else f", {name} = {first}"
    read = ". ".join([read, *(f"{role}_table {[*shape]}" for role, shape, _ in tables)])
    if not masked:
        raised = run.raised.strip() or "No exception is raised"
        read += f". {raised.removesuffix('.')}" + f". {'; '.join(causes)}" * bool(causes)
    message = [fit(lines[0], 523, 14)] * bool(run.exception and not masked)
    if not masked and run.exception:  # a phone shows all of the message
        narrow = [each for each in root_of(app.learner.outputs.figure).iter() if each.get("class") == "narrow-only"]
        assert "".join(run.raised.split()) in "".join("".join(narrow[-1].itertext()).split())
    narrow_code = [part for line in code_of(run.code) for part in broken(line, 54)]
    cut = all_of(root_of(app.learner.outputs.figure), "text[@class='small end narrow-only']")
    assert [each.text for each in cut] == ["code: the last lines"] * (len(narrow_code) > 9)
    check_marks(app.learner.outputs.figure, chosen, values, tables, message)
    choices = [{"experiment": each.name} | FIRST for each in listed]
    return Reference(texts, choices, names, f"{read}.", (f"case-{chosen.name}", None))


def values_of(run, invalid_values):
    """Return the heading and rows of cells: name, text, and the reason if it is invalid; a gap has no text."""
    found, reasons = run.variables, {str(each).partition(" = ")[0]: each.reason for each in invalid_values}
    name = "sentence" if "sentence" in found else "ids"
    listed = [*map(repr, found[name])] if name == "sentence" else found.get("typed_ids", found.get(name))
    if listed is not None and (not reasons or re.search(rf"({name}|positions)\[", str([*reasons]))):
        rows = [*lists(listed if isinstance(listed, list) else listed.tolist())]
        length = f" {[*np.shape(listed)]}" if len({*map(len, rows)}) == 1 else ""
        tensor = found.get("ids")
        heading = f"{name} {[*tensor.shape]}" if isinstance(tensor, torch.Tensor) else name + length
        for row in rows:
            for column, (at, each) in enumerate(row):
                reason = reasons.get(f"{name}{[*at]}", reasons.get(f"positions[{at[-1]}]", ""))
                row[column] = f"{name}{[*at]}", f"{each}", reason
        return heading, rows
    if {"token", "position"} <= {*found} or ("hot" in found and found["hot"].shape[1] != len(found["W"])):
        names = ("token", "position") if "token" in found else ("hot", "W")
        shapes = [[*map(str, found[each].shape)] for each in names]
        if "token" in found:
            sums = [added(*sizes) for sizes in zip_longest(*(shape[::-1] for shape in shapes), fillvalue="")][::-1]
            gaps = [len(sums) - len(shape) for shape in shapes]
        else:
            sums, gaps = [], [0, 1]
        rows = [
            [("", "", "")] * gap + [(each, size, reasons.get(f"{each}.shape[{i}]", "")) for i, size in enumerate(shape)]
            for each, gap, shape in zip(names, gaps, shapes, strict=True)
        ]
        return "shapes", rows + [[("sum", size, "neither" if "?" in size else "") for size in sums]] * bool(sums)
    rows = [[(each, f"{n}", "") for n in found[each].shape] for each in ("W", "contexts") if "contexts" in found]
    rows += [[(str(each).partition(" = ")[0], f"{each.value}", each.reason)] for each in invalid_values]
    return "values", rows or [[("key", found["key"], "")]]


def lists(nested, index=()):
    """Yield the items of each list by their index, unless it has lists alone, which are empty among numbers."""
    numbers = [i for i, each in enumerate(nested) if not isinstance(each, list)]
    if numbers or not nested:
        yield [((*index, i), nested[i] if i in numbers else "") for i in range(max(numbers, default=-1) + 1)]
    for i, each in enumerate(nested):
        if isinstance(each, list):
            yield from lists(each, (*index, i))


def added(*sizes):
    try:
        return str(*torch.broadcast_shapes(*((int(size),) for size in sizes if size)))
    except RuntimeError:
        return f"{' / '.join(sizes)}?"


def tables_of(run):
    """Return the role of each table, its shape, and the rows that were looked up, in order."""
    found, tables = run.variables, []
    if run.failed.startswith("nn.Embedding"):
        return [("token", found["W"].shape, [found["padding_idx"]])]
    for role, name in (("token", "ids"), ("position", "positions")):
        table, ids = found.get(f"{role}_table"), found.get(name)
        if table is None or not isinstance(ids, torch.Tensor) or ids.dtype not in (torch.int64, torch.int32):
            break
        reached = role == "token" or "token_table" not in run.failed
        tables.append((role, table.weight.shape, sorted({*ids.flatten().tolist()}) if reached else []))
    return tables


def lacking(requested, n_rows):
    """Return the nearest rows below and above a table that were looked up."""
    return [row for row in requested if row < 0][-1:] + [row for row in requested if row >= n_rows][:1]


def code_of(code):
    """Return the lines that are run, without imports and without the last one, which prints."""
    lines, found = code.splitlines(), []
    body = [each for each in ast.parse(code).body if not isinstance(each, ast.Import | ast.ImportFrom)]
    for each in body[:-1] + body[-1].body[:-1]:
        found += dedent("\n".join(lines[each.lineno - 1 : each.end_lineno])).splitlines()
    return found


def broken(line, most=63):
    """Return a line of code in parts of at most so many characters, without its comment if that makes it longer."""
    code = line if len(line) <= most else line.partition("  #")[0]
    how = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": 8 * " "}
    return wrap(code, most, **how)


def where(run):
    if run.exception:
        return f"raised by {run.failed}"
    if shape := [*getattr(run.result, "shape", ())]:
        return f"The result has the shape {shape}."
    number = isinstance(run.result, torch.Tensor)
    return f"The result is {f'{float(run.result):.4g}' if number else repr(run.result)}."


def check_marks(figure, chosen, values, tables, message):
    """Compare what is marked, lit and connected with what is invalid, was looked up, and is lacking."""
    root = deepcopy(root_of(figure))
    for parent in [*root.iter()]:
        parent[:] = [each for each in parent if "narrow-only" not in each.get("class", "")]
    assert {each.get("font-size") for each in all_of(root, "text[@class='code wide-only']")} <= {"14"}  # unlike phones
    of_group = GROUPS[chosen.group] if len(GROUPS[chosen.group]) > 1 else ()
    assert ["ink" in dot.get("fill") for dot in all_of(root, "circle")] == [each == chosen for each in of_group]
    marked = [part for part, (*_, reason) in values.items() if reason]
    assert [each.get("data-part") for each in all_of(root, "g[@class='bad']")] == marked
    red = [each for each in all_of(root, "text") if "error" in each.get("class", "")]
    assert {*message} <= {each.text for each in red}
    behind = [each.get("fill") for each in all_of(root, "rect[@class='message']")]
    assert behind in ([], ["var(--error)" if message else "var(--gray)"])
    chips = [*all_of(root, "g[@class='chip']"), *all_of(root, "g[@class='bad']")]
    chips = {each.get("data-part"): floats(each[0], "x", "width") for each in chips}
    strips = all_of(root, "rect[@fill-opacity='0.15']")
    edges = [(each.get("x"), *floats(each, "y", "height")) for each in all_of(root, "rect")]
    cards = [(y, y + height) for x, y, height in edges if x in ("1", "1.5")]
    assert all(0 < top - bottom < 5 for (_, bottom), (top, _) in pairwise(cards))
    assert cards[-1][1] < figure.height
    for start, end in cards:  # the experiments of a card are below its title
        inside = [edge for x, y, height in edges if x == "5" and start < y < end for edge in (y, y + height)]
        assert [start + 23, *inside, end] == sorted([start + 23, *inside, end])
    assert sum(x == "5" for x, _, _ in edges) == len(of_group)
    arrows = []
    for strip, (role, (n_rows, _), requested) in zip(strips, tables, strict=True):
        left, top, width = floats(strip, "x", "y", "width")
        (label,) = all_of(root, f"text[@class='heading {role}']")
        assert top < float(label.get("y")) < top + 28
        borders = [each for each in all_of(root, "path") if each.get("d").endswith(f" {top:g}v28")]
        assert {each.get("stroke") for each in (strip, *borders)} == {strip.get("fill")} == {f"var(--{role})"}
        places = {row: left + width * row / n_rows for row in requested if 0 <= row < n_rows}
        lit = [(*floats(each, "x", "y"), each.get("fill")) for each in all_of(root, "rect[@fill-opacity='0.45']")]
        lit = [x for x, y, fill in lit if y == top and role in fill]
        assert all(any(abs(x - each) <= 1 for each in lit) for x in places.values())
        assert len(lit) <= len(places)
        readouts = [each for each in all_of(root, "g[@class='readout']") if floats(each[0], "y") == [top]]
        linked = {part: float(each[0].get("x")) for each in readouts for part in each.get("data-part").split()}
        rows = {part: part[-1] if role == "position" else text for part, (name, text, _) in values.items()}
        rows = {part: row for part, row in rows.items() if ".shape" not in values[part][0]}
        wanted = {part: x for part, row in rows.items() for each, x in places.items() if row == str(each)}
        assert linked.keys() == wanted.keys()
        assert all(abs(linked[part] - x) <= 1 for part, x in wanted.items())
        ends = [float(each.get("x")) for each in red if each.get("y") == f"{top + 14:g}"]
        boxes = [each for each in all_of(root, "rect[@stroke-dasharray='5 4']") if floats(each, "y") == [top]]
        for row, end, box in zip(lacking(requested, n_rows), ends, boxes, strict=True):
            start, wide = floats(box, "x", "width")
            assert start < end < start + wide < left if row < 0 else left + width < start < end < start + wide
            from_chips = [chips[part] for part, each in rows.items() if each == str(row)]
            arrows += [(x + wide / 2, end) for x, wide in from_chips[:1]]
    paths = [each.get("d") for each in all_of(root, "path[@stroke='var(--error)']")]
    paths = [[*map(float, re.findall(r"-?[\d.]+", each))] for each in paths]  # down, to the side, and down
    assert [(path[0], path[7] + path[8]) for path in paths] == arrows
    assert all(path[1] + path[2] + path[4] < floats(strips[0], "y")[0] for path in paths)  # above the tables
