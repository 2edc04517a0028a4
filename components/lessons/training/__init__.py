"""Training: only rows that were looked up get a gradient."""

from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    ":material/trending_down:",
    "Let it learn",
    "Untied, only the rows of the batch get a gradient; momentum and weight decay move other rows as well.",
    choices=Choices,
    controls=(),
)
