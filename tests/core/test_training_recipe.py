import pytest

from components.core.choices import OPTIMIZERS, Choices
from components.core.limits import MAX_LOGITS, MAX_TRAINING_CELLS, MAX_TRAINING_DIM
from components.core.settings import Settings
from components.core.training_recipe import Recipe, recipe_for


def test_what_fits_is_taken_as_it_is():
    settings = Settings(dim=7, seed=9, batch_size=5, position="sinusoidal", layout="halves")
    choices = Choices(optimizer="adamw", learning_rate=0.02, weight_decay=0.5, tied=True, padding_idx=False)
    wanted = Recipe(7, 9, 5, "sinusoidal", "halves", "adamw", 0.02, 0.5, True, False)
    assert recipe_for(settings, choices, 21) == (wanted, [])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_weight_decay_is_part_of_the_recipe_for_adamw_alone(name):
    recipe, _ = recipe_for(Settings(), Choices(optimizer=name, weight_decay=0.25), 21)
    assert recipe.weight_decay == (0.25 if name == "adamw" else 0.0)


@pytest.mark.parametrize("choices", [Choices(train_steps=9), Choices(train_more=9), Choices(prompt="x")])
def test_steps_and_prompt_are_no_part_of_the_recipe(choices):
    assert recipe_for(Settings(), choices, 21) == recipe_for(Settings(), Choices(), 21)


@pytest.mark.parametrize(
    ("dim", "V", "used"),
    [(MAX_TRAINING_DIM, 21, MAX_TRAINING_DIM), (MAX_TRAINING_DIM + 1, 21, MAX_TRAINING_DIM), (64, 10_004, 13)],
)
def test_dim_is_held_to_what_a_class_can_train(dim, V, used):
    recipe, held = recipe_for(Settings(dim=dim), Choices(), V)
    assert recipe.dim == used
    assert V * used <= MAX_TRAINING_CELLS
    assert held == ([f"D = {dim} is held to {used} here, so that a whole class can train at once."] * (dim > used))


def test_a_batch_is_held_to_the_limit_of_logits():
    V = MAX_LOGITS // 16 // 4
    recipe, held = recipe_for(Settings(dim=1, context_length=16, batch_size=4), Choices(), V)
    assert (recipe.batch_size, held) == (4, [])
    recipe, held = recipe_for(Settings(dim=1, context_length=16, batch_size=5), Choices(), V)
    assert recipe.batch_size == 4
    assert held == [f"B = 5 is held to 4: one step would give {5 * 16 * V:,} logits, the limit is {MAX_LOGITS:,}."]


def test_both_sizes_can_be_held():
    recipe, held = recipe_for(Settings(dim=100, context_length=64, batch_size=64), Choices(), 5_000)
    assert (recipe.dim, recipe.batch_size) == (26, 6)
    assert [sentence[:1] for sentence in held] == ["D", "B"]


def test_a_window_with_too_many_logits_is_refused_with_a_repair_that_works():
    with pytest.raises(ValueError, match=r"T × V = 1,024 × 2,049 = 2,098,176 logits; .* Lower T to 1,023"):
        recipe_for(Settings(dim=1, context_length=1_024), Choices(), 2_049)
    assert recipe_for(Settings(dim=1, context_length=1_023), Choices(), 2_049)[0].batch_size == 1
    assert recipe_for(Settings(dim=1, context_length=1_024), Choices(), 2_048)[0].batch_size == 1
