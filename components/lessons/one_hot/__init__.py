from components.lessons.one_hot.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "one_hot",
    "One-hot",
    "IDs to vectors",
    "A lookup copies what a matrix product with one-hot vectors would compute.",
    choices=Choices,
    controls=("vocab_size", "dim", "seed"),
)
