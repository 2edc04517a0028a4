from components.lessons.errors.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "errors",
    "Errors",
    "Break it",
    "An error message describes what the library was given, not the mistake; some mistakes give no message.",
    choices=Choices,
    takes_text=False,
)
