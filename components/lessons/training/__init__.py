from components.lessons.training.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "training",
    "Training",
    "Let it learn",
    "Untied, only the rows of the batch get a gradient; momentum and weight decay move other rows as well.",
    leads_on="Tokens with the same successors came to have similar rows: what can vectors of words do after many "
    "sentences?",
    uses="attention; batch; batch size; context length; embedding lookup; gradient; linear layer; nearest "
    "neighbor; number of windows; padding_idx; sinusoidal positional encoding; token; token embedding "
    "table; token ID; vocabulary size; window; word2vec",
    choices=Choices,
    controls=(),
)
