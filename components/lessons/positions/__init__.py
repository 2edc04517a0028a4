from components.lessons.positions.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "positions",
    "Positions",
    "IDs to vectors",
    "A token embedding carries no information about position; a second table adds it.",
    choices=Choices,
    trained=True,
    controls=("position", "layout", "dim"),
)
