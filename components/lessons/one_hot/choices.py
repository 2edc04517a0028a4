"""The choices of the lesson on one-hot vectors, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import ChoiceField, IntegerField, check_all
from components.base.limits import MAX_DIM
from components.base.settings import setting_field

WAYS = ("product", "lookup")


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here: how rows are selected, and the first column shown, clamped to the valid range."""

    way: str = setting_field("product", ChoiceField("way", WAYS))
    one_hot_column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))

    def __post_init__(self) -> None:
        check_all(self)
