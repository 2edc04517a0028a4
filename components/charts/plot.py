"""A chart in two parts: how it looks, built and checked once, and its numbers, which change with every move.

While the look stays the same the browser only swaps the numbers, and the server is spared Altair's checks, which take
longer than everything else on a page.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import altair as alt
import pyarrow as pa

LETTERS = 12  # pixels, of axes and legends
SIZES = ("fontSize", "height", "step", "strokeWidth", "labelLimit", "dx", "dy")
AXIS = {"labelFlush": False, "labelSeparation": 6}  # labels stand at their ticks, with room between them
LABEL = "slice(datum.label, indexof(datum.label, '|') + 1)"  # rows carry a number in front, to stay apart
LOOKS_KEPT = 128  # looks of each kind of chart that are kept for all sessions


@dataclass(frozen=True)
class Plot:
    """A Vega-Lite specification that names its data sets, and the data sets by name.

    >>> look = named("points").mark_point().encode(x="x:Q").to_dict()
    >>> from components.charts.columns import arrow_table
    >>> plot = Plot(look, {"points": arrow_table({"x": [1, 2]})})
    >>> plot.to_dict()["datasets"]
    {'points': [{'x': 1}, {'x': 2}]}
    """

    look: dict[str, Any]
    data: dict[str, pa.Table]

    def to_spec(self, larger: float = 1.0) -> dict[str, Any]:
        """Return the specification with its data sets as tables, as Streamlit takes them; `larger` for a whole room.

        >>> Plot(named("points").mark_text(fontSize=10).to_dict(), {}).to_spec(larger=1.5)["mark"]["fontSize"]
        15.0
        """
        look, config = deepcopy(self.look), {"axis": AXIS}
        if larger != 1:
            look = _enlarged(look, larger)
            sizes = {"labelFontSize": LETTERS * larger, "titleFontSize": LETTERS * larger}
            config = {"axis": {**AXIS, **sizes}, "legend": sizes}
        return {**look, "config": config, "datasets": dict(self.data)}

    def to_dict(self) -> dict[str, Any]:
        """Return the specification with its data sets as records, as Vega-Lite takes them."""
        records = {name: table.to_pylist() for name, table in self.data.items()}
        return {**deepcopy(self.look), "config": {"axis": AXIS}, "datasets": records}

    def to_chart(self) -> alt.Chart:
        """Return the same as an Altair chart, checked against the schema of Vega-Lite."""
        return alt.Chart.from_dict(self.to_dict())


def _enlarged(look: Any, larger: float, key: str = "") -> Any:
    """Return a look with all its sizes in pixels `larger` times as large."""
    if isinstance(look, dict):
        return {name: _enlarged(value, larger, name) for name, value in look.items()}
    if isinstance(look, list):
        return [_enlarged(value, larger) for value in look]
    return look * larger if key in SIZES and isinstance(look, int | float) else look


def named(name: str) -> alt.Chart:
    """Return an empty chart on the data set called `name`."""
    return alt.Chart(alt.NamedData(name=name))
