"""Word2vec: train word vectors on text and test analogies with the input words included and excluded."""

from components.lessons.word2vec.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "word2vec",
    "Word2vec",
    ":material/hub:",
    "Let it learn",
    "Train word vectors on text and test analogies with the input words included and excluded.",
    choices=Choices,
    takes_text=False,
)
