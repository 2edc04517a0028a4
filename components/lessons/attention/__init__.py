from components.lessons.attention.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "attention",
    "Attention",
    "IDs to vectors",
    "What the position is for: one attention head reads the embeddings, and every token mixes those it may read.",
    choices=Choices,
    trained=True,
    controls=(),
)
