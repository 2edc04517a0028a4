from components.lessons.one_hot.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "one_hot",
    "One-hot",
    "IDs to vectors",
    "A lookup is a matrix product that skips the zeros.",
    choices=Choices,
    controls=("vocab_size", "dim", "seed"),
)
