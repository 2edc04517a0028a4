"""The colors of the theme: as many as there are roles, the same in charts and in text, and readable (WCAG 2)."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from components.charts.palette import COLOR_ROLES, READABLE_ON_CELL, color_by_role, role_scale

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
NAMES = ("blue", "orange", "violet", "green", "red")
GROUNDS = ("backgroundColor", "secondaryBackgroundColor")  # the page and the sidebar
CONTRASTS = [
    *(("textColor", ground, 7) for ground in GROUNDS),
    *((name, ground, 4.5) for name in ("grayTextColor", "linkColor") for ground in GROUNDS),
    *((f"{name}TextColor", ground, 4.5) for name in NAMES for ground in ("backgroundColor", f"{name}BackgroundColor")),
]


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


def test_theme_gives_every_role_one_color_in_charts_and_text(theme):
    of_role = dict(zip(COLOR_ROLES, theme["chartCategoricalColors"], strict=True))
    assert len(set(of_role.values())) == len(COLOR_ROLES)
    assert {role: theme[f"{name}Color"] for role, name in COLOR_ROLES.items() if name in NAMES} == {
        role: of_role[role] for role in ("token", "position", "combined", "target", "error")
    }
    assert all(f"{name}TextColor" in theme for name in COLOR_ROLES.values())
    assert of_role["letters"] == theme["textColor"]
    assert len(theme["chartDivergingColors"]) == 10  # Streamlit takes no other number
    assert role_scale().to_dict() == {"domain": list(COLOR_ROLES), "range": "category"}
    scale = role_scale().to_dict()
    assert color_by_role("start").to_dict() == {"field": "start", "type": "nominal", "scale": scale, "legend": None}


@pytest.mark.parametrize(("text", "ground", "least"), CONTRASTS)
def test_theme_text_is_readable_on_its_ground(theme, text, ground, least):
    assert contrast(theme[text], theme[ground]) >= least


def test_theme_chart_colors_stand_out_from_the_page(theme):
    assert min(contrast(color, theme["backgroundColor"]) for color in theme["chartCategoricalColors"]) >= 3


def test_readable_on_cell_has_contrast_on_every_color_of_a_heatmap(theme):
    limit, dark, bright = re.search(r"> ([0-9.]+) \? '(#\w{6})' : '(#\w{6})'", READABLE_ON_CELL["expr"]).groups()
    for one, other in pairwise(map(channels, theme["chartDivergingColors"])):
        for step in range(51):
            cell = [a + (b - a) * step / 50 for a, b in zip(one, other, strict=True)]
            assert contrast(dark if luminance(cell) > float(limit) else bright, cell) >= 4.5
