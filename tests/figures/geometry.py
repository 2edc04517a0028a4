"""Where the parts of a figure are: what must be true of every figure, whatever it shows."""

import re
from collections import namedtuple
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, product
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from components.figures.cells import FULL_COLOR, cell, text_columns, text_width
from components.figures.drawing import FOLDER, STYLE, Figure
from tests.figures.drawn import SVG, all_of, floats, root_of

CURVE = re.compile(r"M(\S+) (\S+)C(\S+) \S+ (\S+) \S+ (\S+) (\S+)")
HIGHEST = 390  # units
NARROWEST, CODE_SIZE = 5.3, 14  # units of a character on average, and the font size of code, in small text
LINE = 9  # units between two lines of text at least
NEAR = 26  # units, of an index from its column
HIDDEN = {"readout", "read", "only-lit", "narrow-only"}  # classes of what is shown for the part that is lit alone
MOVE = re.compile(r"--move: translate\((\S+)px, (\S+)px\)(?: scale\((\S+), 1\))?")
CLASSES = {"bad"} | {
    *re.findall(r"\.([a-z][\w-]*)", STYLE + "".join(each.read_text("utf-8") for each in FOLDER.glob("*.js")))
}
AREA = ("x", "y", "width", "height")
WIDEST = 424  # units of a narrow screen: of 366 pixels, so that the small text has 12


Line = namedtuple("Line", "parts start bends end")  # a curve from one part of a figure to another


class Box(namedtuple("Box", "kind parts column left top right bottom text at sign share contrast own_color starts")):
    """A chip or a cell: its text is at a point, where it `starts` or has its middle; a cell has a sign and a share."""

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def stacked(figure: Figure) -> Figure:
    """Return a figure as it is on a narrow screen: its panels moved below each other."""
    root = deepcopy(root_of(figure))
    _stack(root, 0, 0)
    width, height = figure.narrow
    return replace(figure, drawing=Markup(ElementTree.tostring(root, "unicode")), width=width, height=height)


def _stack(element: ElementTree.Element, right: float, down: float, scale: float = 1.0) -> None:
    if move := MOVE.match(element.get("style", "")):
        right, down, scale = right + float(move[1]), down + float(move[2]), float(move[3] or 1)
    for name, by, times in (("x", right, scale), ("y", down, 1.0), ("width", 0.0, scale)):
        if name in element.attrib:
            element.set(name, " ".join(str(times * float(each) + by) for each in element.get(name).split()))
    for child in list(element):
        if "wide-only" in child.get("class", "").split():
            element.remove(child)
        elif "narrow-only" in child.get("class", "").split():
            child.set("class", child.get("class").replace("narrow-only", ""))
        _stack(child, right, down, scale)


def elements(figure: Figure) -> Iterator[ElementTree.Element]:
    """Yield the elements of a figure that are always shown, if their coordinates are those of the figure."""
    return _elements(root_of(figure))


def _elements(element: ElementTree.Element, hidden: set[str] = HIDDEN) -> Iterator[ElementTree.Element]:
    if hidden.isdisjoint(element.get("class", "").split()) and not element.attrib.keys() & {"transform", "id"}:
        yield element
        for child in element:
            yield from _elements(child, hidden)


def boxes(figure: Figure) -> list[Box]:
    """Return the chips and the cells of a figure that have a text, without the marks that lie on a chip."""
    found = []
    for element in elements(figure):
        classes = element.get("class", "").split()
        rect, text = element.find(f"{SVG}rect"), element.find(f"{SVG}text")
        if classes[:1] in (["chip"], ["cell"]) and "lit" not in classes and None not in (rect, text):
            left, top, width, height = floats(rect, *AREA)
            share = re.search(r"--share:(\S+)%", element.get("style", ""))
            found.append(
                Box(
                    classes[0],
                    frozenset(element.get("data-part", "").split()),
                    element.get("data-column", ""),
                    *(left, top, left + width, top + height),
                    "".join(text.itertext()),
                    (float(text.get("x")), float(text.get("y"))),
                    next((each for each in classes if each in ("positive", "negative")), ""),
                    float(share[1]) if share else 0.0,
                    next((each for each in classes if each.endswith("-contrast")), ""),
                    "--sign" in element.get("style", ""),
                    "start" in text.get("style", ""),
                )
            )
    return found


def labels(shown: Iterable[ElementTree.Element]) -> Iterator[tuple[str, float, float, float]]:
    """Yield the texts beside chips and cells, with the edges of what they cover at least, and their middle."""
    for element in shown:
        classes, text = {*element.get("class", "").split()}, "".join(element.itertext()).strip()
        if element.tag == f"{SVG}text" and classes & {"small", "heading"} and text:
            x = float(element.get("x").split()[0])
            width = text_width(text, CODE_SIZE) if "code" in classes else NARROWEST * text_columns(text)
            anchor = element.get("text-anchor") or next(iter(classes & {"middle", "end"}), "start")
            left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
            yield text, left, left + width, float(element.get("y"))


def lines(figure: Figure) -> list[Line]:
    """Return the curves of a figure that lead from part to part."""
    found = [e for e in elements(figure) if e.get("class") == "path" and CURVE.match(e.get("d", ""))]
    ends = [(e, [float(each) for each in CURVE.match(e.get("d")).groups()]) for e in found]
    return [Line(frozenset(e.get("data-part", "").split()), (a, b), (c, d), (x, y)) for e, (a, b, c, d, x, y) in ends]


def check_layout(figure: Figure) -> None:
    """Fail if parts overlap, leave the figure or have a wrong color, or a text or a curve is misplaced."""
    assert figure.height <= HIGHEST
    root = root_of(figure)
    unknown = {name for e in root.iter() for name in e.get("class", "").split()} - CLASSES
    assert unknown == set(), "add a style for them to figure.css"
    ground = [floats(e, *AREA) for e in all_of(root, "rect[@fill='var(--neutral)']")]
    for mask in all_of(root, "mask"):
        (image,), (painted,) = mask, all_of(root, f"rect[@mask='url(#{mask.get('id')})']")
        assert image.get("href").startswith("data:image/png;base64,")
        assert floats(image, *AREA) == floats(painted, *AREA) in ground
    check_boxes(figure)
    check_lines(figure)
    if figure.width == Figure.width:  # a wider one is for wide screens alone
        assert figure.narrow[0] <= WIDEST
        check_boxes(stacked(figure))


def check_boxes(figure: Figure) -> None:
    found, shown = boxes(figure), [*elements(figure)]
    every = labels(_elements(root_of(figure), {"narrow-only"}))  # whatever is lit
    assert [each for each in every if not -1 < each[1] < each[2] <= figure.width] == []
    for (text, left, right, y), (other, start, end, below) in combinations(labels(shown), 2):
        assert abs(y - below) >= LINE or right <= start or end <= left, (text, other)
    for text, left, right, y in labels(shown):
        covered = [box for box in found if box.left < right and left < box.right and box.top < y < box.bottom]
        assert covered == [], text
    for box in found:
        assert 0 <= box.left < box.right <= figure.width, box
        assert 0 <= box.top < box.bottom <= figure.height, box
        assert box.at == pytest.approx((box.at[0] if box.starts else (box.left + box.right) / 2, box.middle), abs=0.6)
        assert box.kind == "chip" or box.sign or box.own_color, box
        if box.sign:
            assert 0 <= box.share <= 100, box
            assert box.sign == ("negative" if box.text.startswith("−") else "positive"), box
            contrast = "high-contrast" if box.share > 89 else "middle-contrast" if box.share > 67 else ""
            assert box.contrast == contrast or box.share in (67, 89), box
    for element in shown:
        if element.tag == f"{SVG}text" and "".join(element.itertext()).strip():
            x, y = float(element.get("x", "0").split()[0]), float(element.get("y"))
            assert 0 < y < figure.height, "".join(element.itertext())
            assert all(0 <= float(each) <= figure.width for each in element.get("x", "0").split())
            under = [b for b in found if b.left < x < b.right and b.top < y < b.bottom and b.at != (x, y)]
            assert under == [], "".join(element.itertext())
        if element.tag == f"{SVG}rect":
            left, top, width, height = (float(element.get(name, "0")) for name in AREA)
            assert -1 < top <= top + height < figure.height + 1, element.attrib
            assert -1 < left <= left + width < figure.width + 1, element.attrib
    for link in (e for e in shown if e.get("role") == "link"):
        left, width = floats(link.find(f"{SVG}rect"), "x", "width")
        assert all(left <= float(text.get("x")) < left + width for text in link.iter(f"{SVG}text"))
    for one, other in combinations(found, 2):
        beside = one.right <= other.left or other.right <= one.left
        assert beside or one.bottom < other.top or other.bottom < one.top, (one, other)
    shares = sorted((abs(float(box.text.replace("−", "-"))), box.share) for box in found if box.sign)
    assert [share for _, share in shares] == sorted(share for _, share in shares), shares
    turns = {"".join(e.itertext()): e.get("aria-label") for e in shown if e.get("aria-label")}
    for sign, name in (("‹", "Earlier"), ("›", "Later")):
        assert re.match(rf"{name} (tokens|columns)\b|tokens \w+", turns.get(sign, f"{name} tokens"))
    for button in (e for e in shown if e.get("aria-label", "").startswith(("Earlier ", "Later "))):
        of_columns = re.search('column|"d"', button.get("data-choose", "")) is not None
        assert of_columns == ("columns" in button.get("aria-label")), button.attrib
    axis = {(e.get("data-column"), float(e.get("x"))) for e in shown if is_axis(e)}
    assert not axis or {(box.column, box.at[0]) for box in found if box.column} <= axis


def check_lines(figure: Figure) -> None:
    found = boxes(figure)
    for line in lines(figure):
        for (x, y), box in product((line.start, line.end), found):
            assert not (box.left < x < box.right and box.top < y < box.bottom), (line, box)
        assert line.start[0] < min(line.bends) <= max(line.bends) < line.end[0], line


def is_axis(element: ElementTree.Element) -> bool:
    return "axis" in element.get("class", "").split()


def check_reading(figure: Figure) -> None:
    """Fail if the text of a figure does not end with the accessible names of its stops."""
    stops = [e.get("aria-label") for e in elements(figure) if e.get("data-stop") is not None]
    assert figure.reading.endswith(" " + "; ".join(stops))


def check_axis(figure: Figure) -> None:
    """Fail if the index of a column is not near the first or the last of its cells."""
    found = boxes(figure)
    for element in filter(is_axis, elements(figure)):
        at, y = (element.get("data-column"), float(element.get("x"))), float(element.get("y"))
        column = [box for box in found if (box.column, box.at[0]) == at]
        assert min(abs(y - edge) for box in column for edge in (box.top, box.bottom)) <= NEAR, at


def check_colors(figure: Figure, full: float = FULL_COLOR) -> None:
    """Fail if a cell's share of the color is not that of its number, if `full` has the full color."""
    for box in boxes(figure):
        if box.sign:
            assert abs(box.share - cell(float(box.text.replace("−", "-")), full).percent) <= 1, box
