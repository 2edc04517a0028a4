from dataclasses import dataclass

from components.base.field_types import CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.limits import MAX_CONTEXT_LENGTH, MAX_DIM

# Standard deviations of the initial weights, of tokens and of learned positions: nn.Embedding's, the first
# Transformer's, GPT-2's
INIT_STDS = {
    "1": lambda dim: (1.0, 1.0),
    "D^-0.5": lambda dim: (dim**-0.5, dim**-0.5),
    "0.02": lambda dim: (0.02, 0.01),
}


@dataclass(frozen=True)
class Choices(CheckedFields):
    step: int = setting_field(0, IntegerField("step", 0, 9))
    b: int = setting_field(0, IntegerField("b", 0, 4096))
    t: int = setting_field(1, IntegerField("t", 0, MAX_CONTEXT_LENGTH))
    d: int = setting_field(2, IntegerField("d", 0, MAX_DIM))
    init_std: str = setting_field("1", ChoiceField("init_std", tuple(INIT_STDS)))
    move: int = setting_field(0, IntegerField("move", 0, MAX_CONTEXT_LENGTH))
    to: int = setting_field(1, IntegerField("to", 0, MAX_CONTEXT_LENGTH))
