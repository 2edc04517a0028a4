from components.lessons.windows.choices import Choices
from components.ui.lesson import Lesson

LESSON = Lesson(
    "windows",
    "Windows",
    "Text to IDs",
    "A window of the context length T slides over the IDs; the targets are the same window shifted by one position.",
    leads_on="You have batches of IDs [B, T], and an ID measures nothing: which vector does it select?",
    uses="embedding lookup; token; token ID",
    choices=Choices,
    controls=("context_length", "stride", "batch_size"),
)
