from hypothesis import given
from hypothesis import strategies as st

from components.figures.columns import pager, shown_columns


def turned(first: int, way: str, D: int, shown: int) -> list[list[int]]:
    """Return the columns that are shown from this page on to the last one in a direction."""
    pages = [shown_columns(D, first, shown)]
    while (turn := pager("d", pages[-1], D, "columns")) and (to := getattr(turn, way)) is not None:
        pages.append(shown_columns(D, to, shown))
    return pages


@given(st.integers(1, 60), st.integers(2, 6))
def test_columns_are_all_shown_and_turned_back_page_by_page(D, shown):
    pages = turned(0, "after", D, shown)
    assert {column for page in pages for column in page} == {*range(D)}
    assert turned(D - 1, "before", D, shown) == pages[::-1]
