from dataclasses import dataclass

from components.base.field_types import (
    BooleanField,
    CheckedFields,
    ChoiceField,
    FloatField,
    IntegerField,
    TextField,
    setting_field,
)
from components.base.limits import MAX_LINE_CHARS, MAX_TRAINING_STEPS
from components.training.config import USUAL_RATES

TOKEN_STDS = ("0.02", "1")


@dataclass(frozen=True)
class Choices(CheckedFields):
    train_steps: int = setting_field(0, IntegerField("steps", 0, MAX_TRAINING_STEPS))  # number of steps to train
    train_more: int = setting_field(200, IntegerField("steps per click", 1, MAX_TRAINING_STEPS))
    optimizer: str = setting_field("sgd", ChoiceField("optimizer", tuple(USUAL_RATES)))
    learning_rate: float = setting_field(0.3, FloatField("learning rate", 1e-6, 1e6))
    weight_decay: float = setting_field(0.1, FloatField("weight decay", 0.0, 1.0))
    tied: bool = setting_field(False, BooleanField("tied"))
    padding_idx: bool = setting_field(True, BooleanField("padding_idx"))
    token_std: str = setting_field("0.02", ChoiceField("standard deviation", TOKEN_STDS))
    one_window: bool = setting_field(True, BooleanField("one window"))  # per step, instead of B
    prompt: str = setting_field("", TextField("Prompt", MAX_LINE_CHARS))  # empty: the first two tokens of the text
