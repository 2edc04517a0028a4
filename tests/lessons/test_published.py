from collections import Counter

import pytest
import torch

from components.base.presets import PUBLISHED
from components.embedding.walkthrough import Tables, init_tables
from components.lessons.reproduce import page, published
from components.lessons.reproduce.published import combined_batch, printed, published_results, story_batch, toy_table
from components.ui.code_view import handout_of
from tests.programs.labels import as_printed, labelled
from tests.programs.run_programs import run_many
from tests.states import lesson_state

RESULTS = published_results()
STORY_CHARACTERS = PUBLISHED["story_batch"]["characters"]


def test_published_results_all_agree_besides_the_wrong_length():
    assert [*Counter(result.topic for result in RESULTS).values()] == [10, 16, 3, 4, 6, 8, 1, 2]
    assert len({(result.topic, result.what) for result in RESULTS}) == len(RESULTS)
    assert all(result.agrees is (result.published == result.computed) is (result.note == "") for result in RESULTS)
    (wrong,) = [result for result in RESULTS if not result.agrees]
    assert (wrong.published, wrong.computed) == ("13.0639", "16.0000")
    assert "incorrect" in wrong.note


def test_published_results_of_the_whole_story_include_its_tokens(story):
    (added,) = {*published_results(story)} - {*RESULTS}
    assert (added.what, added.published, added.computed) == ("tokens in the whole story", "5145", "5145")


@pytest.mark.parametrize(("characters", "added"), [(-1, []), (0, [("tokens in the whole story", False)]), (1, [])])
def test_story_batch_of_another_text_never_agrees(characters, added):
    rows = [*story_batch("x" * (STORY_CHARACTERS + characters))][len([*story_batch()]) :]
    assert [(what, as_published == computed) for what, as_published, computed in rows] == added


def test_published_results_are_computed_anew(monkeypatch):
    def zeros(settings) -> Tables:
        tables = init_tables(settings)
        return Tables(tables.token, torch.zeros_like(tables.position))

    def disagreeing(rows):
        return [what for what, as_published, computed in rows if printed(as_published) != printed(computed)]

    monkeypatch.setattr(published, "init_tables", zeros)
    assert disagreeing(combined_batch()) == ["position[0, :5]", "combined[0, 0, :5]"]
    monkeypatch.setitem(PUBLISHED["toy_table"], "seed", 124)
    assert len(disagreeing(toy_table())) == 10
    assert printed([1.0, -0.04999, 12.34567]) == "1.0000 -0.0500 12.3457"


def test_program_prints_the_published_values():
    (ran,) = run_many([handout_of(page, lesson_state("reproduce"), offline=True).text])
    toy, story, small = PUBLISHED["toy_table"], PUBLISHED["story_batch"], PUBLISHED["small_vocabulary"]
    words, combined, error = PUBLISHED["text_vocabulary"], PUBLISHED["combined_batch"], PUBLISHED["out_of_range"]
    wanted = {
        "table": torch.tensor(toy["weight"]),
        "rows of IDs 2, 3, 5, 1": torch.tensor(toy["lookup_rows"]),
        "inputs": torch.tensor(story["inputs"]),
        "targets": torch.tensor(story["targets"]),
        f"IDs of “{small['sentence']}”": small["ids"],
        "table.weight.shape": small["table_shape"],
        "rows 0 and 3 (both “the”) are equal": True,
        "special tokens": words["special_tokens"],
        "ID of the first word": words["first_word_id"],
        "table.weight.shape, 50 words": words["table_shape"],
        "table(ids).shape, ten words": words["output_shape"],
        **{f"{name}.shape": shape for name, shape in combined["shapes"].items()},
        "token[0, 0, :5]": torch.tensor(combined["token_0_0_first5"]),
        "position[0, :5]": torch.tensor(combined["position_0_first5"]),
        "combined[0, 0, :5]": torch.tensor(combined["combined_0_0_first5"]),
        "ID 10 into V = 10": f"{error['error']}: {error['message']}",
        "D 512, √(D/2)": "16.0000",
        "D 512, √(D/3)": "13.0639",
    }
    for case in PUBLISHED["input_shapes"]:
        ids = f"torch.{case.get('ids_dtype', 'int64')} {case['ids_shape']}"
        wanted[f"V {case['vocab_size']:,}, D {case['dim']}, {ids}"] = case["out_shape"]
    printed = {name: texts for name, texts in labelled(ran.printed).items() if name.startswith("published ")}
    assert printed == {f"published {name}": [as_printed(value)] for name, value in wanted.items()}
