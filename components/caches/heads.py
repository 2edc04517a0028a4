"""Attention heads trained on a task, cached for all sessions: bounded in bytes, never changed."""

from components.base.limits import MAX_HEAD_BYTES_CACHED
from components.caches.shared import shared
from components.caches.turns import torch_turn, training_turn
from components.training.attention_training import HeadConfig, TrainedHead, train_head


@shared(MAX_HEAD_BYTES_CACHED, lambda head: head.nbytes)
def trained_head(config: HeadConfig) -> TrainedHead:
    """Return the head of a configuration, trained once for all sessions, which wait for it together."""
    with training_turn(), torch_turn:
        return train_head(config)
