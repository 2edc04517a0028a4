from components.ui.lesson import Lesson

LESSON = Lesson(
    "reproduce",
    "Reproduce",
    "Check it",
    "Numbers that anyone can check: published results beside the same results, computed on this machine.",
    leads_on="You can check every number: what does every word mean, and where does it come from?",
    uses="batch; embedding; embedding dimension; IndexError; int64; learned position embedding; norm; "
    "position embedding; seed; shape; sinusoidal positional encoding; special token; target; token; token "
    "embedding table; token ID; vocabulary; vocabulary size",
    takes_text=False,
)
