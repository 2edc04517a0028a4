from dataclasses import dataclass

from components.base.field_types import CheckedFields, IntegerField, setting_field
from components.base.limits import MAX_DIM

SHOWN = 128  # positions in the figure


@dataclass(frozen=True)
class Choices(CheckedFields):
    position_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    wave: int = setting_field(0, IntegerField("wave", 0, MAX_DIM))
    at: int = setting_field(5, IntegerField("chosen position", 0, SHOWN - 1))
    shuffle_seed: int = setting_field(1, IntegerField("shuffle_seed", 0, 99))
