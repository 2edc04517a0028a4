"""Plots as Altair charts, which validates them against the schema of Vega-Lite."""

import altair as alt

from components.charts.plot import Plot


def altair_chart(plot: Plot) -> alt.Chart:
    return alt.Chart.from_dict(plot.to_dict())
