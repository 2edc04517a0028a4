"""The colours of the theme: as many as there are roles, the same in charts and in text, and readable."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from components.charts.color_roles import COLOR_ROLES
from components.charts.palette import READABLE_ON_CELL

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
NAMES = ("blue", "orange", "violet", "green", "red")


def channels(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted(luminance(channels(c) if isinstance(c, str) else c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_published():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return THEME[request.param]


def test_every_role_has_its_own_colour(theme):
    colours = theme["chartCategoricalColors"]
    assert len(colours) == len(COLOR_ROLES) == len(set(colours))


def test_charts_and_text_give_a_role_the_same_colour(theme):
    for (color_role, name), colour in zip(COLOR_ROLES.items(), theme["chartCategoricalColors"], strict=True):
        if name in NAMES:
            assert colour == theme[f"{name}Color"], color_role
    assert dict(zip(COLOR_ROLES, theme["chartCategoricalColors"], strict=True))["letters"] == theme["textColor"]


def test_streamlit_takes_exactly_ten_diverging_colours(theme):
    assert len(theme["chartDivergingColors"]) == 10


def test_text_is_readable_on_the_page_and_in_the_sidebar(theme):
    assert contrast(theme["textColor"], theme["backgroundColor"]) >= 7
    assert contrast(theme["textColor"], theme["secondaryBackgroundColor"]) >= 7


@pytest.mark.parametrize("name", NAMES)
def test_coloured_text_is_readable_on_its_own_ground_and_on_the_page(theme, name):
    assert contrast(theme[f"{name}TextColor"], theme[f"{name}BackgroundColor"]) >= 4.5
    assert contrast(theme[f"{name}TextColor"], theme["backgroundColor"]) >= 4.5


def test_grey_text_and_links_are_readable_on_the_page_and_in_the_sidebar(theme):
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(theme["grayTextColor"], theme[ground]) >= 4.5
        assert contrast(theme["linkColor"], theme[ground]) >= 4.5


def test_every_colour_of_a_chart_stands_out_from_the_page(theme):
    for colour in theme["chartCategoricalColors"]:
        assert contrast(colour, theme["backgroundColor"]) >= 3


def test_numbers_are_readable_on_every_cell_of_a_heatmap(theme):
    choice = re.search(r"> ([0-9.]+) \? '(#\w{6})' : '(#\w{6})'", READABLE_ON_CELL["expr"])
    limit, dark, bright = float(choice[1]), choice[2], choice[3]
    for one, other in pairwise(map(channels, theme["chartDivergingColors"])):
        for step in range(51):
            cell = [a + (b - a) * step / 50 for a, b in zip(one, other, strict=True)]
            assert contrast(dark if luminance(cell) > limit else bright, cell) >= 4.5
