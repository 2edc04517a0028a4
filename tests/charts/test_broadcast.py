import pytest

from components.charts.broadcast import MAX_SHEETS, broadcast_chart


def sheets_of(chart, idea):
    data = chart.to_dict()["datasets"]
    return [len([sheet for sheet in data[name] if sheet["idea"] == idea]) for name in ("real", "again")]


@pytest.mark.parametrize("batch_size", [1, 2, MAX_SHEETS])
def test_there_is_one_real_sheet_of_positions_however_large_the_batch(batch_size):
    chart = broadcast_chart(batch_size, 4, 16)
    assert sheets_of(chart, "position") == [1, batch_size - 1]
    assert sheets_of(chart, "token") == [batch_size, 0]
    assert sheets_of(chart, "combined") == [batch_size, 0]


def test_only_the_sheets_read_again_are_dashed():
    layers = broadcast_chart(3, 4, 16).to_dict()["layer"]
    dashed = {layer["data"]["name"]: "strokeDash" in layer["mark"] for layer in layers}
    assert dashed == {"again": True, "real": False, "names": False}


def test_a_large_batch_draws_few_sheets_and_names_its_real_shapes():
    chart = broadcast_chart(64, 8, 256)
    assert sheets_of(chart, "token") == [MAX_SHEETS, 0]
    assert [name["label"] for name in chart.to_dict()["datasets"]["names"]] == [
        "token\n[64, 8, 256]",
        "position [8, 256]\nread 64 ×",
        "combined\n[64, 8, 256]",
        "+",
        "=",
    ]


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
        (min(row["x"] for row in rows if row["idea"] == idea), max(row["x2"] for row in rows if row["idea"] == idea))
        for idea in ("token", "position", "combined")
    ]
    assert spans[0][1] < spans[1][0]
    assert spans[1][1] < spans[2][0]
