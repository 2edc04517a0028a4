"""One-hot: multiplying a one-hot vector by the table picks the same row as a lookup, at many times the cost."""

from components.ui.lesson import Lesson

LESSON = Lesson(
    "one_hot",
    "One-hot",
    ":material/looks_one:",
    "IDs to vectors",
    "Multiplying a one-hot vector by the table picks the same row as a lookup, at many times the cost.",
    controls=("vocab_size", "dim", "seed"),
)
