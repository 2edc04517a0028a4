from components.lessons.tokens.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "tokens",
    "Tokens",
    "Text to IDs",
    "A tokenizer splits text into tokens and gives each token an ID: its row index in the embedding table.",
    choices=Choices,
    controls=("tokenizer",),
)
