"""A lesson's figure: an SVG from a template, in which learner text is escaped, with its text alternative."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from components.figures.cells import FULL_COLOR, cell, fit, number
from components.figures.sizes import SIZES

FOLDER = Path(__file__).parent
STYLE = FOLDER.joinpath("figure.css").read_text("utf-8")
SVG = "http://www.w3.org/2000/svg"
MARGIN = 12  # units around the drawing in a file
WIDTH = 820  # units; at 1280 x 720 with the sidebar open one unit is one pixel
_templates = Environment(
    loader=FileSystemLoader(FOLDER.parent),
    autoescape=True,
    auto_reload=False,
    undefined=StrictUndefined,
    trim_blocks=True,
)
ElementTree.register_namespace("", SVG)
_templates.filters |= {"number": number, "cell": cell, "fit": fit}
_templates.globals |= SIZES | {"FULL_COLOR": FULL_COLOR}


class Slider(NamedTuple):
    """A slider above the figure, which sets a choice of the lesson; without a choice it goes through the stops.

    With one value alone it is disabled, so that the figure stays in the same position when there are more.
    """

    choice: str
    label: str
    value: int
    high: int
    low: int = 0


@dataclass(frozen=True)
class Figure:
    """A drawing of `width` x `height` units and a text with the same numbers.

    On a narrow screen the panels of the drawing are below each other, in `narrow` width and height: what is drawn by
    the macro `panel` is moved, elements of the class `wide-only` are left out, and those of `narrow-only` are added.

    Elements of the drawing with the same `data-part` are lit together; `lit` is the part that is lit at first. An
    element of several parts names in `data-point` the one that pointing at it lights. In a figure with `columns` the
    arrow keys for left and right move among these, and `column` is the first. A stop may name in `data-first` the
    column that is lit with it, and in `data-slide` what the slider shows then.

    `wider` are the same figure with more columns, the widest first: on a screen on which the text of one of them is
    large enough, the first such one is shown instead. None of them is shown with its panels below each other.
    """

    drawing: Markup
    reading: str
    height: int
    narrow: tuple[int, int]
    width: int = WIDTH
    lit: str = ""
    columns: Sequence[int] = ()
    column: int | None = None
    slider: Slider | None = None
    wider: Sequence["Figure"] = ()
    play: str = ""  # the label of the button that lights part after part, if there is to be one

    def svg(self, style: str = "") -> Markup:
        """Return the SVG element; with a style sheet in it, it can stand alone as a file."""
        rules = Markup("<style>{}</style>").format(Markup(style)) if style else ""
        size = Markup('viewBox="0 0 {} {}" width="{}" height="{}"').format(*(self.width, self.height) * 2)
        return Markup('<svg xmlns="{}" {}>{}{}</svg>').format(SVG, size, rules, self.drawing)

    def file(self, title: str) -> bytes:
        """Return the figure as a file: the drawing with its style sheet inside and its first part and column lit.

        It has a title and the reading as its description, a margin, and no buttons; it is on white, since its colors
        are those of a light page.
        """
        root = ElementTree.fromstring(self.svg(STYLE))
        size = {"width": str(self.width + 2 * MARGIN), "height": str(self.height + 2 * MARGIN)}
        corner = {"x": str(-MARGIN), "y": str(-MARGIN)}
        root.attrib |= size | {"viewBox": " ".join([*corner.values(), *size.values()])}
        for element in [*root.iter()]:
            for each in element.findall("*[@role='button'][@tabindex='0']"):  # others are lit parts of the drawing
                element.remove(each)
            for name, first, look in (("part", self.lit, "lit"), ("column", str(self.column), "column")):
                if first in element.get(f"data-{name}", "").split():
                    element.set("class", f"{element.get('class', '')} {look}".strip())
        white = corner | size | {"fill": "#FFFFFF"}
        for tag, text, attributes in (("rect", "", white), ("desc", self.reading, {}), ("title", title, {})):
            root.insert(0, ElementTree.Element(f"{{{SVG}}}{tag}", attributes))
            root[0].text = text
        return ElementTree.tostring(root)


def draw(template: str, **values: Any) -> Markup:
    """Return a template of components/, such as "lessons/lookup/figure.svg.j2", filled with values and `kit`.

    The macros are made for each drawing. If a template imported them, Jinja would share them among the threads of all
    sessions: while one of these is in a block without escaping, the others would escape what macros return.
    """
    kit = _templates.get_template("figures/kit.svg.j2").make_module()
    return Markup(_templates.get_template(template).render(values, kit=kit))
