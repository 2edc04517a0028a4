from dataclasses import dataclass

from components.base.field_types import CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH, MAX_DIM

WAYS = ("product", "lookup")


@dataclass(frozen=True)
class Choices(CheckedFields):
    way: str = setting_field("product", ChoiceField("way", WAYS))
    one_hot_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    one_hot_token: int = setting_field(
        0, IntegerField("token of One-hot", 0, MAX_BATCH_SIZE * MAX_CONTEXT_LENGTH), of_text=True
    )
