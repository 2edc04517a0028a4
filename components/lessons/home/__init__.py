from components.lessons.home.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "home",
    "Home",
    "",
    "Follow your own text on its way into a language model, with the real numbers at every step.",
    choices=Choices,
    trained=True,
    controls=("vocab_size", "dim", "seed"),
    has_program=False,
)
