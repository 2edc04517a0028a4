from dataclasses import dataclass

from components.base.field_types import CheckedFields, IntegerField, setting_field
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH, MAX_DIM


@dataclass(frozen=True)
class Choices(CheckedFields):
    home_token: int = setting_field(
        0, IntegerField("token of Home", 0, MAX_BATCH_SIZE * MAX_CONTEXT_LENGTH), of_text=True
    )
    home_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))  # with a trained table
