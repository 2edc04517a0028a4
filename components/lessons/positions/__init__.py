from components.lessons.positions.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "positions",
    "Positions",
    "IDs to vectors",
    "A token embedding carries no information about position; a second table adds it.",
    leads_on="Each token has a vector, and each position has one, but a model reads a single vector: how do two "
    "become one?",
    uses="attention; causal mask; combined embedding; context length; cosine similarity; embedding; embedding "
    "dimension; IndexError; norm; rotary position embedding; seed; standard deviation; token; token ID",
    choices=Choices,
    trained=True,
    controls=("position", "layout", "dim"),
)
