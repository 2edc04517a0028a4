from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    "Let it learn",
    "Untied, only the rows of the batch get a gradient; momentum and weight decay move other rows as well.",
    choices=Choices,
    controls=(),
)
