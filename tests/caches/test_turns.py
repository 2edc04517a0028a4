from contextlib import ExitStack
from threading import Thread, active_count

import pytest

from components.base.limits import MAX_TRAININGS_AT_ONCE
from components.base.link import State
from components.caches import turns
from components.caches.turns import torch_turn, training_turn, wait_shown_by
from components.lessons.attention.trained import trained_head
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.steps import step_scene
from components.lessons.word2vec.trained import film, trained_vectors
from components.training.attention_training import HeadConfig
from components.training.reading_tasks import Order

SEED = 987_654  # of no other test: what is cached is not trained
STATE = State(choices=Choices(train_seed=SEED, sentences=50))
TRAININGS = {
    "head": lambda: trained_head(HeadConfig(Order(), SEED)),
    "vectors": lambda: trained_vectors(STATE),
    "film": lambda: film(STATE, ("king", "man")),
    "step": lambda: step_scene(STATE, "king"),
}


def give_up(waits: bool) -> None:
    if waits:
        raise InterruptedError


@pytest.mark.parametrize("train", TRAININGS.values(), ids=TRAININGS)
def test_training_waits_while_others_run_and_can_be_given_up(train):
    with ExitStack() as others, wait_shown_by(give_up):
        for _ in range(MAX_TRAININGS_AT_ONCE):
            others.enter_context(training_turn())
        with pytest.raises(InterruptedError):
            train()
    turns._show.get()(True)  # outside, no wait is given up


def test_training_begins_when_another_ends():
    shown, threads = [], active_count()

    def wait() -> None:
        with wait_shown_by(shown.append), training_turn():
            shown.append("begun")

    with ExitStack() as others:
        for _ in range(MAX_TRAININGS_AT_ONCE - 1):
            others.enter_context(training_turn())
        with training_turn():
            waiting = Thread(target=wait)
            waiting.start()
            while not shown:
                waiting.join(0.01)
        waiting.join(60)
    assert shown[0] is True
    assert shown[-2:] == [False, "begun"]
    assert active_count() == threads


def test_heads_are_trained_one_at_a_time():
    with torch_turn:
        waiting = Thread(target=trained_head, args=(HeadConfig(Order(), SEED + 1),))
        waiting.start()
        waiting.join(0.5)  # a training takes 0.1 s
        assert waiting.is_alive()
    waiting.join(60)
    assert not waiting.is_alive()
