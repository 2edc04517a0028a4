"""What a figure shows: its texts with the part and the column that they belong to, and where its buttons lead."""

import json
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from components.figures.cells import EXPONENT
from components.figures.drawing import Figure

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"−?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+−-]\d+)?|\?|−?∞")


class Text(NamedTuple):
    """A text of a figure; `part` and `column` are those of the element around it, or empty."""

    part: str
    column: str
    text: str


def texts(figure: Figure) -> Counter[Text]:
    """Return the texts of a figure; the parts of a line are joined by spaces."""
    return Counter(_texts(ElementTree.fromstring(figure.svg()), "", ""))


def _texts(element: ElementTree.Element, part: str, column: str) -> Iterator[Text]:
    if "narrow-only" in element.get("class", "").split():
        return
    part, column = element.get("data-part", part), element.get("data-column", column)
    if element.tag in (f"{SVG}text", f"{SVG}title"):
        if words := " ".join(" ".join(element.itertext()).split()):
            yield Text(part, column, words)
        return
    for child in element:
        yield from _texts(child, part, column)


def chosen(figure: Figure) -> list[dict]:
    """Return what each button and link of a figure sets, in their order."""
    root = ElementTree.fromstring(figure.svg())
    return [json.loads(each.get("data-choose")) for each in root.iter() if each.get("data-choose")]


def names(figure: Figure) -> dict[str, str]:
    """Return the accessible name of each part."""
    root = ElementTree.fromstring(figure.svg())
    return {e.get("data-part"): e.get("aria-label") for e in root.iter() if e.get("data-part") and e.get("aria-label")}


def numbers(words: str) -> list[str]:
    """Return the numbers in a text, in their order; masked ones are question marks."""
    return NUMBER.findall(words)


def pixels(figure: Figure) -> dict[str, np.ndarray]:
    """Return the numbers of each image of a figure, as parts of the one that has the full color."""
    found = {}
    for mask in ElementTree.fromstring(figure.svg()).iter(f"{SVG}mask"):
        name, sign = mask.get("id").split("-")
        file = BytesIO(b64decode(mask.find(f"{SVG}image").get("href").removeprefix("data:image/png;base64,")))
        amounts = (np.asarray(Image.open(file)) / 255) ** (1 / EXPONENT)
        found[name] = found.get(name, 0) + (amounts if sign == "positive" else -amounts)
    return found


class Reference(NamedTuple):
    """What a figure is to show; `names` are the accessible names of its parts, `reading` the numbers of its text.

    `lit` is the part and the column that are lit at first, if that matters.
    """

    texts: Counter[Text]
    chosen: list[dict]
    names: dict[str, str]
    reading: list[str]
    lit: tuple[str, int | None] | None = None
