import re
from dataclasses import replace

import pytest
from lab import Lab

from components.core.choices import OPTIMIZERS, Choices
from components.core.limits import MAX_TRAINING_STEPS, MAX_TRAINING_TOKENS
from components.core.optimizers import USUAL_RATES
from components.core.presets import SAMPLE_TEXT
from components.core.settings import POSITIONS, Settings
from components.core.tokenizers import get_tokenizer
from components.core.training import Training
from components.core.training_recipe import recipe_for
from components.core.training_text import training_text
from components.core.training_views import LOOKED_UP, MASKED, OUTPUT, REMEMBERED, STILL, moved, next_token
from components.core.vocabulary import Vocabulary
from components.ui import training_session

WITH_PADS = {"T": 8, "stride": 8, "B": 8}  # of the sample text: 3 windows, 4 pads in the last, all in every batch


@pytest.fixture(autouse=True)
def nothing_kept():
    training_session._kept.clear()


def alone(steps: int, text: str = SAMPLE_TEXT, settings: Settings | None = None, **choices: object) -> Training:
    """The same training without a page around it."""
    settings = settings or Settings()
    tokens = Vocabulary.from_text(text) if settings.tokenizer == "words" else get_tokenizer(settings.tokenizer)
    windows = training_text(tokens.encode(text), settings, tokens.n_vocab)
    training = Training(windows, recipe_for(settings, Choices(**choices), windows.vocab_size)[0])
    training.advance(steps, seconds=60.0)
    return training


def says(lab: Lab, training: Training) -> bool:
    """Whether the page says the losses of this training, and nothing of another number of steps."""
    losses, done = training.losses, len(training.losses)
    last = f" and {losses[-1]:,.4f} in step {done:,}" if done > 1 else ""
    first = f"The loss was {losses[0]:,.4f} in the first step{last}."
    return f"{first} Over the whole text it is now {training.text_loss():,.4f};" in lab.words


def kept(lab: Lab) -> Training:
    return training_session._kept[lab.at.session_state.training_token][1]


def disabled(lab: Lab, label: str) -> bool:
    (button,) = [button for button in lab.at.button if button.label == label]
    return button.disabled


def means(lab: Lab) -> dict[str, float]:
    """The losses that the comparison of the positions ends with."""
    (line,) = re.findall(r"Loss over the whole text at the end: (.*?)\. ", lab.words)
    return {name: float(mean) for name, mean in (part.split() for part in line.split(", "))}


def test_before_the_first_step_the_level_of_a_guess_is_said():
    lab = Lab().open("training")
    assert "every one of V = 21 tokens equally likely has ln V = 3.04" in lab.words
    assert "press One step, and see which rows it moves" in lab.words
    assert disabled(lab, "Back to the start")
    assert not lab.drawn("length")


def test_one_step_has_the_loss_of_an_independent_training():
    lab = Lab().open("training").press("One step")
    assert says(lab, alone(1))
    assert lab.state.choices.train_steps == 1
    assert says(lab.press("One step"), alone(2))


def test_the_train_button_goes_on_by_as_many_steps_as_are_set():
    lab = Lab().open("training").press("Train 200 steps")
    assert lab.state.choices.train_steps == 200
    assert says(lab, alone(200))
    lab.run().set(choice_train_more=7).press("Train 7 steps")
    assert lab.state.choices.train_steps == 207
    assert says(lab, alone(207))


def test_a_link_gives_the_same_numbers_as_stepping_by_hand():
    by_hand = Lab().open("training")
    for _ in range(4):
        by_hand.press("One step")
    by_link = Lab().open("training", train_steps=4)
    for column in ("loss", "length", "share", "until"):
        assert by_link.drawn(column) == by_hand.drawn(column)
    assert says(by_link, alone(4))


def test_back_to_the_start_forgets_every_step():
    lab = Lab().open("training", train_steps=5)
    lab.press("Back to the start")
    assert lab.state.choices.train_steps == 0
    assert "No step yet. A model" in lab.words
    assert says(lab.press("One step"), alone(1))


def test_back_to_the_start_works_a_second_time():
    lab = Lab().open("training", train_steps=5).press("Back to the start")
    lab.press("One step").press("Back to the start")
    assert "No step yet. A model" in lab.words


def test_sessions_that_went_back_to_the_start_train_apart():
    first, second = (Lab().open("training", train_steps=5).press("Back to the start") for _ in range(2))
    first.press("One step").press("One step")
    assert says(second.press("One step"), alone(1))


def test_an_address_with_fewer_steps_trains_anew():
    lab = Lab().open("training", train_steps=10)
    assert says(lab.open("training", train_steps=4), alone(4))


def test_the_last_step_that_is_allowed_is_the_last():
    lab = Lab().open("training", train_steps=MAX_TRAINING_STEPS - 1).run()
    lab.widget("train").click()
    lab.run()
    assert lab.state.choices.train_steps == MAX_TRAINING_STEPS
    assert disabled(lab, "Trained to the limit")
    assert disabled(lab, "One step")


@pytest.mark.parametrize("name", OPTIMIZERS[1:])
def test_another_optimizer_comes_with_its_usual_rate_and_trains_anew(name):
    lab = Lab().open("training", train_steps=5).run().set(optimizer=name)
    assert lab.state.choices.learning_rate == USUAL_RATES[name]
    assert says(lab, alone(5, optimizer=name, learning_rate=USUAL_RATES[name]))


def test_weight_decay_can_be_set_for_adamw_alone():
    lab = Lab().open("training", train_steps=3).run()
    assert lab.widget("choice_weight_decay").disabled
    lab.set(optimizer="adamw").set(choice_weight_decay=0.5)
    assert not lab.widget("choice_weight_decay").disabled
    assert says(lab, alone(3, optimizer="adamw", learning_rate=USUAL_RATES["adamw"], weight_decay=0.5))
    assert f"shrinks every row by {USUAL_RATES['adamw'] * 0.5:.3g} of its length" in lab.words


def test_rows_in_the_batch_move_and_the_others_have_a_gradient_of_exactly_0():
    lab, found = Lab().open("training", train_steps=2), moved(alone(2))
    assert f"{found.reasons.count(STILL)} rows have exactly 0" in lab.words
    assert f"**{LOOKED_UP}**] {found.reasons.count(LOOKED_UP)} rows" in lab.words
    gradients, distances = lab.drawn("length")
    assert [row["length"] for row in gradients] == pytest.approx(found.gradient.tolist())
    assert [row["length"] for row in distances] == pytest.approx(found.distance.tolist())
    assert [row["idea"] == "token" for row in gradients] == found.in_batch.tolist()


def test_tied_every_row_moves():
    lab = Lab().open("training", train_steps=2).run()
    assert f"**{STILL}**" in lab.words
    lab.set(choice_tied=True)
    assert f"**{OUTPUT}**" in lab.words
    assert f"**{STILL}**" not in lab.words
    assert "0 rows have exactly 0" in lab.words
    assert says(lab, alone(2, tied=True))


@pytest.mark.parametrize("name", ["momentum", "adam", "adamw"])
def test_rows_that_move_without_a_gradient_are_named(name):
    lab = Lab().open("training", train_steps=3).run()
    assert f"**{REMEMBERED}**" not in lab.words
    assert f"**{REMEMBERED}**" in lab.set(optimizer=name).words


def test_padding_idx_holds_the_row_of_pad():
    lab = Lab().open("training", train_steps=1, **WITH_PADS).run()
    assert f"**{MASKED}**] 1 row: :gray-background[<pad>]" in lab.words
    assert "2 that your text fills, and one for its tail, filled up with <pad>" in lab.words
    lab.set(choice_padding_idx=False)
    assert f"**{MASKED}**" not in lab.words
    assert says(lab, alone(1, settings=Settings(context_length=8, stride=8, batch_size=8), padding_idx=False))


def test_tied_padding_idx_does_not_hold_the_row_of_pad():
    lab = Lab().open("training", train_steps=1, tied=1, **WITH_PADS)
    assert f"**{MASKED}**" not in lab.words
    assert "padding_idx stops the lookup's gradient, not this one" in lab.words


def test_a_batch_larger_than_the_text_is_said():
    lab = Lab().open("training", train_steps=3, **WITH_PADS)
    assert "B = 8 is more than the N = 3 windows of this text: each step takes all 3." in lab.words
    assert says(lab, alone(3, settings=Settings(context_length=8, stride=8, batch_size=8)))
    assert "is more than the N" not in Lab().open("training").words


def test_too_short_a_text_is_refused_with_the_repair():
    lab = Lab().open("training", tokenizer="words", text="one two three")
    (error,) = lab.errors()
    assert "has 3 tokens; one window of T = 4 and its target need 5" in error
    lab.press("Set T to 2").press("One step")
    settings = Settings(tokenizer="words", context_length=2)
    assert not lab.errors()
    assert says(lab, alone(1, "one two three", settings))


def test_one_distinct_token_is_refused():
    lab = Lab().open("training", tokenizer="words", text="a a a a a a a")
    (error,) = lab.errors()
    assert "1 distinct token" in error
    lab.run().set(text="a a a b a a a").press("One step")
    assert not lab.errors()


def test_a_learning_rate_that_explodes_names_the_step_and_offers_one_that_works():
    lab, exploded = Lab().open("training", train_steps=50, learning_rate=1e6), alone(50, learning_rate=1e6)
    (error,) = lab.errors()
    assert f"At step {len(exploded.losses)} the loss became infinite or no number at all" in error
    assert f"The step before still had a loss of {exploded.losses[-2]:.4g}" in error
    assert disabled(lab, "One step")
    assert [row["loss"] for row in lab.drawn("step")[0]] == exploded.losses[:-1]
    lab.press(f"Set the learning rate to {USUAL_RATES['sgd']:g}")
    assert not lab.errors()
    assert says(lab, alone(50, learning_rate=USUAL_RATES["sgd"]))


def test_a_loss_that_grows_is_said():
    (error,) = Lab().open("training", train_steps=2, learning_rate=1e6).errors()
    first, second = alone(2, learning_rate=1e6).losses
    assert f"The loss grows: it began at {first:.4g} and is {second:.4g} at step 2" in error
    assert not Lab().open("training", train_steps=1, learning_rate=1e6).errors()


def test_no_share_is_without_a_number_one_step_before_the_loss_explodes():
    steps = len(alone(50, learning_rate=1e6).losses) - 1
    lab = Lab().open("training", train_steps=steps, learning_rate=1e6)
    assert "nan" not in lab.words


def test_tied_with_a_wide_table_opens():
    text = {"tokenizer": "words", "text": "a b a b a b", "position": "none"}
    Lab().open("training", D=64, T=1, stride=1, B=1, seed=2, tied=1, learning_rate=10, train_steps=1, **text)


def test_an_empty_prompt_is_the_beginning_of_the_text():
    lab = Lab().open("training", train_steps=5)
    assert "After “␣river” at place 1" in lab.words
    assert lab.drawn("share") == lab.set(choice_prompt="The river").drawn("share")


def test_the_prompt_changes_the_bars():
    lab = Lab().open("training", train_steps=30, prompt=" bank in town").run()
    training = alone(30)
    row = training.text.row(get_tokenizer("gpt2").encode(" town")[0])
    shares = {(bar["token"].split("|")[1], bar["idea"]): bar["share"] for bar in lab.drawn("share")[0]}
    for idea, model in (("neutral", training.start), ("token", training.model)):
        wanted = next_token(model, row, place=2)[training.text.row(get_tokenizer("gpt2").encode(" lends")[0])]
        assert shares["␣lends", idea] == pytest.approx(wanted.item(), rel=1e-5)
    assert shares["␣lends", "target"] == 1.0
    assert "In your text “␣town” is followed by: “␣lends” 100%" in lab.words
    before = lab.drawn("share")
    assert lab.set(choice_prompt=" bank").drawn("share") != before


def test_a_token_without_a_row_is_refused_and_the_rest_stays():
    lab = Lab().open("training", train_steps=5, prompt="The zebra")
    (error,) = lab.errors()
    assert "is not in your text: the toy model has no row for it" in error
    assert not lab.drawn("share")
    assert lab.drawn("until")
    assert says(lab, alone(5))


def test_a_prompt_without_tokens_is_refused():
    assert Lab().open("training", tokenizer="words", prompt="   ").errors() == [
        "The prompt has no tokens: type a word of your text."
    ]


def test_a_row_that_no_batch_had_is_said_to_be_random():
    lab = Lab().open("training", tokenizer="words", train_steps=5, prompt="zebra")
    assert "This row has not been in any batch so far" in lab.words
    assert "is followed by: nothing" in lab.words


def test_before_the_first_step_nothing_is_said_to_have_changed():
    lab = Lab().open("training")
    assert "Nothing has been trained so far" in lab.words
    assert "what has changed" not in lab.words
    assert "Nothing has been trained" not in lab.press("One step").words


def test_the_map_shows_the_rows_in_use_and_says_how_it_distorts():
    lab, training = Lab().open("training", train_steps=40), alone(40)
    frames = lab.drawn("until")[0]
    assert {row["step"] for row in frames} == {*training.film.steps, 40}
    assert len({row["row"] for row in frames}) == 17
    assert re.search(r"for \d+ of 17 rows the nearest neighbour here is not the nearest in all 16 dim", lab.words)


def test_the_three_positions_are_trained_and_drawn_together():
    lab = Lab().open("training", train_steps=30).press("Train all three for 30 steps")
    curves = {row["name"] for rows in lab.drawn("step") for row in rows if "until" not in row} - {"loss"}
    assert curves == set(POSITIONS)
    wanted = {name: alone(30, settings=Settings(position=name)).text_loss() for name in POSITIONS}
    assert means(lab) == pytest.approx(wanted, abs=5e-5)
    assert means(lab.run()) == pytest.approx(wanted, abs=5e-5)
    assert "Loss over the whole text at the end" not in lab.press("One step").words


@pytest.mark.parametrize("changed", [{"setting_seed": 7}, {"choice_tied": True}, {"text": "to be or not to be, to be"}])
def test_the_comparison_goes_with_what_it_compared(changed):
    lab = Lab().open("training", train_steps=3).run().press("Train all three for 3 steps")
    assert "Loss over the whole text at the end" in lab.words
    assert "Loss over the whole text at the end" not in lab.set(**changed).words


def test_the_comparison_goes_with_the_order_of_the_text():
    lab = Lab().open("training", tokenizer="words", text="a b c d a b c d e", train_steps=3).run()
    lab.press("Train all three for 3 steps").set(text="d c b a e d c b a")
    assert "Loss over the whole text at the end" not in lab.words


def test_a_comparison_that_explodes_is_said_in_words():
    lab = Lab().open("training", learning_rate=1e6).press("Train all three for 200 steps")
    assert "nan" not in lab.words


def test_where_only_the_place_tells_positions_get_below_what_one_token_says():
    lab = Lab().open("training").press("Try a text where only the place tells")
    assert lab.state.text.startswith("red cat red dog red cat")
    assert "Your text was replaced on every page; Back in the browser brings it back." in lab.warnings()
    lab.press("Train all three for 200 steps")
    (floor,) = map(float, re.findall(r"Below ([0-9.]+) only a model gets that knows the place", lab.words))
    found = means(lab)
    assert found["learned"] < floor <= found["none"]
    assert found["sinusoidal"] < floor


def test_no_mean_loss_without_positions_is_said_to_be_below_what_one_token_says():
    lab = Lab().open("training", seed=1).press("Try a text where only the place tells")
    lab.press("Train all three for 200 steps")
    (floor,) = map(float, re.findall(r"Below ([0-9.]+) only a model gets that knows the place", lab.words))
    assert means(lab)["none"] >= floor


def test_coming_back_from_another_page_keeps_the_training():
    lab = Lab().open("training", train_steps=40)
    before = kept(lab)
    assert kept(lab.open("tokens").open("training").run()) is before
    assert says(lab, alone(40))
    assert says(lab.press("One step"), alone(41))
    assert kept(lab) is before


def test_a_training_stays_while_a_class_reads_other_texts():
    lab = Lab().open("training", train_steps=40)
    before = kept(lab)
    for n in range(8):
        Lab().open("training", tokenizer="words", text=f"the bank {n} is not the bank {n + 1}")
    assert kept(lab.run()) is before


@pytest.mark.parametrize("changed", [{"seed": 7}, {"dim": 5}, {"position": "none"}, {"batch_size": 1}, {"stride": 2}])
def test_the_shared_settings_change_the_numbers(changed):
    ((name, value),) = changed.items()
    lab = Lab().open("training", train_steps=5).run().set(**{f"setting_{name}": value})
    wanted = alone(5, settings=replace(Settings(), **changed))
    assert wanted.losses != alone(5).losses
    assert says(lab, wanted)


def test_another_text_is_trained_from_its_own_start_up_to_the_same_step():
    text = "one fish two fish red fish blue fish"
    lab = Lab().open("training", train_steps=5).run().set(text=text)
    assert says(lab, alone(5, text))


def test_sizes_that_are_held_are_said():
    lab = Lab().open("training", D=256, ids="1 2 3")
    assert "D = 256 is held to 64 here" in lab.words
    assert "typed IDs have no part here" in lab.words


def test_of_a_long_text_the_first_tokens_are_used_and_it_says_so():
    lab = Lab().open("training", tokenizer="words", D=4, train_steps=1).run()
    lab.set(text=" ".join(["red", "cat", "blue"] * 4_000))
    assert f"The first {MAX_TRAINING_TOKENS:,} of your 12,000 tokens are used." in lab.words
    assert not lab.errors()
