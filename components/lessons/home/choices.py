"""The choice of Home, as it travels in a link."""

from dataclasses import dataclass

from components.base.field_types import IntegerField, check_all
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH
from components.base.settings import setting_field


@dataclass(frozen=True)
class Choices:
    """One of the tokens that the figure shows: the index is clamped to the batch when rendered."""

    home_token: int = setting_field(0, IntegerField("token", 0, MAX_BATCH_SIZE * MAX_CONTEXT_LENGTH), of_text=True)

    def __post_init__(self) -> None:
        check_all(self)
