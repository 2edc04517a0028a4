"""The colors of the theme: as many as there are roles, the same in charts and in text, and readable (WCAG 2)."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from components.charts.palette import COLOR_ROLES, READABLE_ON_CELL

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
NAMES = ("blue", "orange", "violet", "green", "red")


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return THEME[request.param]


def channels(color):
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(rgb):
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(luminance(channels(c) if isinstance(c, str) else c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_theme_gives_every_role_a_color_of_its_own(theme):
    assert len({*theme["chartCategoricalColors"]}) == len(COLOR_ROLES)


def test_theme_colors_are_readable_on_the_grounds_that_they_have(theme):
    page = theme["backgroundColor"]
    assert min(contrast(color, page) for color in theme["chartCategoricalColors"]) >= 3
    for name in NAMES:
        assert min(contrast(theme[f"{name}TextColor"], each) for each in (page, theme[f"{name}BackgroundColor"])) >= 4.5


def test_readable_on_cell_has_contrast_on_every_color_of_a_heatmap(theme):
    limit, dark, bright = re.search(r"> ([0-9.]+) \? '(#\w{6})' : '(#\w{6})'", READABLE_ON_CELL["expr"]).groups()
    for one, other in pairwise(map(channels, theme["chartDivergingColors"])):
        for step in range(51):
            cell = [a + (b - a) * step / 50 for a, b in zip(one, other, strict=True)]
            assert contrast(dark if luminance(cell) > float(limit) else bright, cell) >= 4.5
