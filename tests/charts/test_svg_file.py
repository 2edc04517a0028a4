import xml.etree.ElementTree as ET

import numpy as np
import pytest

from components.charts.heatmap import heatmap
from components.charts.svg_file import chart_svg

COLORS = {"category": ["#123456"] * 7, "diverging": ["#000000", "#FFFFFF"]}


def test_chart_svg_has_the_numbers_colors_and_escaped_names():
    name = "<b>'|{0}&"
    svg = chart_svg(heatmap(np.array([[0.25, -1.5]]), [name], ["0"], 3.0, marked=[0]).to_dict(), COLORS)
    picture = ET.fromstring(svg)
    assert {"0.25", "−1.50", name} <= {*picture.itertext()}
    assert b"#123456" in svg
    assert float(picture.get("width")) > 720
    assert picture.find("{*}rect").get("fill") == "#FFFFFF"  # behind everything


def test_chart_svg_of_an_invalid_chart_is_refused_in_a_sentence():
    with pytest.raises(RuntimeError, match=r"^The picture could not be rendered; the chart's own menu offers a PNG\.$"):
        chart_svg({"mark": {"no": "chart"}, "data": 5}, {})
