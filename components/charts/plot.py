"""A chart in two parts: its specification, built and validated once, and its data, which changes with every setting.

While the specification does not change, the browser only replaces the data, and the server does not need Altair's
validation, which takes longer than everything else on a page.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import altair as alt
import pyarrow as pa

AXIS_FONT_SIZE = 12  # pixels, of axes and legends
SIZES = ("fontSize", "height", "step", "strokeWidth", "labelLimit", "dx", "dy")
AXIS = {"labelFlush": False, "labelSeparation": 6}  # labels centred at their ticks, with space between them
ROW_LABEL = "slice(datum.label, indexof(datum.label, '|') + 1)"  # without the number that keeps equal labels apart
MAX_CACHED_SPECS = 128  # specifications per chart type, all sessions together


@dataclass(frozen=True)
class Plot:
    """A Vega-Lite specification that refers to data sets by name, and the data sets.

    >>> spec = chart_on("points").mark_point().encode(x="x:Q").to_dict()
    >>> from components.charts.columns import arrow_table
    >>> plot = Plot(spec, {"points": arrow_table({"x": [1, 2]})})
    >>> plot.to_dict()["datasets"]
    {'points': [{'x': 1}, {'x': 2}]}
    """

    spec: dict[str, Any]
    data: dict[str, pa.Table]

    def to_spec(self, zoom: float = 1.0) -> dict[str, Any]:
        """Return the specification with its data sets as tables, for Streamlit; `zoom` enlarges marks and fonts.

        >>> Plot(chart_on("points").mark_text(fontSize=10).to_dict(), {}).to_spec(zoom=1.5)["mark"]["fontSize"]
        15.0
        """
        spec, config = deepcopy(self.spec), {"axis": AXIS}
        if zoom != 1:
            spec = _enlarge(spec, zoom)
            sizes = {"labelFontSize": AXIS_FONT_SIZE * zoom, "titleFontSize": AXIS_FONT_SIZE * zoom}
            config = {"axis": {**AXIS, **sizes}, "legend": sizes}
        return {**spec, "config": config, "datasets": dict(self.data)}

    def to_dict(self) -> dict[str, Any]:
        """Return the specification with its data sets as records, for Vega-Lite."""
        records = {name: table.to_pylist() for name, table in self.data.items()}
        return {**deepcopy(self.spec), "config": {"axis": AXIS}, "datasets": records}


def _enlarge(spec: Any, zoom: float, key: str = "") -> Any:
    """Return a specification with all its sizes in pixels multiplied by `zoom`."""
    if isinstance(spec, dict):
        return {name: _enlarge(value, zoom, name) for name, value in spec.items()}
    if isinstance(spec, list):
        return [_enlarge(value, zoom) for value in spec]
    return spec * zoom if key in SIZES and isinstance(spec, int | float) else spec


def chart_on(name: str) -> alt.Chart:
    """Return an empty chart on the data set called `name`.

    >>> chart_on("points").mark_point().to_dict()["data"]
    {'name': 'points'}
    """
    return alt.Chart(alt.NamedData(name=name))
