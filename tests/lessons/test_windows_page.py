import numpy as np

from components.lessons.windows.figure_contexts import contexts_figure
from components.lessons.windows.ribbon import Ribbon
from components.text.tokenizers import get_tokenizer
from components.text.windows import window_order
from tests.app_driver import AppDriver
from tests.figures.geometry import check_layout
from tests.states import RIVER

IDS = get_tokenizer("gpt2").encode(RIVER)


def test_table_ends_with_the_chosen_batch_that_next_lessons_use():
    app = AppDriver().open("windows", text=RIVER, T=3, stride=2, B=2).open_sections()
    last = (len(range(0, len(IDS) - 3, 2)) - 1) // 2
    app.set(batch=last)
    assert [row["batch"] for row in app.tables()[0]] == [str(batch) for batch in range(last - 3, last + 1)]
    assert f"The next lessons look up the inputs of batch {last}." in app.words


def test_batch_of_many_windows_names_the_first_eight():
    app = AppDriver().open("windows", text="a " * 20, T=2, stride=2, B=10).open_sections()
    assert any(row.get("windows") == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more" for table in app.tables() for row in table)


def test_token_between_two_windows_is_only_a_target():
    app = AppDriver().open("windows", T=2, stride=3)
    between = "a token between two consecutive windows is never an input, at most a target"
    assert f"With stride 3 and T = 2, {between}." in app.words


def test_contexts_grow_by_one_token_and_end_before_their_target():
    ids, order = np.arange(10, 40), window_order(6, shuffle=False, seed=0)
    ribbon = Ribbon(ids, 8, 4, order, n_batches=6, B=1, window=1)  # the window starts at position 4
    figure = contexts_figure(ribbon, str)
    check_layout(figure)
    rows = figure.reading.partition(". ")[2].split("; ")
    assert rows[:2] == ["14 → 15", "14 15 → 16"]
    assert rows[5] == "… 16 17 18 19 → 20"
    assert figure.reading.startswith("Window 1 is 8 predictions at once")
    assert figure.lit == "0"  # the shortest context
