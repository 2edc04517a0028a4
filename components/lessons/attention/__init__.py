from components.lessons.attention.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "attention",
    "Attention",
    "IDs to vectors",
    "What embeddings are for: in attention a token reads other tokens, by what they are and by their positions.",
    choices=Choices,
    controls=("seed",),
)
