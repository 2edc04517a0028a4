import numpy as np
import pytest

from components.charts.heatmap import heatmap


def plot_of(number=0.5):
    return heatmap(np.full((2, 3), number), ["a", "b"], ["0", "1"], 1.0, marked=[1])


def test_plot_has_the_same_look_and_numbers_in_both_forms():
    spec, chart = plot_of().to_spec(), plot_of().to_dict()
    assert {name: table.to_pylist() for name, table in spec.pop("datasets").items()} == chart.pop("datasets")
    assert spec == chart


@pytest.mark.parametrize("form", ["to_spec", "to_dict"])
def test_plot_changed_after_it_was_built_leaves_the_next_one_unchanged(form):
    before = plot_of().to_dict()
    changed = getattr(plot_of(), form)()
    changed["height"]["step"] = -1
    changed["layer"][0]["encoding"].clear()
    changed["config"]["axis"] = None
    changed["datasets"].clear()
    assert plot_of().to_dict() == before
