from components.lessons.combine.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "combine",
    "Combine",
    "IDs to vectors",
    "Token embedding plus position embedding, element by element: the input of the model.",
    leads_on="Each vector has its token and its position, and nothing about the tokens around it: how are these mixed?",
    uses="ALiBi; attention; batch; batch size; context length; embedding; embedding dimension; position "
    "embedding; rotary position embedding; seed; shape; sinusoidal positional encoding; standard deviation; "
    "token; token embedding table; token ID; vocabulary size; word2vec",
    choices=Choices,
    trained=True,
    controls=("vocab_size", "dim", "seed"),
)
