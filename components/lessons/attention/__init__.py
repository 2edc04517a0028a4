from components.lessons.attention.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "attention",
    "Attention",
    "IDs to vectors",
    "What the position is for: one attention head reads the embeddings, and every token mixes those it may read.",
    leads_on="All of this works if every ID is in range and every shape fits: what happens if one does not?",
    uses="context length; embedding; embedding dimension; padding_idx; position embedding; seed; shape; "
    "sinusoidal positional encoding; token; token ID",
    choices=Choices,
    controls=(),
)
