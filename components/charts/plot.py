"""A chart in two parts: its specification, built and validated once, and its data, which changes with every setting.

While the specification does not change, the browser only replaces the data, and the server does not need Altair's
validation, which takes longer than everything else on a page.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from components.base.learner_text import show_hidden

AXIS_FONT_SIZE = 12  # pixels, of axes and legends
SIZES = ("fontSize", "height", "step", "strokeWidth", "labelLimit", "dx", "dy")
AXIS = {"labelFlush": False, "labelSeparation": 6}  # labels centered at their ticks, with space between them
PADDING = {"right": 6}  # pixels: the last label of an axis may be wider than measured
ROW_LABEL = "slice(datum.label, indexof(datum.label, '|') + 1)"  # without the number that keeps equal labels apart
MAX_CACHED_SPECS = 128  # specifications per chart type, all sessions together

Column = Sequence | np.ndarray


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
    return spec * zoom if key in SIZES else spec


def chart_on(name: str) -> alt.Chart:
    """Return an empty chart on the data set called `name`."""
    return alt.Chart(alt.NamedData(name=name))


def numbered(names: Iterable[str]) -> list[str]:
    """Return labels that differ even if names are equal; an axis of names shows the names alone."""
    return [f"{n}|{name}" for n, name in enumerate(names)]


def name_axis(label_limit: int = 150, **look: Any) -> alt.Axis:
    """Return an axis of numbered names, all of them shown; `label_limit` is in pixels.

    It has no description, which would have the labels with their numbers; each mark has one of its own.
    """
    return alt.Axis(title=None, aria=False, labelExpr=ROW_LABEL, labelLimit=label_limit, labelOverlap=False, **look)


def arrow_table(columns: Mapping[str, Column]) -> pa.Table:
    """Return an Arrow table of equally long columns of integers, floats or strings; hidden characters become codes.

    The columns are passed as buffers: pyarrow's own constructors import pandas, which costs 45 MB, and time each time.
    """
    return pa.Table.from_arrays([_array(column) for column in columns.values()], names=list(columns))


def rows_table(rows: Sequence[Mapping]) -> pa.Table:
    """Return an Arrow table of one or more rows that all have the same keys."""
    return arrow_table({name: [row[name] for row in rows] for name in rows[0]})


def _array(column: Column) -> pa.Array:
    if len(column) == 0 or isinstance(column[0], str):
        words = [show_hidden(word).encode("utf-8") for word in column]
        ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
        return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(words)))
    numbers = np.ascontiguousarray(column)
    is_integer = np.issubdtype(numbers.dtype, np.integer)
    numbers = numbers.astype(np.int64 if is_integer else np.float64)
    dtype = pa.int64() if is_integer else pa.float64()
    return pa.Array.from_buffers(dtype, len(numbers), [None, pa.py_buffer(numbers)])
