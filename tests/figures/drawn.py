"""What a figure shows: its texts with the part and the column that they belong to, and where its buttons lead."""

import json
import re
from base64 import b64decode
from collections import Counter, namedtuple
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from components.figures.cells import EXPONENT
from components.figures.drawing import Figure

# A text, with the part and the column of the element around it, or empty ones.
Text = namedtuple("Text", "part column text")
# What a figure is to show: `names` are the accessible names of its parts, `reading` is its text or the numbers of this,
# `lit` the part and the column that are lit at first, if that matters.
Reference = namedtuple("Reference", "texts chosen names reading lit", defaults=[None])
SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"−?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+−-]\d+)?|\?|−?∞")


def root_of(figure: Figure) -> ElementTree.Element:
    """Return the drawing of a figure, which others get as well: change a copy."""
    return _parsed(figure.svg())


@lru_cache(4)
def _parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def all_of(element: ElementTree.Element, path: str) -> list[ElementTree.Element]:
    """Return the elements below one that a path of names and attributes finds, such as g[@class='chip']."""
    return element.findall(f".//{path}", {"": SVG[1:-1]})


def floats(element: ElementTree.Element, *attributes: str) -> list[float]:
    return [float(element.get(each)) for each in attributes]


def joined(element: ElementTree.Element) -> str:
    """Return the text of an element; the parts of a line are joined by spaces."""
    return " ".join(" ".join(element.itertext()).split())


def texts(figure: Figure) -> Counter[Text]:
    return Counter(_texts(root_of(figure), "", ""))


def _texts(element: ElementTree.Element, part: str, column: str) -> Iterator[Text]:
    if "narrow-only" in element.get("class", "").split():
        return
    part, column = element.get("data-part", part), element.get("data-column", column)
    if element.tag in (f"{SVG}text", f"{SVG}title"):
        if words := joined(element):
            yield Text(part, column, words)
        return
    for child in element:
        yield from _texts(child, part, column)


def chosen(figure: Figure) -> list[dict]:
    """Return what each button and link of a figure sets, in their order."""
    return [json.loads(each.get("data-choose")) for each in all_of(root_of(figure), "*[@data-choose]")]


def names(figure: Figure) -> dict[str, str]:
    return {e.get("data-part"): e.get("aria-label") for e in all_of(root_of(figure), "*[@data-part][@aria-label]")}


def numbers(words: str) -> list[str]:
    """Return the numbers in a text, in their order; masked ones are question marks."""
    return NUMBER.findall(words)


def pixels(figure: Figure) -> dict[str, np.ndarray]:
    """Return the numbers of each image of a figure, as parts of the one that has the full color."""
    found = {}
    for mask in all_of(root_of(figure), "mask"):
        name, sign = mask.get("id").split("-")
        file = BytesIO(b64decode(mask.find(f"{SVG}image").get("href").removeprefix("data:image/png;base64,")))
        amounts = (np.asarray(Image.open(file)) / 255) ** (1 / EXPONENT)
        found[name] = found.get(name, 0) + (amounts if sign == "positive" else -amounts)
    return found
