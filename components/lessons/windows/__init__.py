from components.lessons.windows.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "windows",
    "Windows",
    "Text to IDs",
    "A window of T tokens slides over the IDs; the targets are the same window shifted by one position.",
    choices=Choices,
    controls=("context_length", "stride", "batch_size"),
)
