from dataclasses import replace

import pytest

from components.base.limits import MAX_LOGITS, MAX_TRAINING_CELLS, MAX_TRAINING_DIM, MAX_TRAINING_TOKENS
from components.base.settings import Settings
from components.lessons.training.choices import Choices
from components.lessons.training.setup import checked_text, training_config
from components.training.config import USUAL_RATES, TrainingConfig


@pytest.mark.parametrize("name", USUAL_RATES)
def test_training_config_within_limits_has_settings_and_choices(name):
    settings = Settings(dim=7, seed=9, batch_size=5, position="sinusoidal", layout="halves")
    choices = Choices(
        optimizer=name, learning_rate=0.02, weight_decay=0.5, tied=True, padding_idx=False, one_window=False
    )
    decay = 0.5 if name == "adamw" else 0.0
    wanted = TrainingConfig(7, 9, 5, "sinusoidal", "halves", name, 0.02, decay, True, False, 0.02)
    assert training_config(settings, 21, choices) == (wanted, [])
    default = TrainingConfig(7, 9, 1, "sinusoidal", "halves")
    assert training_config(settings, 21, Choices(token_std="1")) == (default, [])
    assert training_config(settings, 21, Choices())[0] == replace(default, token_std=0.02)


@pytest.mark.parametrize(
    ("dim", "T", "B", "V", "used", "notice"),
    [
        (MAX_TRAINING_DIM, 4, 4, 21, (MAX_TRAINING_DIM, 4), ""),
        (65, 4, 4, 21, (64, 4), "D = 65 is limited to 64 here so that a whole class can train at the same time."),
        (64, 4, 4, 10_004, (13, 4), "D = 64 is limited to 13 here"),
        (1, 4, 4, MAX_TRAINING_CELLS, (1, 4), ""),
        (1, 16, 4, MAX_LOGITS // 64, (1, 4), ""),
        (1, 16, 5, MAX_LOGITS // 64, (1, 4), "to 4: one step would give 2,621,440 logits, the limit is 2,097,152."),
        (100, 64, 64, 5_000, (26, 6), "D = 100 is limited to 26"),
        (100, 64, 64, 5_000, (26, 6), "B = 64 is limited to 6"),
        (1, 1_023, 4, 2_049, (1, 1), "B = 4 is limited to 1"),
        (1, 1_024, 1, 2_048, (1, 1), ""),
    ],
)
def test_training_config_beyond_limits_is_limited_with_a_notice(dim, T, B, V, used, notice):
    config, notices = training_config(Settings(dim=dim, context_length=T, batch_size=B), V, Choices(one_window=False))
    assert (config.dim, config.batch_size) == used
    assert [text[:1] for text in notices] == ["D"] * (dim > used[0]) + ["B"] * (used[1] < B)
    assert notice in "\n".join(notices)


def test_training_config_over_window_limit_is_refused_with_a_fix():
    with pytest.raises(ValueError, match=r"T × V = 1,024 × 2,049 = 2,098,176 logits; .* Lower T to 1,023"):
        training_config(Settings(dim=1, context_length=1_024), 2_049, Choices())


def test_checked_text_has_all_windows_up_to_the_limit():
    assert checked_text([5] * 6 + [6], Settings()).vocab_size == 6
    assert checked_text([1, 2] * MAX_TRAINING_TOKENS, Settings()).inputs.shape == (MAX_TRAINING_TOKENS // 4, 4)
