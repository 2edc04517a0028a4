import pytest

from components.base.limits import MAX_LOGITS, MAX_TRAINING_CELLS, MAX_TRAINING_DIM
from components.base.settings import Settings
from components.lessons.training.choices import OPTIMIZERS
from components.lessons.training.setup import checked_text, training_config
from components.training.config import TrainingConfig


def test_what_fits_is_taken_as_it_is():
    settings = Settings(dim=7, seed=9, batch_size=5, position="sinusoidal", layout="halves")
    recipe = {"optimizer": "adamw", "learning_rate": 0.02, "weight_decay": 0.5, "tied": True, "padding_idx": False}
    wanted = TrainingConfig(7, 9, 5, "sinusoidal", "halves", "adamw", 0.02, 0.5, True, False)
    assert training_config(settings, 21, **recipe) == (wanted, [])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_weight_decay_is_part_of_the_recipe_for_adamw_alone(name):
    config, _ = training_config(Settings(), 21, optimizer=name, weight_decay=0.25)
    assert config.weight_decay == (0.25 if name == "adamw" else 0.0)


@pytest.mark.parametrize(
    ("dim", "V", "used"),
    [(MAX_TRAINING_DIM, 21, MAX_TRAINING_DIM), (MAX_TRAINING_DIM + 1, 21, MAX_TRAINING_DIM), (64, 10_004, 13)],
)
def test_dim_is_held_to_what_a_class_can_train(dim, V, used):
    config, notices = training_config(Settings(dim=dim), V)
    assert config.dim == used
    assert V * used <= MAX_TRAINING_CELLS
    assert notices == (
        [f"D = {dim} is limited to {used} here so that a whole class can train at the same time."] * (dim > used)
    )


def test_a_batch_is_held_to_the_limit_of_logits():
    V = MAX_LOGITS // 16 // 4
    config, notices = training_config(Settings(dim=1, context_length=16, batch_size=4), V)
    assert (config.batch_size, notices) == (4, [])
    config, notices = training_config(Settings(dim=1, context_length=16, batch_size=5), V)
    assert config.batch_size == 4
    assert notices == [
        f"B = 5 is limited to 4: one step would give {5 * 16 * V:,} logits, the limit is {MAX_LOGITS:,}."
    ]


def test_both_sizes_can_be_held():
    config, notices = training_config(Settings(dim=100, context_length=64, batch_size=64), 5_000)
    assert (config.dim, config.batch_size) == (26, 6)
    assert [sentence[:1] for sentence in notices] == ["D", "B"]


def test_a_window_with_too_many_logits_is_refused_with_a_repair_that_works():
    with pytest.raises(ValueError, match=r"T × V = 1,024 × 2,049 = 2,098,176 logits; .* Lower T to 1,023"):
        training_config(Settings(dim=1, context_length=1_024), 2_049)
    assert training_config(Settings(dim=1, context_length=1_023), 2_049)[0].batch_size == 1
    assert training_config(Settings(dim=1, context_length=1_024), 2_048)[0].batch_size == 1


@pytest.mark.parametrize("ids", [[], [1], [1, 2, 1, 2]])
def test_a_text_that_is_too_short_is_refused_with_a_fix(ids):
    with pytest.raises(ValueError, match=f"has {len(ids)} token.* T = 4 and its target need 5") as caught:
        checked_text(ids, Settings())
    assert ("lower T to 3" in str(caught.value)) is (len(ids) == 4)
    assert "Write more" in str(caught.value)


def test_one_distinct_token_is_refused_and_two_are_not():
    with pytest.raises(ValueError, match=r"7 tokens, all of them the same: 1 distinct token\. .* at least 2 different"):
        checked_text([5] * 7, Settings())
    assert checked_text([5] * 6 + [6], Settings()).vocab_size == 6
