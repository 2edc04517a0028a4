"""A chart in two parts: its specification, built and validated once, and its data, which changes with every setting.

While the specification does not change, the browser only replaces the data, and the server does not need Altair's
validation, which takes longer than everything else on a page.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import altair as alt
import pyarrow as pa

AXIS_FONT_SIZE = 12  # pixels, of axes and legends
SIZES = ("fontSize", "height", "step", "strokeWidth", "labelLimit", "dx", "dy")
AXIS = {"labelFlush": False, "labelSeparation": 6}  # labels centered at their ticks, with space between them
PADDING = {"right": 6}  # pixels: the last label of an axis may be wider than measured
ROW_LABEL = "slice(datum.label, indexof(datum.label, '|') + 1)"  # without the number that keeps equal labels apart
MAX_CACHED_SPECS = 128  # specifications per chart type, all sessions together


@dataclass(frozen=True)
class Plot:
    """A Vega-Lite specification that refers to data sets by name, and the data sets."""

    spec: dict[str, Any]
    data: dict[str, pa.Table]

    def to_spec(self, zoom: float = 1.0) -> dict[str, Any]:
        """Return the specification with its data sets as tables, for Streamlit; `zoom` enlarges marks and fonts."""
        spec, config = deepcopy(self.spec), {"axis": AXIS}
        if zoom != 1:
            spec = _enlarge(spec, zoom)
            sizes = {"labelFontSize": AXIS_FONT_SIZE * zoom, "titleFontSize": AXIS_FONT_SIZE * zoom}
            config = {"axis": {**AXIS, **sizes}, "legend": sizes}
        return {**spec, "config": config, "padding": PADDING, "datasets": dict(self.data)}

    def to_dict(self) -> dict[str, Any]:
        """Return the specification with its data sets as records, for Vega-Lite."""
        return self.to_spec() | {"datasets": {name: table.to_pylist() for name, table in self.data.items()}}


def _enlarge(spec: Any, zoom: float, key: str = "") -> Any:
    """Return a specification with all its sizes in pixels multiplied by `zoom`."""
    if isinstance(spec, dict):
        return {name: _enlarge(value, zoom, name) for name, value in spec.items()}
    if isinstance(spec, list):
        return [_enlarge(value, zoom) for value in spec]
    return spec * zoom if key in SIZES and isinstance(spec, int | float) else spec


def chart_on(name: str) -> alt.Chart:
    """Return an empty chart on the data set called `name`."""
    return alt.Chart(alt.NamedData(name=name))


def numbered(names: Iterable[str]) -> list[str]:
    """Return labels that differ even if names are equal; an axis of names shows the names alone."""
    return [f"{n}|{name}" for n, name in enumerate(names)]


def name_axis(label_limit: int = 150, **look: Any) -> alt.Axis:
    """Return an axis of numbered names, all of them shown; `label_limit` is in pixels."""
    return alt.Axis(title=None, labelExpr=ROW_LABEL, labelLimit=label_limit, labelOverlap=False, **look)
