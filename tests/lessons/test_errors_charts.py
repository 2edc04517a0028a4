from hypothesis import given
from hypothesis import strategies as st

from components.failures.views import TableLookup
from components.lessons.errors.charts import MAX_COLUMNS, MAX_ROWS, ROWS_OF_A_TABLE, id_grid, stack, tables_chart
from tests.vega import altair_chart

FINE, BAD = ("1", ""), ("9", "the token table has rows 0 to 5")


def test_what_cannot_work_is_red_and_says_why():
    plot = id_grid(["ids[0]", "ids[1]"], [[FINE, BAD], [FINE]])
    cells = plot.to_dict()["datasets"]["ids"]
    assert [(c["row"], c["column"], c["color_role"]) for c in cells] == [
        ("ids[0]", 0, "neutral"),
        ("ids[0]", 1, "error"),
        ("ids[1]", 0, "neutral"),
    ]
    assert cells[1]["reading"] == "ids[0], position 1: 9, the token table has rows 0 to 5"
    assert altair_chart(plot)


def test_a_large_grid_is_drawn_from_the_first_bad_one():
    rows = [[FINE] * 40 for _ in range(30)]
    rows[25][33] = BAD
    cells = id_grid([f"ids[{r}]" for r in range(30)], rows).to_dict()["datasets"]["ids"]
    assert cells[0]["color_role"] == "error"
    assert (cells[0]["row"], cells[0]["column"]) == ("ids[25]", 33)
    few = id_grid([f"ids[{r}]" for r in range(30)], [[FINE] * 40 for _ in range(30)])
    assert len(few.to_dict()["datasets"]["ids"]) == MAX_ROWS * MAX_COLUMNS


def test_both_tables_stand_side_by_side_in_their_colours():
    plot = tables_chart([TableLookup("token_table", (6, 3), [0, 5]), TableLookup("position_table", (2, 3), [0, 1, 2])])
    data = plot.to_dict()["datasets"]
    assert {(row["table"], row["color_role"]) for row in data["rows"]} == {
        ("token_table", "token"),
        ("position_table", "position"),
    }
    assert [(row["table"], row["label"], row["color_role"]) for row in data["missing"]] == [
        ("position_table", "row 2: missing", "error")
    ]
    assert {"token_table [6, 3]", "position_table [2, 3]"} <= {row["label"] for row in data["labels"]}
    assert altair_chart(plot)


def test_a_table_without_rows_says_so():
    assert stack(TableLookup("token_table", (0, 3), [])) == [("gap", "no rows")]
    assert altair_chart(tables_chart([TableLookup("token_table", (0, 3), [])]))


@given(st.integers(0, 30), st.sets(st.integers(-40, 60), max_size=20))
def test_a_stack_is_short_in_order_and_lists_nothing_that_is_not_so(rows, asked):
    drawn = stack(TableLookup("token_table", (rows, 2), sorted(asked)))
    numbers = [(state, int(label.split()[1].rstrip(":"))) for state, label in drawn if label.startswith("row ")]
    assert [number for _, number in numbers] == sorted({number for _, number in numbers})
    for state, number in numbers:
        assert (state == "missing") == (not 0 <= number < rows)
        assert (state == "there") == (0 <= number < rows and number not in asked)
    assert sum(state == "missing" for state, _ in numbers) <= ROWS_OF_A_TABLE
    outside = {i for i in asked if not 0 <= i < rows}
    counted = sum(state == "missing" for state, _ in numbers)
    more = [label for _, label in drawn if "more" in label]
    assert counted + (int(more[0].split()[0]) if more else 0) == len(outside)
    assert len(drawn) < 25
