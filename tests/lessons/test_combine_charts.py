import pytest

from components.lessons.combine.charts import MAX_MATRICES, broadcast_chart


def matrices_of(chart, color_role):
    data = chart.to_dict()["datasets"]
    return [len([box for box in data[name] if box["color_role"] == color_role]) for name in ("real", "again")]


def labels_of(chart, name):
    return [label["label"] for label in chart.to_dict()["datasets"][name]]


@pytest.mark.parametrize("batch_size", [1, 2, MAX_MATRICES])
def test_there_is_one_real_sheet_of_positions_however_large_the_batch(batch_size):
    chart = broadcast_chart(batch_size, 4, 16)
    assert matrices_of(chart, "position") == [1, batch_size - 1]
    assert matrices_of(chart, "token") == [batch_size, 0]
    assert matrices_of(chart, "combined") == [batch_size, 0]


def test_only_the_sheets_read_again_are_dashed():
    layers = broadcast_chart(3, 4, 16).to_dict()["layer"]
    dashed = {layer["data"]["name"]: "strokeDash" in layer["mark"] for layer in layers}
    assert dashed == {"again": True, "real": False, "names": False, "signs": False}


def test_a_large_batch_draws_few_sheets_and_names_its_real_shapes():
    chart = broadcast_chart(64, 8, 256)
    assert matrices_of(chart, "token") == [MAX_MATRICES, 0]
    assert labels_of(chart, "names") == [
        "token\n[64, 8, 256]\n5 of 64 shown",
        "position [8, 256]\nused 64 ×\n5 of 64 shown",
        "combined\n[64, 8, 256]\n5 of 64 shown",
    ]


def test_a_batch_that_is_drawn_in_full_says_no_more_than_its_shapes():
    chart = broadcast_chart(MAX_MATRICES, 8, 256)
    assert not any("shown" in label for label in labels_of(chart, "names"))
    assert chart.to_dict()["height"] < broadcast_chart(MAX_MATRICES + 1, 8, 256).to_dict()["height"]


def test_the_signs_are_larger_than_the_names():
    chart = broadcast_chart(2, 4, 16)
    sizes = {layer["data"]["name"]: layer["mark"].get("fontSize") for layer in chart.to_dict()["layer"]}
    assert labels_of(chart, "signs") == ["+", "="]
    assert sizes["signs"] > 1.5 * sizes["names"]


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_everything_drawn_lies_inside_the_axes(batch_size):
    chart = broadcast_chart(batch_size, 4, 16).to_dict()
    for layer in chart["layer"]:
        for axis in ("x", "y"):
            low, high = layer["encoding"][axis]["scale"]["domain"]
            places = [
                row[key] for row in chart["datasets"][layer["data"]["name"]] for key in (axis, axis + "2") if key in row
            ]
            assert all(low <= place <= high for place in places)


def test_stacks_do_not_overlap():
    rows = broadcast_chart(64, 4, 16).to_dict()["datasets"]
    rows = rows["real"] + rows["again"]
    spans = [
        (
            min(row["x"] for row in rows if row["color_role"] == color_role),
            max(row["x2"] for row in rows if row["color_role"] == color_role),
        )
        for color_role in ("token", "position", "combined")
    ]
    assert spans[0][1] < spans[1][0]
    assert spans[1][1] < spans[2][0]
