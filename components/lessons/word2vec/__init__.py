from components.lessons.word2vec.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "word2vec",
    "Word2vec",
    "Let it learn",
    "An analogy is answered by the word nearest to a sum of vectors; which words may answer decides.",
    leads_on="You need not trust any of these numbers: do you get the published ones on your own machine?",
    uses="cosine similarity; embedding dimension; epoch; learning rate; seed; window",
    choices=Choices,
    takes_text=False,
)
