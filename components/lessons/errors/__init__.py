from components.lessons.errors.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "errors",
    "Errors",
    "Break it",
    "An error message names values, not always the mistake; and some mistakes raise no error at all.",
    leads_on="A token embedding starts as random numbers: how is it learned?",
    uses="batch; batch size; context length; embedding; embedding dimension; embedding lookup; position embedding; "
    "shape; special token; token; token embedding table; token ID; tokenizer; unsqueeze; vocabulary; vocabulary size",
    choices=Choices,
    takes_text=False,
)
