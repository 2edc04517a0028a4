import pytest

from components.base.presets import PRESETS, PUBLISHED, SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer
from components.text.windows import make_batch

TOY, SMALL, SUMS, SHAPES = (
    PUBLISHED[name] for name in ("toy_table", "small_vocabulary", "combined_batch", "input_shapes")
)
# IDs, V and D of the presets that are published.
FIGURES = {
    "Toy table": ([TOY["lookup_ids"]], TOY["vocab_size"], TOY["dim"]),
    "Story batch": (PUBLISHED["story_batch"]["inputs"], SUMS["vocab_size"], SUMS["dim"]),
    "Small vocabulary": ([SMALL["ids"]], *SMALL["table_shape"]),
    "Notebook table": (SHAPES[0]["ids"], SHAPES[0]["vocab_size"], SHAPES[0]["dim"]),
    "Scaled": (SHAPES[4]["ids"], SHAPES[4]["vocab_size"], SHAPES[4]["dim"]),
}
COPIED = PUBLISHED.keys() - {"about", "norms"}  # these are prose


@pytest.mark.parametrize("name", PRESETS)
def test_preset_has_a_note_and_the_published_ids_and_sizes(name):
    settings = PRESETS[name].settings
    assert PRESETS[name].note.endswith(".")
    batch = make_batch(get_tokenizer("gpt2").encode(SAMPLE_TEXT), settings)
    assert batch.shape == (settings.batch_size, settings.context_length)
    figures = (batch.tolist(), settings.vocab_size, settings.dim) if settings.typed else None
    assert figures == FIGURES.get(name)


@pytest.mark.parametrize("key", sorted(COPIED))
def test_published_figures_are_copied_without_a_change(key, golden):
    copied, published = PUBLISHED[key], golden[key]
    for mine, other in zip(copied, published, strict=True) if isinstance(copied, list) else [(copied, published)]:
        names = mine.keys() & other.keys() - {"text", "source"}
        assert names
        assert {name: mine[name] for name in names} == {name: other[name] for name in names}


def test_published_vocabulary_shapes_are_those_of_its_example(golden):
    example, figures = golden["text_vocabulary"]["example"], PUBLISHED["text_vocabulary"]
    for name in ("table_shape", "output_shape"):
        assert str(figures[name]) in example
    assert f"{figures['distinct_words']} distinct" in example
