"""Errors: break an embedding on purpose: see the real error, which table caused it, and the fix."""

from components.lessons.errors.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "errors",
    "Errors",
    ":material/bug_report:",
    "Break it",
    "Break an embedding on purpose: see the real error, which table caused it, and the fix.",
    choices=Choices,
    takes_text=False,
)
