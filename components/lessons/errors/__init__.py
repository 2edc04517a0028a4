from components.lessons.errors.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "errors",
    "Errors",
    "Break it",
    "PyTorch's message names neither the ID nor the table; the figure does.",
    choices=Choices,
    takes_text=False,
)
