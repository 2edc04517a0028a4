"""Reproduce: published results beside the same results computed on this machine."""

from components.ui.lesson import Lesson

LESSON = Lesson(
    "reproduce",
    "Reproduce",
    ":material/fact_check:",
    "Check it",
    "Numbers that anyone can check: published results beside the same results, computed on this machine.",
    controls=(),
)
