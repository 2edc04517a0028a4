import numpy as np

from components.lessons.word2vec.charts import epochs_chart, map_chart, matrix_chart, ranking_chart
from tests.vega import altair_chart


def test_epochs_count_from_one_and_the_axis_ends_where_it_is_told():
    plot = epochs_chart([0, 3, 8], "analogies solved", top=8.0)
    assert plot.data["epochs"]["epoch"].to_pylist() == [1, 2, 3]
    assert plot.to_dict()["encoding"]["y"]["scale"]["domain"] == [0, 8.0]
    assert altair_chart(plot)


def test_inputs_are_grey_and_equal_words_keep_their_places():
    plot = ranking_chart([("king", 0.801), ("queen", 0.5516), ("a|b", -0.3)], ["king"])
    rows = plot.to_dict()["datasets"]["ranked"]
    assert [row["color_role"] for row in rows] == ["neutral", "combined", "combined"]
    assert [row["rank"] for row in rows] == ["1|1. king", "2|2. queen", "3|3. a|b"]
    assert rows[1]["reading"] == "2. queen, 0.5516"
    assert plot.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"][0] == -0.5
    assert altair_chart(plot)


def test_a_score_above_one_has_room():
    domain = ranking_chart([("queen", 2.88)]).to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert domain[1] > 2.88


def test_a_map_has_its_words_arrows_and_shares():
    points = np.array([[0.0, 0.0], [1.0, 2.0]])
    plot = map_chart([("man", "token"), ("king", "combined")], points, (0.75, 0.2), [(0, 1, "token", "man to king")])
    data = plot.to_dict()["datasets"]
    assert data["arrows"] == [{"x": 0.0, "y": 0.0, "x2": 1.0, "y2": 2.0, "color_role": "token", "name": "man to king"}]
    assert data["words"][1]["reading"] == "king at 1.00, 2.00"
    assert "75% of the variance" in str(plot.to_dict())
    assert altair_chart(plot)
    middle = {param["name"]: param["value"] for param in plot.to_dict()["params"]}
    assert (middle["middle_x"], middle["middle_y"]) == (0.5, 1.0)
    assert middle["half_y"] == 2 * middle["half_x"]
    assert [row["word"] for row in data["names_left"]] == ["man"]  # its line goes to the right
    assert altair_chart(map_chart([("a", "token")] * 2, points, (1.0, 0.0)))


def test_a_matrix_names_every_pair():
    values = np.array([[1.0, 0.25], [0.25, 1.0]])
    plot = matrix_chart(["king", "queen"], values)
    rows = plot.to_dict()["datasets"]["pairs"]
    assert [row["value"] for row in rows] == [1.0, 0.25, 0.25, 1.0]
    assert rows[1]["reading"] == "king and queen: 0.2500"
    assert altair_chart(plot)
    assert altair_chart(matrix_chart([str(n) for n in range(20)], np.zeros((20, 20))))
