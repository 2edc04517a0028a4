"""Training: each step changes the rows that were looked up."""

from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    ":material/trending_down:",
    "Let it learn",
    "Rows start as random numbers. Each training step changes those that were looked up; so they come to mean "
    "something.",
    choices=Choices,
    controls=("dim", "seed", "context_length"),
)
