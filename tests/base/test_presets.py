import pytest

from components.base.limits import table_bytes
from components.base.presets import PRESETS, PUBLISHED, SAMPLE_TEXT
from components.base.settings import Settings
from components.base.text_format import readable_bytes
from components.text.token_ids import parse_ids
from components.text.tokenizers import get_tokenizer
from components.text.windows import make_batch

# The published IDs, and V, D, T, stride, B, seed, tokenizer and scale.
EXPECTED = {
    "My text": (None, 50_257, 16, 4, 4, 2, 123, "gpt2", False),
    "Toy table": ([PUBLISHED["toy_table"]["lookup_ids"]], 6, 3, 4, 4, 1, 123, "gpt2", False),
    "Story batch": (PUBLISHED["story_batch"]["inputs"], 50_257, 256, 4, 4, 8, 123, "gpt2", False),
    "Small vocabulary": ([PUBLISHED["small_vocabulary"]["ids"]], 12, 512, 5, 5, 1, 123, "words", False),
    "Notebook table": (PUBLISHED["input_shapes"][0]["ids"], 20, 5, 4, 4, 2, 123, "gpt2", False),
    "Scaled": (PUBLISHED["input_shapes"][4]["ids"], 500, 20, 8, 8, 2, 123, "gpt2", True),
    "GPT-2's own rows": (None, 50_257, 16, 4, 4, 2, 123, "gpt2", False),
    "GPT-2's vocabulary, D = 256": (None, 50_257, 256, 4, 4, 2, 123, "gpt2", False),
}
COPIED = PUBLISHED.keys() - {"about", "norms"}  # these are prose


@pytest.mark.parametrize("name", PRESETS)
def test_preset_has_the_published_settings_and_ids(name):
    settings = PRESETS[name].settings
    ids, *expected = EXPECTED[name]
    found = [settings.vocab_size, settings.dim, settings.context_length, settings.stride, settings.batch_size]
    assert [*found, settings.seed, settings.tokenizer, settings.scale] == expected
    batch = make_batch(get_tokenizer("gpt2").encode(SAMPLE_TEXT), settings)
    assert batch.shape == (settings.batch_size, settings.context_length)
    assert ids is None or parse_ids(settings.ids) == batch.tolist() == ids


def test_presets_begin_with_the_defaults_and_name_what_differs_from_gpt2():
    assert next(iter(PRESETS.values())).settings == Settings()
    (name,) = [name for name in PRESETS if "vocabulary, D" in name]
    settings, note = PRESETS[name].settings, PRESETS[name].note
    assert (name, settings.position) == (f"GPT-2's vocabulary, D = {settings.dim}", "learned")
    assert readable_bytes(table_bytes(50_257, 768)) in note
    assert settings.vocab_size == 50_257 == get_tokenizer("gpt2").n_vocab
    assert "0.02 (tokens) and 0.01 (positions)" in note
    assert all(preset.note.endswith(".") for preset in PRESETS.values())


@pytest.mark.parametrize("key", sorted(COPIED))
def test_published_figures_are_copied_without_a_change(key, golden):
    copied, published = PUBLISHED[key], golden[key]
    for mine, other in zip(copied, published, strict=True) if isinstance(copied, list) else [(copied, published)]:
        names = mine.keys() & other.keys() - {"text", "source"}
        assert names
        assert {name: mine[name] for name in names} == {name: other[name] for name in names}


def test_published_shapes_of_a_vocabulary_are_those_of_its_example(golden):
    example, figures = golden["text_vocabulary"]["example"], PUBLISHED["text_vocabulary"]
    for name in ("table_shape", "output_shape"):
        assert str(figures[name]) in example
    assert f"{figures['distinct_words']} distinct" in example
