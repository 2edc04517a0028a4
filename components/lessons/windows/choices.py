"""The choices of the lesson on windows, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import IntegerField, check_all
from components.base.limits import MAX_TEXT_CHARS
from components.base.settings import setting_field


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    start: int = setting_field(0, IntegerField("start", 0, 4 * MAX_TEXT_CHARS))
    window_index: int = setting_field(0, IntegerField("window", 0, 4 * MAX_TEXT_CHARS))

    def __post_init__(self) -> None:
        check_all(self)
