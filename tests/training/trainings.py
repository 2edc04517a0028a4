"""Small trainings for the tests of this package."""

import torch

from components.embedding.tables import seeded_generator
from components.training.config import TrainingConfig
from components.training.optimizers import USUAL_RATES
from components.training.recorded import RecordedTraining
from components.training.training_text import TrainingText, training_text


def random_text(n_tokens: int = 62, n_ids: int = 8) -> TrainingText:
    """Return a text of random tokens in windows of 4; by default the last of its 16 windows has 2 pads."""
    return training_text(10 + torch.randint(n_ids, (n_tokens,), generator=seeded_generator(n_tokens)).numpy(), 4, 4)


def usual_config(optimizer: str, **others: object) -> TrainingConfig:
    """Return a configuration with the usual learning rate; only AdamW uses its weight decay."""
    return TrainingConfig(
        **{"dim": 6, "learning_rate": USUAL_RATES[optimizer], "weight_decay": 0.1, **others}, optimizer=optimizer
    )


def trained(config: TrainingConfig, steps: int, text: TrainingText | None = None) -> RecordedTraining:
    """Return a training after `steps` steps."""
    training = RecordedTraining(text or random_text(), config)
    for _ in range(steps):
        training.step()
    return training
