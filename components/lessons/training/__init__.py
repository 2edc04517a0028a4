from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    "Let it learn",
    "Tokens with the same successors come to have similar rows: that is how training makes meaning.",
    choices=Choices,
    controls=(),
)
