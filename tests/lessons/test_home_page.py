import pytest

from tests.app_driver import PAGES, AppDriver


def test_every_token_of_the_text_can_be_followed():
    app = AppDriver().open(home_token=8)
    assert ". at position 0 of sequence 2, ID 13," in app.learner.outputs.figure.reading
    (sentence,) = AppDriver().open(V=20_000, B=1, text="She left the bank for xylophone").errors()
    assert sentence.startswith("ID 38,656 at position 7 is out of range for V = 20,000")
    app = AppDriver().open(V=400, B=1, text="She left the bank for xylophone")
    assert "V = 38,657 would fit all IDs here." in app.errors()[0]  # of the batch 3,348 would
    assert app.press("Set V to 38,657").errors() == []


def test_page_without_a_batch_has_no_figure():
    app = AppDriver().open(B=64, drop_last=True)
    assert "drop_last discards the only batch" in app.errors()[0]
    assert app.learner.outputs.figure is None


@pytest.mark.parametrize(("T", "needs"), [(1, "its target needs 2 tokens"), (2, "its targets needs 3 tokens")])
def test_text_of_one_token_lacks_a_target(T, needs):
    assert f"is one sequence: a window with {needs}." in AppDriver().open(text="Hi", T=T).words


def test_opened_lessons_are_counted():
    app = AppDriver().open("lookup").open("glossary").open("combine").open("home")
    (progress,) = (each.proto for each in app.at.get("progress"))
    n_lessons = len(PAGES) - 2  # Home and Glossary are none
    assert f"2 of {n_lessons} lessons" in progress.text
    assert progress.value == 200 // n_lessons
    assert "See a head being trained: Attention" in [link.proto.label for link in app.at.get("page_link")]
