"""The configuration of a training of the toy model."""

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
