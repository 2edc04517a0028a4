from components.lessons.one_hot.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "one_hot",
    "One-hot",
    "IDs to vectors",
    "A lookup copies what a matrix product with one-hot vectors would compute.",
    leads_on="You have one vector for each token, the same at every position: how does the order get into it?",
    uses="batch; embedding; embedding dimension; embedding lookup; int64; number of windows; seed; shape; "
    "token; token ID; vocabulary; vocabulary size",
    choices=Choices,
    controls=("vocab_size", "dim", "seed"),
)
