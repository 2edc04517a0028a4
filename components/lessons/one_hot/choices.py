"""The choices of the lesson on one-hot vectors, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import ChoiceField, IntegerField, check_all
from components.base.limits import MAX_BATCH_SIZE, MAX_CONTEXT_LENGTH, MAX_DIM
from components.base.settings import setting_field

WAYS = ("product", "lookup")


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    way: str = setting_field("product", ChoiceField("way", WAYS))
    one_hot_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    one_hot_token: int = setting_field(0, IntegerField("token", 0, MAX_BATCH_SIZE * MAX_CONTEXT_LENGTH), of_text=True)

    def __post_init__(self) -> None:
        check_all(self)
