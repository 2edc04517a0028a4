import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.charts.flat import flat_axes, flat_params

SCALES = [axis.to_dict()["scale"] for axis in flat_axes("a", "b")]


@given(
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=9),
    st.integers(100, 2_000),
    st.integers(100, 900),
)
@example([(2.0, 3.0)] * 2, 100, 100)  # no extent
def test_flat_axes_contain_all_points_with_equal_units(points, width, height):
    names = {param["name"]: param["value"] for param in flat_params(np.array(points), margin=1.15)}
    names |= {"width": width, "height": height}
    units = []
    for scale, pixels, values in zip(SCALES, (width, height), zip(*points, strict=True), strict=True):
        low, high = (eval(scale[end]["expr"], {"max": max}, names) for end in ("domainMin", "domainMax"))
        assert low < min(values) <= max(values) < high
        assert low + high == pytest.approx(min(values) + max(values), abs=1e-9)
        assert (scale["zero"], scale["nice"]) == (False, False)
        units.append((high - low) / pixels)
    assert units[0] == pytest.approx(units[1])
