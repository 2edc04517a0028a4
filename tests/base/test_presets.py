import pytest
import torch

from components.base.limits import table_bytes
from components.base.presets import PRESETS, PUBLISHED, SAMPLE_TEXT
from components.base.settings import Settings
from components.base.text_format import readable_bytes
from components.embedding.walkthrough import walk
from components.text.batches import make_batch
from components.text.token_ids import out_of_range, parse_ids
from components.text.tokenizers import get_tokenizer
from components.text.window_counts import typed_batch

WITH_IDS = [name for name, preset in PRESETS.items() if preset.settings.typed]
COMPARED = ["toy_table", "combined_batch", "out_of_range", "input_shapes"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_walks_to_its_combined_embedding(name):
    preset = PRESETS[name]
    batch = make_batch(get_tokenizer("gpt2").encode(SAMPLE_TEXT), preset.settings)
    assert walk(batch, preset.settings)["combined"].shape == (*batch.shape, preset.settings.dim)
    assert torch.isfinite(walk(batch, preset.settings)["combined"]).all()


@pytest.mark.parametrize("name", WITH_IDS)
def test_the_ids_of_a_preset_fill_its_batch_and_its_table(name):
    preset = PRESETS[name]
    rows = typed_batch(preset.settings)
    assert [len(rows), len(rows[0])] == [preset.settings.batch_size, preset.settings.context_length]
    assert out_of_range([token_id for row in rows for token_id in row], preset.settings.vocab_size) is None


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Toy table", [PUBLISHED["toy_table"]["lookup_ids"]]),
        ("Story batch", PUBLISHED["story_batch"]["inputs"]),
        ("Small vocabulary", [PUBLISHED["small_vocabulary"]["ids"]]),
        ("Notebook table", PUBLISHED["input_shapes"][0]["ids"]),
        ("Scaled", PUBLISHED["input_shapes"][4]["ids"]),
    ],
)
def test_published_presets_hold_the_published_ids(name, rows):
    assert parse_ids(PRESETS[name].settings.ids) == rows


@pytest.mark.parametrize(
    ("name", "key"),
    [("Toy table", "toy_table"), ("Story batch", "combined_batch")],
)
def test_published_presets_hold_the_published_settings(name, key):
    settings, facts = PRESETS[name].settings, PUBLISHED[key]
    assert (settings.vocab_size, settings.dim, settings.seed) == (facts["vocab_size"], facts["dim"], facts["seed"])


def test_the_shape_presets_hold_the_published_shapes():
    shapes = PUBLISHED["input_shapes"]
    for name, facts in (("Notebook table", shapes[0]), ("Scaled", shapes[4])):
        settings = PRESETS[name].settings
        assert [settings.batch_size, settings.context_length, settings.dim] == facts["out_shape"]
        assert (settings.vocab_size, settings.scale) == (facts["vocab_size"], "scaled_by" in facts)
    small = PRESETS["Small vocabulary"].settings
    assert [small.vocab_size, small.dim] == PUBLISHED["small_vocabulary"]["table_shape"]


def test_the_note_on_gpt2_names_the_size_its_own_table_would_take():
    assert readable_bytes(table_bytes(50_257, 768)) in PRESETS["GPT-2 small"].note


def test_the_first_preset_is_the_default():
    assert next(iter(PRESETS.values())).settings == Settings()


@pytest.mark.parametrize("key", COMPARED)
def test_the_published_figures_are_copied_without_a_change(key, golden):
    assert PUBLISHED[key] == golden[key]


def test_the_published_story_figures_are_copied_without_a_change(golden):
    for key in ("characters", "gpt2_tokens", "max_length", "stride", "batch_size", "inputs", "targets"):
        assert PUBLISHED["story_batch"][key] == golden["story_batch"][key]


def test_the_published_vocabulary_figures_are_copied_without_a_change(golden):
    for key in ("vocabulary", "sentence", "ids", "dim", "table_shape"):
        assert PUBLISHED["small_vocabulary"][key] == golden["small_vocabulary"][key]
    for key in ("special_tokens", "first_word_id"):
        assert PUBLISHED["text_vocabulary"][key] == golden["text_vocabulary"][key]
    for number in ("50 distinct", "54 rows", "[54, 10]", "[10, 10]"):
        assert number in golden["text_vocabulary"]["example"]
    assert PUBLISHED["text_vocabulary"]["table_shape"] == [54, 10]
    assert PUBLISHED["text_vocabulary"]["output_shape"] == [10, 10]
