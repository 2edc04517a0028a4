from components.lessons.one_hot.charts import timing_chart
from tests.vega import altair_chart


def test_both_ways_are_drawn_in_microseconds_on_logarithmic_axes():
    plot = timing_chart([16, 1024], [2e-6, 3e-6], [1e-5, 5e-4])
    rows = plot.to_dict()["datasets"]["timings"]
    assert [(row["way"], row["V"], row["microseconds"]) for row in rows] == [
        ("lookup", 16, 2.0),
        ("lookup", 1024, 3.0),
        ("one-hot product", 16, 10.0),
        ("one-hot product", 1024, 500.0),
    ]
    assert rows[3]["reading"] == "one-hot product, V = 1,024: 500.0 microseconds"
    encoding = plot.to_dict()["layer"][0]["encoding"]
    assert encoding["x"]["scale"]["type"] == encoding["y"]["scale"]["type"] == "log"
    assert [row["way"] for row in plot.to_dict()["datasets"]["ends"]] == ["lookup", "one-hot product"]
    assert altair_chart(plot)
