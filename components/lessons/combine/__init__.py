from components.lessons.combine.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "combine",
    "Combine",
    "IDs to vectors",
    "Token embedding plus position embedding, element by element: the input of the model.",
    choices=Choices,
    trained=True,
    controls=("vocab_size", "dim", "seed"),
)
