from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    "Let it learn",
    "Tokens with the same successors come to have similar rows: a first trace of meaning.",
    leads_on="Here a token's row is learned from the tokens after it: what if all words around it count?",
    uses="attention; batch; batch size; context length; cosine similarity; embedding dimension; embedding lookup; "
    "gradient; linear layer; nearest neighbor; norm; number of windows; padding_idx; sinusoidal positional encoding; "
    "standard deviation; token; token embedding table; token ID; vocabulary size; window; word2vec",
    choices=Choices,
    controls=(),
)
