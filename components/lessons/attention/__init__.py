from components.lessons.attention.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "attention",
    "Attention",
    "IDs to vectors",
    "What embeddings are for: in attention a token reads other tokens, by what they are and by their positions.",
    leads_on="All of this works if every ID is in range and every shape fits: what happens if one does not?",
    uses="context length; dot product; embedding; embedding dimension; linear layer; padding_idx; position embedding; "
    "seed; shape; sinusoidal positional encoding; softmax; standard deviation; token; token ID",
    choices=Choices,
    trained=True,
    controls=("seed",),
)
