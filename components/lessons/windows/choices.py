from dataclasses import dataclass

from components.base.field_types import CheckedFields, IntegerField, setting_field
from components.base.limits import MAX_TEXT_CHARS


@dataclass(frozen=True)
class Choices(CheckedFields):
    window_index: int = setting_field(0, IntegerField("window", 0, 4 * MAX_TEXT_CHARS), of_text=True)
