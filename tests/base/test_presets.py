import pytest

from components.base.presets import PRESETS, PUBLISHED, SAMPLE_TEXT
from components.base.settings import Settings
from components.text.tokenizers import get_tokenizer
from components.text.windows import make_batch

# The published IDs of the presets that have some.
IDS = {
    "Toy table": [PUBLISHED["toy_table"]["lookup_ids"]],
    "Story batch": PUBLISHED["story_batch"]["inputs"],
    "Small vocabulary": [PUBLISHED["small_vocabulary"]["ids"]],
    "Notebook table": PUBLISHED["input_shapes"][0]["ids"],
    "Scaled": PUBLISHED["input_shapes"][4]["ids"],
}
COPIED = PUBLISHED.keys() - {"about", "norms"}  # these are prose


@pytest.mark.parametrize("name", PRESETS)
def test_preset_makes_a_batch_of_the_published_ids(name):
    settings = PRESETS[name].settings
    batch = make_batch(get_tokenizer("gpt2").encode(SAMPLE_TEXT), settings)
    assert batch.shape == (settings.batch_size, settings.context_length)
    assert (batch.tolist() if settings.typed else None) == IDS.get(name)


def test_presets_begin_with_the_defaults_and_have_notes():
    assert next(iter(PRESETS.values())).settings == Settings()
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
