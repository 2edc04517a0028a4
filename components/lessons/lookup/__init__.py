from components.lessons.lookup.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "lookup",
    "Lookup",
    "IDs to vectors",
    "An embedding layer is a table with one row for each ID; looking up means copying rows.",
    leads_on="A lookup copies rows and multiplies nothing: which product of matrices gives the same rows?",
    uses="batch; norm; shape; token; token ID; vocabulary size",
    choices=Choices,
    trained=True,
    controls=("vocab_size", "dim", "seed"),
)
