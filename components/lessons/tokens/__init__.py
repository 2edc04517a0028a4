from components.lessons.tokens.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "tokens",
    "Tokens",
    "Text to IDs",
    "A tokenizer splits text into tokens and gives each token an ID: its row index in the embedding table.",
    leads_on="Your text is one long sequence of IDs, but a model reads at most T of them at a time, and learns to "
    "predict the next one: how is the text cut?",
    uses="context length; embedding; IndexError; token embedding table; window",
    choices=Choices,
    controls=("tokenizer",),
)
