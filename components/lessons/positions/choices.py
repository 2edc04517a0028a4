"""The choices of the lesson on positions, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import IntegerField, check_all
from components.base.limits import MAX_DIM
from components.base.settings import setting_field

LAST_POSITION = 127  # of those that the figure shows


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    position_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    wave: int = setting_field(0, IntegerField("wave", 0, MAX_DIM))
    at: int = setting_field(5, IntegerField("position", 0, LAST_POSITION))
    shuffle_seed: int = setting_field(1, IntegerField("shuffle_seed", 0, 99))

    def __post_init__(self) -> None:
        check_all(self)
