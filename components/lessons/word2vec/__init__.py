from components.lessons.word2vec.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "word2vec",
    "Word2vec",
    "Let it learn",
    "Words that occur beside the same words get similar vectors; sums of vectors can then answer analogies.",
    leads_on="You need not trust any of these numbers: do you get the published ones on your own machine?",
    uses="cosine similarity; dot product; embedding dimension; epoch; learning rate; norm; seed; window",
    choices=Choices,
    takes_text=False,
)
