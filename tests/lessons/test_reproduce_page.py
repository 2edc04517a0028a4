from collections import Counter

from components.base.presets import PUBLISHED
from components.lessons.reproduce.published import published_results
from tests.app_driver import AppDriver

STORY = PUBLISHED["story_batch"]
SHOWN = """Toy table: W[0]
Story batch: inputs[0]
Small vocabulary: IDs of “the cat in the hat”
Text vocabulary: table.weight.shape, 50 words
Input shapes: V 20, D 5, int64 [2, 4]
Combined batch: combined[0, 0, :5]
Error: ID 10 into V = 10
Sinusoidal norms: D 512, √(D/2)""".splitlines()


def computed(result) -> str:
    return f"{result.computed} {'✗' if result.note else '✓'}"


def test_table_has_each_topic_and_each_incorrect_result():
    app, results = AppDriver().open("reproduce", seed=9, D=3, position="sinusoidal", ids="1 2"), published_results()
    (table,) = app.tables()
    sizes = Counter(result.topic for result in results)
    expected = [result for result in results if f"{result.topic}: {result.what}" in SHOWN]
    listed = [(result, f"{sizes[result.topic]} of {sizes[result.topic]}") for result in expected[:-1]]
    listed += [(expected[-1], "1 of 1"), *((result, "incorrect") for result in results if result.note)]
    assert len(listed) == len(sizes) + 1
    shown = [(row["result"], row["published"], row["computed here"], row["agree"]) for row in table]
    assert shown == [
        (f"{result.topic}: {result.what}", result.published, computed(result), agree) for result, agree in listed
    ]
    entries = {name: entry for name, entry in PUBLISHED.items() if isinstance(entry, dict)}
    sourced = {name: entry["source"] for name, entry in entries.items() if "source" in entry}
    assert sourced.keys() == {"toy_table", "story_batch"}
    assert all(f"]({source})" in app.words for source in sourced.values())
    assert "addresses were not recorded" in app.words
    correct = sum(not result.note for result in results)
    assert f"{correct} of {correct} published results" in app.words
    assert "13.0639 is √(D/3), published as this norm, and incorrect: D numbers drawn uniformly" in app.words
    assert "so the norm is 16.0000." in app.words


def test_sections_have_every_result_once_they_are_open():
    app = AppDriver().open("reproduce").open_sections()
    shown = {(row["published"], row["computed here"]) for table in app.tables() for row in table}
    assert shown == {(result.published, computed(result)) for result in published_results()}
    assert any(f"{STORY['characters']:,} characters" in info.value for info in app.at.info)


def test_another_text_as_long_as_the_story_gets_no_tick():
    app = AppDriver().open("reproduce", text="x" * STORY["characters"]).open_sections()
    assert "49 of 50 published results" in app.words
    assert app.tables()[0][1]["agree"] == "16 of 17"
    (row,) = [row for table in app.tables() for row in table if "whole story" in row["result"]]
    assert (row["computed here"][-2:], row["published"]) == (" ✗", "5145")
    assert not app.at.info
