from dataclasses import dataclass

from components.base.field_types import BooleanField, CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.limits import MAX_TEXT_CHARS

KINDS = {"none": "No positions", "added": "Added", "rotary": "Rotary"}
VIEWS = {"weights": "Weights", "hands": "Clock hands"}
MAX_TOKENS = 9  # that one figure has room for
LAST = MAX_TOKENS - 1


@dataclass(frozen=True)
class Choices(CheckedFields):
    causal: bool = setting_field(True, BooleanField("causal"))
    attention_positions: str = setting_field("added", ChoiceField("attention_positions", tuple(KINDS)))
    attention_view: str = setting_field("weights", ChoiceField("attention_view", tuple(VIEWS)))
    first_token: int = setting_field(0, IntegerField("first_token", 0, 4 * MAX_TEXT_CHARS), of_text=True)
    shuffled: bool = setting_field(False, BooleanField("shuffled"))
    order_seed: int = setting_field(1, IntegerField("order_seed", 0, 99))
    query: int = setting_field(7, IntegerField("query", 0, LAST))
    key: int = setting_field(3, IntegerField("key", 0, LAST))
