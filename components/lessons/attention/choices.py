from dataclasses import dataclass

from components.base.field_types import BooleanField, CheckedFields, ChoiceField, IntegerField, TextField, setting_field
from components.base.limits import MAX_TEXT_CHARS
from components.training.reading_tasks import Meaning, Order

HEADS = {"order": "Order", "meaning": "Meaning", "text": "Your text", "gpt2": "GPT-2"}  # what is read, by which head
STARTS = {"0.1": 0.1, "1": 1.0}  # the standard deviation of the initial embeddings
FRUITS = " ".join(Order().fruits)
PAIRS = ", ".join(map(" ".join, Meaning().pairs))
WORDS_CHARS, PROMPT_CHARS = 340, 120
KINDS = {"none": "No positions", "added": "Added", "rotary": "Rotary"}
VIEWS = {"weights": "Weights", "hands": "Hands"}
MAX_TOKENS = 9  # that one figure has room for
LAST = MAX_TOKENS - 1
LAST_HEAD = 15  # of a table with the largest D


@dataclass(frozen=True)
class Choices(CheckedFields):
    head: str = setting_field("order", ChoiceField("head", tuple(HEADS)))
    head_positions: bool = setting_field(True, BooleanField("head_positions"))
    start: str = setting_field("0.1", ChoiceField("start", tuple(STARTS)))
    fruits: str = setting_field(FRUITS, TextField("Fruits", WORDS_CHARS))
    pairs: str = setting_field(PAIRS, TextField("Pairs", WORDS_CHARS))
    order_prompt: str = setting_field("", TextField("Prompt", PROMPT_CHARS))  # empty: the first one of the task
    meaning_prompt: str = setting_field("", TextField("Prompt", PROMPT_CHARS))
    gpt2_head: int = setting_field(1, IntegerField("gpt2_head", 0, LAST_HEAD))
    causal: bool = setting_field(True, BooleanField("causal"))
    attention_positions: str = setting_field("added", ChoiceField("attention_positions", tuple(KINDS)))
    attention_view: str = setting_field("weights", ChoiceField("attention_view", tuple(VIEWS)))
    first_token: int = setting_field(0, IntegerField("first_token", 0, 4 * MAX_TEXT_CHARS), of_text=True)
    shuffled: bool = setting_field(False, BooleanField("shuffled"))
    order_seed: int = setting_field(1, IntegerField("order_seed", 0, 99))
    query: int = setting_field(7, IntegerField("query", 0, LAST))
    key: int = setting_field(3, IntegerField("key", 0, LAST))

    def pair(self, n_tokens: int) -> tuple[int, int]:
        """Return the positions of query and key among those of the tokens; two that differ, if two were chosen.

        >>> Choices(query=7, key=3).pair(9), Choices(query=7, key=3).pair(2), Choices(query=2, key=2).pair(9)
        ((7, 3), (1, 0), (2, 2))
        """
        query, key = (min(each, n_tokens - 1) for each in (self.query, self.key))
        return (query, key - 1) if query == key > 0 and self.query != self.key else (query, key)

    @property
    def unused_controls(self) -> tuple[str, ...]:
        """Return the controls above the lesson that change nothing: a trained head reads sentences of its own."""
        return {"text": (), "gpt2": ("seed",)}.get(self.head, ("text",))

    @property
    def shows_hands(self) -> bool:
        return (self.head, self.attention_positions, self.attention_view) == ("text", "rotary", "hands")
