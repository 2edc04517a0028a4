from components.ui.lesson import Lesson

LESSON = Lesson(
    "reproduce",
    "Reproduce",
    "Check it",
    "Numbers that anyone can check: published results beside the same results, computed on this machine.",
    controls=(),
)
