from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    "Let it learn",
    "Tokens with the same successors come to have similar rows: that is how meaning arises in training.",
    leads_on="What follows a token made its row; what if a row learns from all words around it, in many sentences?",
    uses="attention; batch; batch size; context length; cosine similarity; embedding lookup; gradient; linear layer; "
    "nearest neighbor; number of windows; padding_idx; sinusoidal positional encoding; token; token embedding "
    "table; token ID; vocabulary size; window; word2vec",
    choices=Choices,
    controls=(),
)
