import re
from dataclasses import replace
from random import Random

import pytest

from components.base.limits import MAX_TRAINING_TOKENS
from components.base.presets import SAMPLE_TEXT
from components.base.settings import POSITIONS, Settings
from components.lessons.training import page, page_session
from components.lessons.training.choices import Choices
from components.lessons.training.setup import training_config
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary
from components.training import recorded
from components.training.config import USUAL_RATES
from components.training.training_text import training_text
from components.ui.download_registry import registered
from tests.app_driver import AppDriver
from tests.states import RIVER, questions, token_ids
from tests.training.trainings import trained

LEARNED = Settings(position="learned")
BATCHES = {"token_std": "1", "one_window": False}  # large rows, and B windows per step
FISH = "one fish two fish red fish blue fish"
WORDS = ["the", "bank", "river", "runs", "past", "a", "mill", "and", "old", "trees"]
RANDOM = " ".join(Random(0).choices(WORDS, k=400))
ALONE = "no token follows both at least half of the time, or twice as often as in general,"
OUTPUT = f"{ALONE} but with tied weights a row is also the output weight of its token"
SMALL = {"token_std": "0.02", "one_window": 1}
UNSEEN = {"T": 1, "stride": 4, "D": 3, "tied": 1, "optimizer": "adamw", "learning_rate": 0.1, "train_steps": 60}
APART = {"text": SAMPLE_TEXT, "stride": 9, "seed": 1, "position": "sinusoidal", "train_steps": 200} | SMALL
EARLY = {"text": "red cat x y blue cat z w", "seed": 11, "train_steps": 1} | SMALL
MOSTLY = {"text": "no no no yes " * 3, "position": "none", "token_std": "0.02", "train_steps": 100}
TOO_SMALL = ", and a step that is too small for a number of float32 leaves a row as it was."
DECAY = {"optimizer": "adamw", "weight_decay": 1}
ENDS = "Loss over all windows at the end"


@pytest.fixture(autouse=True)
def nothing_stored():
    page_session._stored.clear()


def open_training(**query):
    """Open the page with learned positions, and batches unless the query names others, with all its sections."""
    query = {"text": RIVER, "position": "learned", "train_more": 200, "token_std": "1", "one_window": 0} | query
    return AppDriver().open("training", **query).open_sections()


def alone(steps, text=RIVER, settings=LEARNED, **choices):
    """Return the same training without a page around it."""
    tokens = Vocabulary(text.split()) if settings.tokenizer == "words" else get_tokenizer(settings.tokenizer)
    windows = training_text(tokens.encode(text), settings.context_length, settings.stride)
    config, _ = training_config(settings, windows.vocab_size, Choices(**BATCHES | choices))
    return trained(config, steps, windows)


def shows(app, training):
    """Return whether the page shows the losses of this training, and those of no other number of steps."""
    losses, done = training.losses, len(training.losses)
    last = f" and {losses[-1]:.5g} in step {done:,}" if done > 1 else ""
    first = f"The loss was {losses[0]:.5g} in the first step{last}."
    included = ", <pad> included," * bool((training.text.targets == 0).any())
    return f"{first} Over all windows{included} it is now {training.text_loss():.5g};" in app.words


def step(app):
    return app.set(training_train_steps=app.state.choices.train_steps + 1)


def means(app, over="over all windows"):
    """Return the losses at the end of the comparison of positions."""
    (line,) = re.findall(rf"Loss {over} at the end: (.*?)\. ", app.words)
    return {name: float(mean) for name, mean in (part.split() for part in line.split(", "))}


def test_first_step_too_small_for_some_numbers_is_asked_about():
    app = AppDriver().open("training", D=64, tied=1, learning_rate=1e-5)
    assert "How many of the 12 rows change?" in app.words


def test_steps_by_hand_button_or_link_match_torch_until_reset():
    app = open_training()
    for words in ("V = 21 tokens has a loss of ln V = 3.04", "Train a step to see which", "Nothing has been trained"):
        assert words in app.words
    assert app.button("Reset").disabled
    for done in (1, 2):
        assert shows(step(app), alone(done))
    by_link = open_training(train_steps=2)
    for column in ("loss", "norm", "share"):
        assert by_link.drawn(column) == app.drawn(column)
    assert by_link.learner.outputs.figure == app.learner.outputs.figure
    assert shows(app.set(training_train_more=7).press("Train 7 steps"), alone(9))
    assert shows(app.open("training", train_steps=4).open_sections(), alone(4))
    for _ in range(2):  # a second reset once failed
        assert "No step yet. A uniform" in app.press("Reset").words
        assert shows(step(app), alone(1))


@pytest.mark.parametrize(
    ("change", "settings", "choices"),
    [
        ({"exact_seed": 7}, {"seed": 7}, {}),
        ({"text": FISH}, {}, {"text": FISH}),
        ({"optimizer": "adamw"}, {}, {"optimizer": "adamw", "learning_rate": USUAL_RATES["adamw"]}),
    ],
)
def test_change_trains_up_to_the_same_step(change, settings, choices):
    app, wanted = open_training(train_steps=5), alone(5, settings=replace(LEARNED, **settings), **choices)
    assert app.widget("training_weight_decay").disabled
    assert ENDS in app.press("Train all three for 5 steps").words
    assert shows(app.set(**change), wanted)
    assert not shows(app, alone(5))
    assert ENDS not in app.words  # a comparison belongs to its training
    assert app.widget("training_weight_decay").disabled == ("optimizer" not in change)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"text": RANDOM}, f"{ALONE} and training has not made them more alike so far."),
        ({"text": RANDOM, "tied": 1}, f"{ALONE} but much the same tokens follow both, so both are changed in similar"),
        ({"text": "a b c d e f g h i j", "tied": 1, "train_steps": 30}, f"{OUTPUT}, so neighbors can become alike"),
        (APART, f"{ALONE} so this is chance, or an effect of their positions."),
        (APART | {"position": "none"}, f"{ALONE} so this is chance."),
        (UNSEEN | {"text": "a b c d e f g h i j k l"}, f"{OUTPUT}: neither of these is ever a target"),
        (MOSTLY, "because “no” follows both"),
        (MOSTLY | {"tied": 1}, "“no” follows both, so both rows are trained to predict it. With tied weights a row is"),
        (EARLY, "“cat” follows both, but one of them has not been in a batch so far."),
    ],
)
def test_rows_are_alike_by_a_common_follower_or_another_reason(query, reason):
    app = open_training(**{"tokenizer": "words", "train_steps": 3} | query)
    assert "are now most alike: " in app.words
    assert reason in app.words
    assert ALONE not in reason or "will have the most similar rows" not in app.words


def test_text_that_cannot_be_trained_on_or_is_cut_is_named():
    app = open_training(tokenizer="words", text="one two three")
    settings = replace(LEARNED, tokenizer="words", context_length=2)
    assert shows(step(app.press("Set T to 2").open_sections()), alone(1, "one two three", settings))
    same = "7 tokens, all of them the same: 1 distinct token. There is nothing to predict; write at least 2 different"
    assert same in app.set(text="a a a a a a a").errors()[0]
    assert "has 0 tokens" in app.set(text="").errors()[0]
    app.set(text=" ".join(["red", "cat", "blue"] * 4_000))
    assert f"The first {MAX_TRAINING_TOKENS:,} of your 12,000 tokens are used." in app.words


def test_divergence_names_the_step_and_offers_a_usual_rate():
    app, diverged = open_training(train_steps=50, learning_rate=1e6), alone(50, learning_rate=1e6)
    (error,) = app.errors()
    assert f"At step {len(diverged.losses)} the loss became NaN and training stopped" in error
    assert f"The step before still had a loss of {diverged.losses[-2]:.4g}" in error
    assert [row["loss"] for row in app.drawn("step")[0]] == diverged.losses[:-1]
    (slower,) = app.open("training", train_steps=200, learning_rate=100).errors()
    assert "At step 14 the loss became NaN" in slower
    assert "; the map ends with step 12, the last that is stored. Lower" in slower
    app.open("training", train_steps=50, learning_rate=1e6)
    assert shows(app.press(f"Set the learning rate to {USUAL_RATES['sgd']:g}"), alone(50))
    assert not app.errors()
    app = open_training(train_steps=len(diverged.losses) - 1, learning_rate=1e6)
    assert "nan" not in app.words
    (error,) = app.open("training", train_steps=2).open_sections().errors()
    assert "The loss grows: it began at {:.4g} and is {:.4g} at step 2".format(*diverged.losses[:2]) in error
    assert "nan" not in app.press("Train all three").words
    assert not app.open("training", train_steps=1).errors()


def test_prompt_that_the_model_cannot_read_is_named():
    app = open_training(train_steps=5)
    assert "After “␣river” at position 1" in app.words  # the beginning of the text
    (error,) = app.set(training_prompt="The zebra").errors()
    assert "is not in your text, so not in the vocabulary of the toy model" in error
    app = open_training(text="🙂🙂🙂", train_steps=5)  # several tokens each, which do not decode alone
    assert "After “bytes 99 82” at position 1" in app.words


def test_comparison_trains_all_positions_and_shows_if_they_help(monkeypatch):
    app = open_training(train_steps=30).press("Train all three for 30 steps")
    curves = {row["name"] for rows in app.drawn("step") for row in rows} - {"loss"}
    assert curves == set(POSITIONS)
    wanted = {name: alone(30, settings=Settings(position=name)).text_loss() for name in POSITIONS}
    assert means(app) == means(app.run()) == pytest.approx(wanted, abs=5e-5)
    monkeypatch.setattr(recorded, "MAX_TEXT_LOSS_LOGITS", 1)  # the loss of a long text would take minutes
    app = open_training(train_steps=30).press("Train all three for 30 steps")
    ends = {name: alone(30, settings=Settings(position=name)).losses[-1] for name in POSITIONS}
    assert means(app, "of the last batch") == pytest.approx(ends, abs=5e-5)
    assert "Over all windows" not in app.words
    monkeypatch.undo()
    app = open_training(seed=1).press(other := "Load a text in which only the position helps")
    assert other not in app.labels()
    assert "Your text was replaced on every page; Back in the browser brings it back." in app.warnings()
    found = means(app.press("Train all three for 200 steps"))
    (bound,) = map(float, re.findall(r"below ([0-9]+\.[0-9]+) a model uses more", app.words))
    assert max(found["learned"], found["sinusoidal"]) < bound <= found["none"]


def test_rows_of_the_table_are_named_in_a_file():
    app, names = open_training(text="a b a", T=2), ["<pad>", "a", "␣b", "␣a"]
    made = registered(app.learner)
    ids = [-1, *(get_tokenizer("gpt2").encode(name.replace("␣", " "))[0] for name in names[1:])]
    found = {row["token"]: (row["v"], row["ID"]) for row in made["rows"]}
    assert len(found) == len(made["token_table_at_start"].array)
    assert [found[name][1] for name in names] == ids
    assert all(row["v"] == n for n, row in enumerate(made["rows"]))


def test_text_with_two_tokens_of_the_same_successors_is_offered():
    app = AppDriver().open("training").press("Try a text in which").press("Train 200 steps").press("Show me")
    assert app.learner.outputs.figure.slider.high == 20  # frames
    assert "“␣red” and “␣blue” are now most alike" in app.words
    assert "Try a text" not in "".join(app.labels())


@pytest.mark.parametrize("opens", ["the right answer", "a wrong one", "Show me"])
def test_answer_in_advance_leads_to_the_figure_of_its_steps(opens):
    app = AppDriver().open("training", train_more=7)  # the question is about 200 all the same
    (question,) = app.answers()
    if opens == "Show me":
        app.press(opens)
    else:
        asked = questions("training", app.state, token_ids(app.state))[0]
        wrong = next(option.text for option in asked.options if option.misconception)
        question.set_value(asked.answer if opens == "the right answer" else wrong)
        app.run()
    assert app.state.choices.train_steps == 200
    assert "After 200 steps their cosine similarity is 0.94" in app.words
    assert "is 0.94 after 200 steps" in app.words  # what to notice
    assert app.learner.outputs.figure.slider.high == 20  # frames


def test_open_figure_of_untrained_text_is_masked_until_answered():
    app = AppDriver().open("training")
    app.learner.score.open_figures.add("training ")  # as stored in the tab, which had another text
    assert "Show me" in app.run().labels()
    assert "Ask again" in app.press("Show me").labels()


def test_press_stops_when_its_time_is_used_and_names_the_steps(monkeypatch):
    app = open_training(train_steps=3)
    monkeypatch.setattr(page, "PRESS_SECONDS", 0.0)
    monkeypatch.setattr(page_session, "SLICE_SECONDS", 1e-4)
    app.press("Train 200 steps")
    done = app.state.choices.train_steps
    assert 3 < done < 203
    assert f"This press trained {done - 3} steps in 0 seconds of computing and stopped at step {done}:" in app.words
    assert "This press" not in step(app).words
    app.open("training", train_steps=done)
    assert shows(app.open_sections(), alone(done))


def test_notice_of_a_link_stays_while_its_steps_are_trained():
    app = AppDriver().open("training", train_steps=1_000, seed=-1)
    assert app.warnings() == ["seed = −1 is below the limit of 0: using 0."]
    assert " in step 1,000." in app.words
    assert " in step 1,000." in app.open_sections().words


def test_training_is_stored_while_learner_and_others_visit_pages():
    def stored(app):
        return page_session._stored[app.at.session_state.training_token][1]

    app = open_training(train_steps=40)
    before = stored(app)
    for n in range(8):
        other = open_training(train_steps=2, tokenizer="words", text=f"the bank {n} is not the bank {n + 1}")
    assert stored(app.open("tokens").open("training").open_sections()) is before is not stored(other)
    assert shows(step(app), alone(41))
    assert stored(app.run()) is before
    assert page_session._stored.currsize == sum(
        each.nbytes + page_session.FIGURE_BYTES for _, each in page_session._stored.values()
    )


def test_tied_table_step_changes_all_rows_and_answers_stay_shown():
    app = AppDriver().open("training", text=FISH, tokenizer="words").press("Train 1 step").press("Show me")
    rows = " ".join(f":gray-background[{word}]" for word in ("one", "fish", "two"))
    assert f"in the batch**] 3 rows: {rows}. Their gradient came through the lookup." in app.open_sections().words
    assert "give the answer" not in app.press("Train 200 steps").open_sections().words
    assert app.state.choices.train_steps == 201
    words = app.set(training_tied=True).words  # another case, and still open
    assert "came through the lookup and through the output layer, which is the same table." in words
    assert "Step 201 changed 9 of the V = 9 rows: the table is also the output layer" in words


@pytest.mark.parametrize(
    ("text", "change", "about"),
    [
        (
            "a b a b a b a b",
            {"seed": 7, "T": 1, "stride": 1, "train_steps": 4, "learning_rate": 10},
            "came through the lookup, and is exactly 0.",
        ),
        (
            "a b a b a b a b",
            {"seed": 5, "T": 1, "stride": 1, "train_steps": 6, "learning_rate": 10, "optimizer": "momentum", "tied": 1},
            "in the direction of earlier steps, in one of which there was a gradient here.",
        ),
        (
            "She left the bank for the riverbank.",
            {"seed": 2, "train_steps": 4, "learning_rate": 0.3, "optimizer": "adam", "padding_idx": 1},
            "It was so in every earlier step, so Adam's running means are 0 as well.",
        ),
    ],
)
def test_reason_of_rows_is_true_without_a_gradient(text, change, about):
    state = {"tokenizer": "words", "position": "none", "D": 1, "B": 1, "token_std": "0.02"} | change
    app = open_training(text=text, **state)
    words = app.words
    assert about in words
    assert "the only principal component of these rows in all frames together, with 100.0% of the variance." in words
    assert "on 1 of 1 direction, with 100% of the variance;" in app.learner.outputs.figure.reading
    if change["seed"] == 7:
        assert "Step 4 changed 0 of the V = 6 rows: no row has a gradient other than 0." in words


@pytest.mark.parametrize(("T", "helps"), [(1, False), (2, True)])
def test_position_is_no_help_in_windows_of_one_token(T, helps):
    app = open_training(tokenizer="words", text="a b a c a b", T=T, train_steps=1).press("Train all three")
    assert ENDS in app.words
    assert ("a model uses more than the current token, here its position" in app.words) == helps


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (
            {"train_steps": 2},
            "Step 2 changed 2 of the V = 8 rows: only 2 of the 3 rows that were looked up have a gradient.",
        ),
        ({"T": 1}, "Step 1 changed 1 of the V = 8 rows: only the row that was looked up has a gradient."),
        (
            {"text": SAMPLE_TEXT, "tokenizer": "gpt2", "optimizer": "adam", "train_steps": 200, "token_std": "0.02"},
            f"Step 200 changed 3 of the V = 12 rows: only the 4 rows that were looked up have a gradient{TOO_SMALL}",
        ),
        (
            {"train_steps": 2, "learning_rate": 1e-6, "tied": 1},
            "Step 2 changed 7 of the V = 8 rows: the table is also the output layer, so 5 rows that were not looked up "
            f"have a gradient too{TOO_SMALL}",
        ),
        (
            {"train_steps": 5, "learning_rate": 30, "tied": 1, "optimizer": "adam", "position": "none", "D": 8},
            "so 1 row that was not looked up has a gradient too; Adam also uses the gradients of earlier steps.",
        ),
        (DECAY | {"learning_rate": 0.5}, "Weight decay shrinks every row by 0.5 of its norm in each step"),
        (DECAY | {"learning_rate": 1}, "Weight decay multiplies every row by 0 in each step"),
        (DECAY | {"learning_rate": 3}, "Weight decay multiplies every row by −2 in each step"),
    ],
)
def test_reason_for_the_changed_rows_fits_them(query, reason):
    query = {"text": "a b a c a b a d a b", "tokenizer": "words", "one_window": 1, "train_steps": 1} | query
    assert reason in open_training(**{"position": "sinusoidal"} | query).words


def test_probability_that_rounds_to_0_is_below_the_smallest():
    app = open_training(text="a b " * 250 + "a x", tokenizer="words", prompt="a")
    assert "In your text “a” is followed by: “b” 100%, “x” below 1%." in app.words
    assert "x, in your text: 0.4%" in [row["reading"] for row in app.drawn("share")[0]]


def test_prediction_shows_five_likeliest_and_following_tokens():
    app = open_training(text=" a ".join("bcdefghijklmnopqrstuvwxyz"), tokenizer="words", prompt="a")
    assert len({row["token"] for row in app.drawn("share")[0]}) == 7


def test_pairs_that_are_equally_alike_are_not_asked_about():
    asked = {D: AppDriver().open("training", D=D, tokenizer="words", text="x y z y w y").words for D in (1, 16)}
    assert ["Which of these pairs" in words for words in asked.values()] == [False, True]


@pytest.mark.parametrize(
    ("change", "caption"),
    [
        ({"position": "learned"}, ": what has changed comes from the output layer and from the position."),
        ({"position": "none"}, ": what has changed comes from the output layer."),
        (
            {"optimizer": "adamw", "weight_decay": 0.1, "position": "learned"},
            ": what has changed comes from the output layer, from weight decay and from the position.",
        ),
        ({"tied": 1}, ", but it is an output weight as well, and has changed as such."),
    ],
)
def test_prediction_of_a_row_in_no_batch_names_what_changed(change, caption):
    app = open_training(text="a b c d e f g h", tokenizer="words", one_window=1, T=1, train_steps=1, **change)
    seen = re.search("It looked up “(.)”", app.learner.outputs.figure.reading)[1]
    app.set(training_prompt="b" if seen == "a" else "a")
    assert f"This row has not been in any batch so far{caption}" in app.words
