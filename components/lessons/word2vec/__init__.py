from components.lessons.word2vec.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "word2vec",
    "Word2vec",
    "Let it learn",
    "Words that occur beside the same words get similar vectors; analogies then become sums of vectors.",
    choices=Choices,
    takes_text=False,
)
