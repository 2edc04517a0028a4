from components.lessons.glossary.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "glossary",
    "Glossary",
    "Check it",
    "The words and letters of all lessons in a sentence or two, and where to read on.",
    choices=Choices,
    takes_text=False,
    has_program=False,
    asks=False,
)
