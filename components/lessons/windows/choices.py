"""The choice of the lesson on windows, as it travels in a link."""

from dataclasses import dataclass

from components.base.field_types import IntegerField, check_all
from components.base.limits import MAX_TEXT_CHARS
from components.base.settings import setting_field


@dataclass(frozen=True)
class Choices:
    """The window that the figure follows; its index is clamped to the valid range when rendered."""

    window_index: int = setting_field(0, IntegerField("window", 0, 4 * MAX_TEXT_CHARS), of_text=True)

    def __post_init__(self) -> None:
        check_all(self)
