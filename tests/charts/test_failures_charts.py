from hypothesis import given
from hypothesis import strategies as st

from components.charts.failures import MAX_COLUMNS, MAX_ROWS, ROWS_OF_A_TABLE, id_grid, stack, tables_chart
from components.core.failure_views import Asked

FINE, BAD = ("1", ""), ("9", "the token table has rows 0 to 5")


def test_what_cannot_work_is_red_and_says_why():
    plot = id_grid(["ids[0]", "ids[1]"], [[FINE, BAD], [FINE]])
    cells = plot.to_dict()["datasets"]["ids"]
    assert [(c["row"], c["column"], c["idea"]) for c in cells] == [
        ("ids[0]", 0, "neutral"),
        ("ids[0]", 1, "error"),
        ("ids[1]", 0, "neutral"),
    ]
    assert cells[1]["reading"] == "ids[0], place 1: 9, the token table has rows 0 to 5"
    assert plot.to_chart()


def test_a_large_grid_is_drawn_from_the_first_bad_one():
    rows = [[FINE] * 40 for _ in range(30)]
    rows[25][33] = BAD
    cells = id_grid([f"ids[{r}]" for r in range(30)], rows).to_dict()["datasets"]["ids"]
    assert cells[0]["idea"] == "error"
    assert (cells[0]["row"], cells[0]["column"]) == ("ids[25]", 33)
    few = id_grid([f"ids[{r}]" for r in range(30)], [[FINE] * 40 for _ in range(30)])
    assert len(few.to_dict()["datasets"]["ids"]) == MAX_ROWS * MAX_COLUMNS


def test_both_tables_stand_side_by_side_in_their_colours():
    plot = tables_chart([Asked("token_table", (6, 3), [0, 5]), Asked("position_table", (2, 3), [0, 1, 2])])
    data = plot.to_dict()["datasets"]
    assert {(row["table"], row["idea"]) for row in data["rows"]} == {
        ("token_table", "token"),
        ("position_table", "position"),
    }
    assert [(row["table"], row["label"], row["idea"]) for row in data["missing"]] == [
        ("position_table", "row 2: not there", "error")
    ]
    assert {"token_table [6, 3]", "position_table [2, 3]"} <= {row["label"] for row in data["labels"]}
    assert plot.to_chart()


def test_a_table_without_rows_says_so():
    assert stack(Asked("token_table", (0, 3), [])) == [("gap", "no rows")]
    assert tables_chart([Asked("token_table", (0, 3), [])]).to_chart()


@given(st.integers(0, 30), st.sets(st.integers(-40, 60), max_size=20))
def test_a_stack_is_short_in_order_and_lists_nothing_that_is_not_so(rows, asked):
    drawn = stack(Asked("token_table", (rows, 2), sorted(asked)))
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
