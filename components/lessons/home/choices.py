from dataclasses import dataclass

from components.base.field_types import CheckedFields, IntegerField, setting_field
from components.base.limits import MAX_BATCH_TOKENS, MAX_DIM


@dataclass(frozen=True)
class Choices(CheckedFields):
    home_token: int = setting_field(0, IntegerField("token of Home", 0, MAX_BATCH_TOKENS), of_text=True)
    home_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))  # with a trained table
