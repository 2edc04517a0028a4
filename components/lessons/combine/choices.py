"""The choices of the lesson on the combined embedding, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import ChoiceField, IntegerField, check_all
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_DIM
from components.base.settings import setting_field

INIT_STDS = ("1", "D^-0.5", "0.02")  # standard deviations of the initial weights


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    step: int = setting_field(0, IntegerField("step", 0, 9))
    b: int = setting_field(0, IntegerField("b", 0, 4096))
    t: int = setting_field(1, IntegerField("t", 0, MAX_CONTEXT_LENGTH))
    d: int = setting_field(2, IntegerField("d", 0, MAX_DIM))
    init_std: str = setting_field("1", ChoiceField("init_std", INIT_STDS))
    move: int = setting_field(0, IntegerField("move", 0, MAX_CONTEXT_LENGTH))
    to: int = setting_field(1, IntegerField("to", 0, MAX_CONTEXT_LENGTH))

    def __post_init__(self) -> None:
        check_all(self)
