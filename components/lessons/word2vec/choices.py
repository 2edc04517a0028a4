import re
from dataclasses import dataclass

from components.base.field_types import (
    BooleanField,
    CheckedFields,
    ChoiceField,
    FloatField,
    IntegerField,
    TextField,
    setting_field,
)
from components.base.limits import MAX_LINE_CHARS, MAX_SEED, MAX_WORD_FIELD_CHARS
from components.vectors.corpora import MAX_GRAMMAR_CHARS

# The labels of the options, by their names in the link.
VECTORS = {
    "grammar": "Grammar: trained here",
    "text": "Your text: trained here",
    "news": "News: trained here",
    "glove-wiki-gigaword-50": "GloVe, from Wikipedia and news (download)",
    "word2vec_sample": "A sample of Google News (download)",
    "word2vec-google-news-300": "All of Google News (large download)",
    "upload": "Your own file",
}
SCENES = {"step": "1 Step", "film": "2 Film", "analogy": "3 Analogy"}
HERE = ("grammar", "text", "news")  # the vectors that are trained on the page
VIEWS = {
    "analogy": "Methods",
    "neighbors": "Neighbors",
    "similarity": "Similarity",
    "map": "Map",
    "gallery": "Gallery",
    "questions": "19,544 questions",
}
METHODS = {"add": "3CosAdd: a − b + c", "mul": "3CosMul: a × c / b"}


@dataclass(frozen=True)
class Choices(CheckedFields):
    """The settings of the training are picked (bench/analogies.py).

    With them the answer to king - man + woman depends on excluding the input words for 8 of the seeds 1 to 10.
    """

    vectors: str = setting_field("grammar", ChoiceField("vectors", tuple(VECTORS)))
    scene: str = setting_field("step", ChoiceField("scene", tuple(SCENES)))
    sentence: int = setting_field(2, IntegerField("sentence", 0, 10_000))  # of those with the word of the step
    rate: float = setting_field(0.5, FloatField("learning rate of the step", 0.001, 2.0))
    view: str = setting_field("analogy", ChoiceField("view", tuple(VIEWS)))
    grammar: str = setting_field("", TextField("Grammar", MAX_GRAMMAR_CHARS))  # empty: the one of the app
    sentences: int = setting_field(1_000, IntegerField("sentences", 50, 10_000))
    vector_size: int = setting_field(16, IntegerField("vector size", 2, 100))
    window: int = setting_field(1, IntegerField("window", 1, 10))
    epochs: int = setting_field(12, IntegerField("epochs", 1, 30))
    negative: int = setting_field(1, IntegerField("negative samples", 1, 20))
    train_seed: int = setting_field(40, IntegerField("training seed", 0, MAX_SEED))
    word_a: str = setting_field("king", TextField("Word a", MAX_WORD_FIELD_CHARS))
    word_b: str = setting_field("man", TextField("Word b", MAX_WORD_FIELD_CHARS))
    word_c: str = setting_field("woman", TextField("Word c", MAX_WORD_FIELD_CHARS))
    expected: str = setting_field("queen", TextField("Expected word", MAX_WORD_FIELD_CHARS))
    exclude: bool = setting_field(True, BooleanField("exclude"))
    method: str = setting_field("add", ChoiceField("method", tuple(METHODS)))
    near: str = setting_field("king", TextField("Word", MAX_WORD_FIELD_CHARS))
    words: str = setting_field("king queen man woman prince princess", TextField("Words", MAX_LINE_CHARS))

    @property
    def shown(self) -> str:
        """The scene on the page: vectors that were trained elsewhere have an analogy alone."""
        return self.scene if self.vectors in HERE else "analogy"

    @property
    def shown_view(self) -> str:
        """The view of the vectors: methods compare how an analogy is answered, so they need one on the page."""
        return "neighbors" if self.view == "analogy" != self.shown else self.view

    @property
    def inputs(self) -> tuple[str, str, str]:
        """The words of a - b + c."""
        return self.word_a.strip(), self.word_b.strip(), self.word_c.strip()

    @property
    def word_list(self) -> list[str]:
        """The words of the views that show several, each once."""
        return list(dict.fromkeys(filter(None, re.split(r"[\s,;]+", self.words))))
