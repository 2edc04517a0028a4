"""The configuration of a training of the toy model."""

from array import array
from dataclasses import dataclass

USUAL_RATES = {"sgd": 0.3, "momentum": 0.1, "adam": 0.03, "adamw": 0.03}  # all optimizers: rates that suit a toy model


@dataclass(frozen=True)
class TrainingConfig:
    """All that a training depends on besides the text: the same configuration gives exactly the same numbers."""

    dim: int = 16
    seed: int = 123
    batch_size: int = 2
    position: str = "learned"
    layout: str = "interleaved"
    optimizer: str = "sgd"
    learning_rate: float = 0.3
    weight_decay: float = 0.0
    tied: bool = False
    padding_idx: bool = True
    token_std: float = 1.0  # standard deviation of the initial token embeddings

    @property
    def decay_factor(self) -> float:
        """What weight decay multiplies every weight by in a step: in float32, in which a small decay makes it 1.

        >>> [TrainingConfig(learning_rate=0.5, weight_decay=decay).decay_factor for decay in (0.5, 1e-9, 5.0)]
        [0.75, 1.0, -1.5]
        """
        return array("f", [1 - self.learning_rate * self.weight_decay])[0]

    @property
    def decays(self) -> str:
        """What weight decay does to a row: with a large learning rate its norm may grow."""
        return "shrinks" if abs(self.decay_factor) < 1 else "changes"
