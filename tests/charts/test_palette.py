import pytest

from components.charts.ideas import IDEAS
from components.charts.palette import color_by_idea, idea_scale, stroke_by_idea, value_scale


def test_ideas_take_the_theme_s_colours_in_their_own_order():
    assert idea_scale().to_dict() == {"domain": list(IDEAS), "range": "category"}


@pytest.mark.parametrize("encoding", [color_by_idea, stroke_by_idea])
def test_fill_and_outline_follow_the_idea_without_a_legend(encoding):
    assert encoding("role").to_dict() == {
        "field": "role",
        "type": "nominal",
        "scale": idea_scale().to_dict(),
        "legend": None,
    }


@pytest.mark.parametrize("bound", [0.5, 1.0, 3.0])
def test_values_take_the_theme_s_diverging_colours_around_zero(bound):
    assert value_scale(bound).to_dict() == {"domain": [-bound, bound], "range": "diverging", "clamp": True}
