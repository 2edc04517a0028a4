from tests.app_driver import AppDriver


def test_rows_in_use_are_framed_in_the_table():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1").open_sections()
    (of_table,) = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert {row["row"].split("|")[1] for row in app.drawn("cell")[0]} == {"0", "▶ 1", "▶ 2", "▶ 3", "4", "5"}
    assert "The batch uses 3 rows; framed here: 3." in app.words
