import pytest
import torch

from components.lessons.lookup.page import GROUP, MERGES, frequent_and_rare, known_untrained
from tests.app_driver import AppDriver


def test_rows_in_use_are_framed_in_the_table():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1").open_sections()
    (of_table,) = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert {row["row"].split("|")[1] for row in app.drawn("cell")[0]} == {"0", "▶ 1", "▶ 2", "▶ 3", "4", "5"}
    assert "In use: 3 rows; framed here: 3." in app.words
    app = AppDriver().open("lookup", V=20, D=3, T=13, ids=" ".join(map(str, range(13)))).open_sections()
    assert "In use: 13 rows; framed here: 12." in app.words


@pytest.mark.parametrize(
    ("early", "norm"), [(2.0, "larger norms than"), (1.0, "about the same"), (0.5, "smaller norms")]
)
def test_norms_of_frequent_tokens_are_compared_with_rare_ones(early, norm):
    norms = torch.ones(MERGES.stop)
    norms[: MERGES.start + GROUP] = early
    assert f"frequent tokens have {norm}" in frequent_and_rare(torch.ones(MERGES.stop, 2) * norms[:, None], norms)


@pytest.mark.parametrize(
    ("early", "late", "together"), [(1, -1, "are more alike"), (1, 1, "are not more alike"), (-1, 1, "are less alike")]
)
def test_frequent_tokens_are_compared_with_each_other(early, late, together):
    table = torch.ones(MERGES.stop, 2)
    table[MERGES.start : MERGES.start + GROUP : 2] *= early  # every second row
    table[MERGES.stop - GROUP : MERGES.stop : 2] *= late
    assert frequent_and_rare(table, table.norm(dim=1)).endswith(f"frequent tokens {together}.")


def test_famous_token_that_is_not_near_the_untrained_has_no_rank():
    assert known_untrained([]).endswith(". The famous “␣SolidGoldMagikarp” is not among the first 100.")
