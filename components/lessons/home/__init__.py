from components.lessons.home.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "home",
    "Home",
    "",
    "Follow your own text on its way into a language model, with the real numbers at every step.",
    leads_on="A model computes with IDs, not with letters: where do they come from?",
    uses="attention; batch; batch size; combined embedding; context length; embedding; embedding dimension; "
    "position embedding; seed; sinusoidal positional encoding; token; token ID; vocabulary size; word2vec",
    choices=Choices,
    trained=True,
    controls=("vocab_size", "dim", "seed"),
    has_program=False,
)
