import pytest

from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver
from tests.states import RIVER

IDS = get_tokenizer("gpt2").encode(RIVER)[:8]  # two windows of four


@pytest.mark.parametrize(
    ("form", "shape", "code"),
    [("batch", "[2, 2, 3]", "[[2, 3], [5, 1]]"), ("sequence", "[2, 3]", "[2, 3]"), ("single", "[3]", "2")],
)
def test_output_has_the_shape_of_the_input_and_d(form, shape, code):
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3; 5 1", input=form, dtype="int32").open_sections(masked=True)
    assert f"`{shape}`" not in app.words
    assert f"torch.tensor({code}, dtype=torch.int32)" in app.code()[0]
    assert f"**token_table(ids)**] `{shape}`" in app.press("Show me").words


def test_rows_in_use_are_framed_and_a_repeated_id_is_named():
    app = AppDriver().open("lookup", V=6, D=3, ids="2 3 3 1").open_sections()
    (of_table,) = app.drawn("color_role")
    assert [frame["row"].split("|")[0] for frame in of_table] == ["1", "2", "3"]
    assert {row["row"].split("|")[1] for row in app.drawn("cell")[0]} == {"0", "▶ 1", "▶ 2", "▶ 3", "4", "5"}
    assert "The batch uses 3 rows, 3 of them framed here." in app.words
    assert "4 IDs select 3 rows of V = 6. ID 3 occurs more than once: every copy is the same row." in app.words
    assert "more than once" not in app.set(setting_ids="4 2 1").words
