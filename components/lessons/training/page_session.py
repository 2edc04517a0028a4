"""The training of a session: stored while its text and configuration stay the same, bounded for all sessions together.

A training that was evicted is repeated up to the number of steps in the link: the same configuration gives the same
numbers.
"""

import math
import time
from collections.abc import Callable, Sequence
from threading import Lock
from uuid import uuid4
from weakref import WeakKeyDictionary

import streamlit as st
from cachetools import LRUCache

from components.base.limits import MAX_TRAINING_BYTES
from components.base.link import State
from components.base.settings import Settings
from components.caches.shared import digest
from components.figures.drawing import Figure
from components.lessons.training.figure import training_figure
from components.training.config import TrainingConfig
from components.training.recorded import RecordedTraining
from components.training.training_text import TrainingText

SLICE_SECONDS = 0.08  # between two updates of the page, at which an interaction of the learner ends the run
PRESS_SECONDS = 1.5  # of CPU, that a press of Train takes at most
GIL_SLICE_SECONDS = 0.005  # train, then sleep, this long: lets other threads take the GIL

FIGURE_BYTES = 100_000  # of the last figure of a training, which is stored with it

_stored: LRUCache = LRUCache(MAX_TRAINING_BYTES, getsizeof=lambda entry: entry[1].nbytes + FIGURE_BYTES)
_figures: WeakKeyDictionary[RecordedTraining, tuple[tuple, Figure]] = WeakKeyDictionary()
_store_lock, _one_slice = Lock(), Lock()


def windows_only(settings: Settings) -> Settings:
    """Return the settings on which the windows of a text depend, all others at their default."""
    return Settings(tokenizer=settings.tokenizer, context_length=settings.context_length, stride=settings.stride)


def session_training(state: State, text: TrainingText, config: TrainingConfig) -> RecordedTraining:
    """Return this session's training of its text with a configuration: the stored one, else a new one at step 0.

    A training cannot go back: if it has taken more steps than are asked for, a new one is returned.
    """
    token = st.session_state.setdefault("training_token", str(uuid4()))
    key = (digest(state.text), windows_only(state.settings), config)
    with _store_lock:
        stored_key, training = _stored.get(token, (None, None))
    if training is None or stored_key != key or len(training.losses) > state.choices.train_steps:
        training = RecordedTraining(text, config)
    with _store_lock:
        _stored[token] = (key, training)  # in every run: what is recorded has grown
    return training


def last_figure(training: RecordedTraining, names: Sequence[str], masked: bool, met: str) -> Figure:
    """Return the figure of a training as it is now, drawn once: to place the names takes 50 ms."""
    key = len(training.losses), masked, met
    stored_key, figure = _figures.get(training, (None, None))
    if stored_key != key:
        figure = training_figure(training, names, masked, met)
        _figures[training] = key, figure
    return figure


def train_slice(training: RecordedTraining, steps: int) -> None:
    """Train for a moment, towards `steps` in all; one session at a time.

    A rerun of another session takes the GIL dozens of times and would wait for it each time: hence the short slices.
    """
    end = time.perf_counter() + SLICE_SECONDS
    while time.perf_counter() < end and len(training.losses) < steps and not training.diverged:
        with _one_slice:
            training.advance(steps, GIL_SLICE_SECONDS)
        time.sleep(GIL_SLICE_SECONDS)


def train_in_slices(
    trainings: Sequence[RecordedTraining],
    steps: int,
    show_progress: Callable[[RecordedTraining], None],
    cpu_seconds: float = math.inf,
) -> None:
    """Train one after the other up to `steps`, or until `cpu_seconds` of CPU are used.

    `show_progress` is called after each slice and may raise to end it.
    """
    end = time.thread_time() + cpu_seconds
    for training in trainings:
        while len(training.losses) < steps and not training.diverged and time.thread_time() < end:
            train_slice(training, steps)
            show_progress(training)
