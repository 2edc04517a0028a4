"""One-hot: a lookup is a matrix product of one-hot vectors and the table that skips the zeros."""

from components.lessons.one_hot.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "one_hot",
    "One-hot",
    ":material/looks_one:",
    "IDs to vectors",
    "A lookup is a matrix product that skips the zeros.",
    choices=Choices,
    controls=("vocab_size", "dim", "seed"),
)
