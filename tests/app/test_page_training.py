"""Training: the same losses as a training without a page, and what the page shows of it."""

import re
from dataclasses import replace

import pytest
from driver import AppDriver

from components.base.limits import MAX_TRAINING_STEPS, MAX_TRAINING_TOKENS
from components.base.presets import SAMPLE_TEXT
from components.base.settings import POSITIONS, Settings
from components.lessons.training import page_session as training_session
from components.lessons.training.choices import OPTIMIZERS, Choices
from components.lessons.training.setup import training_config
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary
from components.training.optimizers import USUAL_RATES
from components.training.recorded import RecordedTraining
from components.training.row_changes import (
    LOOKED_UP,
    MASKED,
    OPTIMIZER_STATE,
    OUTPUT,
    UNCHANGED,
    next_token,
    row_changes,
)
from components.training.training_text import training_text

WITH_PADS = {"T": 8, "stride": 8, "B": 8}  # of the sample text: 3 windows, 4 pads in the last, all in every batch


@pytest.fixture(autouse=True)
def nothing_stored():
    training_session._stored.clear()


def alone(steps: int, text: str = SAMPLE_TEXT, settings: Settings | None = None, **choices: object) -> RecordedTraining:
    """Return the same training without a page around it."""
    settings = settings or Settings()
    tokens = Vocabulary.from_text(text) if settings.tokenizer == "words" else get_tokenizer(settings.tokenizer)
    windows = training_text(tokens.encode(text), settings.context_length, settings.stride)
    training = RecordedTraining(
        windows, training_config(settings, windows.vocab_size, **Choices(**choices).training_options)[0]
    )
    training.advance(steps, seconds=60.0)
    return training


def shows(app: AppDriver, training: RecordedTraining) -> bool:
    """Return whether the page shows the losses of this training, and those of no other number of steps."""
    losses, done = training.losses, len(training.losses)
    last = f" and {losses[-1]:,.4f} in step {done:,}" if done > 1 else ""
    first = f"The loss was {losses[0]:,.4f} in the first step{last}."
    return f"{first} Over the whole text it is now {training.text_loss():,.4f};" in app.words


def stored(app: AppDriver) -> RecordedTraining:
    return training_session._stored[app.at.session_state.training_token][1]


def step(app: AppDriver) -> AppDriver:
    """Train one step more."""
    return app.set(training_train_steps=app.state.choices.train_steps + 1)


def means(app: AppDriver) -> dict[str, float]:
    """Return the losses at the end of the comparison of positions."""
    (line,) = re.findall(r"Loss over the whole text at the end: (.*?)\. ", app.words)
    return {name: float(mean) for name, mean in (part.split() for part in line.split(", "))}


def test_without_a_step_the_page_shows_the_loss_of_guessing():
    app = AppDriver().open("training")
    assert "A uniform prediction over V = 21 tokens has a loss of ln V = 3.04" in app.words
    assert "Train a step to see which rows it changes" in app.words
    assert app.button("Reset").disabled
    assert not app.drawn("norm")


def test_a_step_has_the_loss_of_an_independent_training():
    app = step(AppDriver().open("training"))
    assert shows(app, alone(1))
    assert app.state.choices.train_steps == 1
    assert shows(step(app), alone(2))


def test_the_train_button_trains_the_steps_per_click():
    app = AppDriver().open("training").press("Train 200 steps")
    assert app.state.choices.train_steps == 200
    assert shows(app, alone(200))
    app.set(training_train_more=7).press("Train 7 steps")
    assert app.state.choices.train_steps == 207
    assert shows(app, alone(207))


def test_a_link_gives_the_same_numbers_as_single_steps():
    by_hand = AppDriver().open("training")
    for _ in range(4):
        step(by_hand)
    by_link = AppDriver().open("training", train_steps=4)
    for column in ("loss", "length", "share", "until"):
        assert by_link.drawn(column) == by_hand.drawn(column)
    assert shows(by_link, alone(4))


def test_reset_forgets_every_step():
    app = AppDriver().open("training", train_steps=5)
    app.press("Reset")
    assert app.state.choices.train_steps == 0
    assert "No step yet. A uniform" in app.words
    assert shows(step(app), alone(1))


def test_reset_works_a_second_time():
    app = AppDriver().open("training", train_steps=5).press("Reset")
    step(app).press("Reset")
    assert "No step yet. A uniform" in app.words


def test_sessions_that_were_reset_train_independently():
    first, second = (AppDriver().open("training", train_steps=5).press("Reset") for _ in range(2))
    step(step(first))
    assert shows(step(second), alone(1))


def test_a_link_with_fewer_steps_trains_from_scratch():
    app = AppDriver().open("training", train_steps=10)
    assert shows(app.open("training", train_steps=4), alone(4))


def test_training_stops_at_the_limit_of_steps():
    app = AppDriver().open("training", train_steps=MAX_TRAINING_STEPS - 1)
    app.widget("train").click()
    app.run()
    assert app.state.choices.train_steps == MAX_TRAINING_STEPS
    assert app.button("Trained to the limit").disabled


@pytest.mark.parametrize("name", OPTIMIZERS[1:])
def test_another_optimizer_trains_with_its_usual_rate(name):
    app = AppDriver().open("training", train_steps=5).set(optimizer=name)
    assert app.state.choices.learning_rate == USUAL_RATES[name]
    assert shows(app, alone(5, optimizer=name, learning_rate=USUAL_RATES[name]))


def test_weight_decay_is_enabled_for_adamw_only():
    app = AppDriver().open("training", train_steps=3)
    assert app.widget("training_weight_decay").disabled
    app.set(optimizer="adamw").set(training_weight_decay=0.5)
    assert not app.widget("training_weight_decay").disabled
    assert shows(app, alone(3, optimizer="adamw", learning_rate=USUAL_RATES["adamw"], weight_decay=0.5))
    assert f"shrinks every row by {USUAL_RATES['adamw'] * 0.5:.3g} of its norm" in app.words


def test_rows_outside_the_batch_have_a_gradient_of_0():
    app, found = AppDriver().open("training", train_steps=2), row_changes(alone(2))
    assert f"{found.reasons.count(UNCHANGED)} rows have exactly 0" in app.words
    assert f"**{LOOKED_UP}**] {found.reasons.count(LOOKED_UP)} rows" in app.words
    gradients, distances = app.drawn("norm")
    assert [row["norm"] for row in gradients] == pytest.approx(found.gradient.tolist())
    assert [row["norm"] for row in distances] == pytest.approx(found.distance.tolist())
    assert [row["color_role"] == "token" for row in gradients] == [reason == LOOKED_UP for reason in found.reasons]


def test_tied_weights_change_every_row():
    app = AppDriver().open("training", train_steps=2)
    assert f"**{UNCHANGED}**" in app.words
    app.set(training_tied=True)
    assert f"**{OUTPUT}**" in app.words
    assert f"**{UNCHANGED}**" not in app.words
    assert "0 rows have exactly 0" in app.words
    assert shows(app, alone(2, tied=True))


@pytest.mark.parametrize("name", ["momentum", "adam", "adamw"])
def test_rows_changed_without_a_gradient_are_named(name):
    app = AppDriver().open("training", train_steps=3)
    assert f"**{OPTIMIZER_STATE}**" not in app.words
    assert f"**{OPTIMIZER_STATE}**" in app.set(optimizer=name).words


def test_padding_idx_keeps_the_row_of_pad():
    app = AppDriver().open("training", train_steps=1, **WITH_PADS)
    assert f"**{MASKED}**] 1 row: :gray-background[<pad>]" in app.words
    assert "2 full windows and one padded with <pad>" in app.words
    app.set(training_padding_idx=False)
    assert f"**{MASKED}**" not in app.words
    assert shows(app, alone(1, settings=Settings(context_length=8, stride=8, batch_size=8), padding_idx=False))


def test_tied_padding_idx_does_not_keep_the_row_of_pad():
    app = AppDriver().open("training", train_steps=1, tied=1, **WITH_PADS)
    assert f"**{MASKED}**" not in app.words
    assert "padding_idx stops the lookup's gradient, not this one" in app.words


def test_a_batch_larger_than_the_text_is_named():
    app = AppDriver().open("training", train_steps=3, **WITH_PADS)
    assert "B = 8 is more than the N = 3 windows of this text: each step takes all 3." in app.words
    assert shows(app, alone(3, settings=Settings(context_length=8, stride=8, batch_size=8)))
    assert "is more than the N" not in AppDriver().open("training").words


def test_too_short_a_text_shows_an_error_with_a_fix():
    app = AppDriver().open("training", tokenizer="words", text="one two three")
    (error,) = app.errors()
    assert "has 3 tokens; one window of T = 4 and its target need 5" in error
    step(app.press("Set T to 2"))
    settings = Settings(tokenizer="words", context_length=2)
    assert not app.errors()
    assert shows(app, alone(1, "one two three", settings))


def test_one_distinct_token_shows_an_error():
    app = AppDriver().open("training", tokenizer="words", text="a a a a a a a")
    (error,) = app.errors()
    assert "1 distinct token" in error
    step(app.set(text="a a a b a a a"))
    assert not app.errors()


def test_divergence_names_the_step_and_offers_a_usual_rate():
    app, diverged = AppDriver().open("training", train_steps=50, learning_rate=1e6), alone(50, learning_rate=1e6)
    (error,) = app.errors()
    assert f"At step {len(diverged.losses)} the loss became infinite or NaN" in error
    assert f"The step before still had a loss of {diverged.losses[-2]:.4g}" in error
    assert [row["loss"] for row in app.drawn("step")[0]] == diverged.losses[:-1]
    app.press(f"Set the learning rate to {USUAL_RATES['sgd']:g}")
    assert not app.errors()
    assert shows(app, alone(50, learning_rate=USUAL_RATES["sgd"]))


def test_a_growing_loss_is_named():
    (error,) = AppDriver().open("training", train_steps=2, learning_rate=1e6).errors()
    first, second = alone(2, learning_rate=1e6).losses
    assert f"The loss grows: it began at {first:.4g} and is {second:.4g} at step 2" in error
    assert not AppDriver().open("training", train_steps=1, learning_rate=1e6).errors()


def test_no_share_is_nan_one_step_before_divergence():
    steps = len(alone(50, learning_rate=1e6).losses) - 1
    app = AppDriver().open("training", train_steps=steps, learning_rate=1e6)
    assert "nan" not in app.words


def test_tied_with_a_wide_table_opens():
    text = {"tokenizer": "words", "text": "a b a b a b", "position": "none"}
    AppDriver().open("training", D=64, T=1, stride=1, B=1, seed=2, tied=1, learning_rate=10, train_steps=1, **text)


def test_an_empty_prompt_is_the_beginning_of_the_text():
    app = AppDriver().open("training", train_steps=5)
    assert "After “␣river” at position 1" in app.words
    assert app.drawn("share") == app.set(training_prompt="The river").drawn("share")


def test_a_prompt_shows_the_probabilities_of_the_model():
    app = AppDriver().open("training", train_steps=30, prompt=" bank in town")
    training = alone(30)
    row = training.text.row(get_tokenizer("gpt2").encode(" town")[0])
    shares = {(bar["token"].split("|")[1], bar["color_role"]): bar["share"] for bar in app.drawn("share")[0]}
    for color_role, model in (("neutral", training.initial_model), ("token", training.model)):
        wanted = next_token(model, row, position=2)[training.text.row(get_tokenizer("gpt2").encode(" lends")[0])]
        assert shares["␣lends", color_role] == pytest.approx(wanted.item(), rel=1e-5)
    assert shares["␣lends", "target"] == 1.0
    assert "In your text “␣town” is followed by: “␣lends” 100%" in app.words
    before = app.drawn("share")
    assert app.set(training_prompt=" bank").drawn("share") != before


def test_a_prompt_outside_the_text_leaves_the_rest():
    app = AppDriver().open("training", train_steps=5, prompt="The zebra")
    (error,) = app.errors()
    assert "is not in your text: the toy model has no row for it" in error
    assert not app.drawn("share")
    assert app.drawn("until")
    assert shows(app, alone(5))


def test_a_prompt_without_tokens_shows_an_error():
    assert AppDriver().open("training", tokenizer="words", prompt="   ").errors() == [
        "The prompt has no tokens: type a word of your text."
    ]


def test_a_row_that_no_batch_had_is_named_as_random():
    app = AppDriver().open("training", tokenizer="words", train_steps=5, prompt="zebra")
    assert "This row has not been in any batch so far" in app.words
    assert "is followed by: nothing" in app.words


def test_without_a_step_nothing_has_changed():
    app = AppDriver().open("training")
    assert "Nothing has been trained so far" in app.words
    assert "what has changed" not in app.words
    assert "Nothing has been trained" not in step(app).words


def test_the_map_shows_the_rows_in_use_and_its_distortion():
    app, training = AppDriver().open("training", train_steps=40), alone(40)
    frames = app.drawn("until")[0]
    assert {row["step"] for row in frames} == {*training.snapshots.steps, 40}
    assert len({row["row"] for row in frames}) == 17
    assert re.search(r"for \d+ of 17 rows the nearest neighbour here is not the nearest in all 16 dim", app.words)


def test_the_comparison_trains_all_three_positions():
    app = AppDriver().open("training", train_steps=30).press("Train all three for 30 steps")
    curves = {row["name"] for rows in app.drawn("step") for row in rows if "until" not in row} - {"loss"}
    assert curves == set(POSITIONS)
    wanted = {name: alone(30, settings=Settings(position=name)).text_loss() for name in POSITIONS}
    assert means(app) == pytest.approx(wanted, abs=5e-5)
    assert means(app.run()) == pytest.approx(wanted, abs=5e-5)
    assert "Loss over the whole text at the end" not in step(app).words


@pytest.mark.parametrize("changed", [{"row_seed": 7}, {"training_tied": True}, {"text": "to be or not to be, to be"}])
def test_a_change_removes_the_comparison(changed):
    app = AppDriver().open("training", train_steps=3).run().press("Train all three for 3 steps")
    assert "Loss over the whole text at the end" in app.words
    assert "Loss over the whole text at the end" not in app.set(**changed).words


def test_another_order_of_the_text_removes_the_comparison():
    app = AppDriver().open("training", tokenizer="words", text="a b c d a b c d e", train_steps=3)
    app.press("Train all three for 3 steps").set(text="d c b a e d c b a")
    assert "Loss over the whole text at the end" not in app.words


def test_a_comparison_that_diverges_shows_no_nan():
    app = AppDriver().open("training", learning_rate=1e6).press("Train all three for 200 steps")
    assert "nan" not in app.words


def test_position_embeddings_beat_the_no_position_bound():
    app = AppDriver().open("training").press("Load a text where only position helps")
    assert app.state.text.startswith("red cat red dog red cat")
    assert "Your text was replaced on every page; Back in the browser brings it back." in app.warnings()
    app.press("Train all three for 200 steps")
    (floor,) = map(float, re.findall(r"Below ([0-9]+\.[0-9]+) a model must know", app.words))
    found = means(app)
    assert found["learned"] < floor <= found["none"]
    assert found["sinusoidal"] < floor


def test_no_positions_stay_above_the_no_position_bound():
    app = AppDriver().open("training", seed=1).press("Load a text where only position helps")
    app.press("Train all three for 200 steps")
    (floor,) = map(float, re.findall(r"Below ([0-9]+\.[0-9]+) a model must know", app.words))
    assert means(app)["none"] >= floor


def test_another_page_and_back_keeps_the_training():
    app = AppDriver().open("training", train_steps=40)
    before = stored(app)
    assert stored(app.open("tokens").open("training").run()) is before
    assert shows(app, alone(40))
    assert shows(step(app), alone(41))
    assert stored(app) is before


def test_other_sessions_do_not_evict_a_training():
    app = AppDriver().open("training", train_steps=40)
    before = stored(app)
    for n in range(8):
        AppDriver().open("training", tokenizer="words", text=f"the bank {n} is not the bank {n + 1}")
    assert stored(app.run()) is before


@pytest.mark.parametrize(
    ("name", "value"),
    [("row_seed", 7), ("row_dim", 5), ("all_position", "none"), ("all_batch_size", 1), ("all_stride", 2)],
)
def test_shared_settings_change_the_losses(name, value):
    app = AppDriver().open("training", train_steps=5).set(**{name: value})
    wanted = alone(5, settings=replace(Settings(), **{name.partition("_")[2]: value}))
    assert wanted.losses != alone(5).losses
    assert shows(app, wanted)


def test_another_text_is_trained_up_to_the_same_step():
    text = "one fish two fish red fish blue fish"
    app = AppDriver().open("training", train_steps=5).set(text=text)
    assert shows(app, alone(5, text))


def test_limited_sizes_and_typed_ids_are_named():
    app = AppDriver().open("training", D=256, ids="1 2 3")
    assert "D = 256 is limited to 64 here" in app.words
    assert "typed IDs are not used here" in app.words


def test_a_long_text_is_cut_with_a_note():
    app = AppDriver().open("training", tokenizer="words", D=4, train_steps=1)
    app.set(text=" ".join(["red", "cat", "blue"] * 4_000))
    assert f"The first {MAX_TRAINING_TOKENS:,} of your 12,000 tokens are used." in app.words
    assert not app.errors()
