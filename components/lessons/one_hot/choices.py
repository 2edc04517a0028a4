from dataclasses import dataclass

from components.base.field_types import CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.limits import MAX_BATCH_TOKENS, MAX_DIM

WAYS = ("product", "lookup")


@dataclass(frozen=True)
class Choices(CheckedFields):
    way: str = setting_field("product", ChoiceField("way", WAYS))
    one_hot_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    one_hot_token: int = setting_field(0, IntegerField("token of One-hot", 0, MAX_BATCH_TOKENS), of_text=True)
