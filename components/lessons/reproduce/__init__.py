from components.ui.lesson import Lesson

LESSON = Lesson(
    "reproduce",
    "Reproduce",
    "Check it",
    "Numbers that anyone can compute again: published results beside the same results, computed on this machine.",
    leads_on="You can compute every number again: what does every word mean, and where does it come from?",
    uses="batch; embedding; embedding dimension; IndexError; int64; learned position embedding; norm; "
    "position embedding; seed; shape; sinusoidal positional encoding; special token; target; token; token "
    "embedding table; token ID; vocabulary; vocabulary size",
    takes_text=False,
)
