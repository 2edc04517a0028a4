"""Charts as SVG: the numbers and the theme's colours are in the picture, and a broken one is said in words."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from components.charts.heatmap import heatmap
from components.charts.svg_file import chart_svg

COLORS = {"category": ["#123456"] * 7, "diverging": ["#000000", "#FFFFFF"]}


def test_a_heatmap_becomes_a_picture_with_its_numbers_and_colours():
    svg = chart_svg(heatmap(np.array([[0.25, -1.5]]), ["river"], ["0"], 3.0, marked=[0]).to_dict(), COLORS)
    words = "".join(ET.fromstring(svg).itertext())
    assert "0.25" in words
    assert "−1.50" in words
    assert "river" in words
    assert b"#123456" in svg


def test_what_cannot_be_drawn_is_said_in_words():
    with pytest.raises(RuntimeError, match="could not be rendered"):
        chart_svg({"mark": {"no": "chart"}, "data": 5}, {})
