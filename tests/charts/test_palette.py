import pytest

from components.charts.color_roles import COLOR_ROLES
from components.charts.palette import color_by_role, role_scale, stroke_by_role, value_scale


def test_roles_have_the_colours_of_the_theme_in_order():
    assert role_scale().to_dict() == {"domain": list(COLOR_ROLES), "range": "category"}


@pytest.mark.parametrize("encoding", [color_by_role, stroke_by_role])
def test_fill_and_outline_follow_the_role_without_a_legend(encoding):
    assert encoding("role").to_dict() == {
        "field": "role",
        "type": "nominal",
        "scale": role_scale().to_dict(),
        "legend": None,
    }


@pytest.mark.parametrize("bound", [0.5, 1.0, 3.0])
def test_values_take_the_theme_s_diverging_colours_around_zero(bound):
    assert value_scale(bound).to_dict() == {"domain": [-bound, bound], "range": "diverging", "clamp": True}
