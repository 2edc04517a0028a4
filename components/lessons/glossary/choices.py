from dataclasses import dataclass

from components.base.field_types import CheckedFields, TextField, setting_field
from components.base.limits import MAX_LINE_CHARS


@dataclass(frozen=True)
class Choices(CheckedFields):
    term: str = setting_field("", TextField("Find a word", MAX_LINE_CHARS))
