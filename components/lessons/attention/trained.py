"""The trained heads of the lesson: the task that a learner has chosen, its words and its prompt."""

from components.base.field_types import quote
from components.base.limits import MAX_HEAD_BYTES_CACHED
from components.caches.shared import shared
from components.caches.turns import torch_turn, training_turn
from components.lessons.attention.choices import FRUITS, PAIRS, STARTS, Choices
from components.training.attention_training import HeadConfig, TrainedHead, train_head
from components.training.reading_tasks import Meaning, Order, Task, read_prompt


def task_of(choices: Choices) -> tuple[Task, str]:
    """Return the task with the learner's words, or with its own ones, and what is wrong with the learner's."""
    kind, text = (Order, choices.fruits) if choices.head == "order" else (Meaning, choices.pairs)
    try:
        return kind.read(text), ""
    except ValueError as error:
        return kind(), f"{error} Using {FRUITS if kind is Order else PAIRS}."


def prompt_of(choices: Choices, task: Task) -> tuple[list[str], str]:
    """Return the words of the learner's prompt, or of the first one, and what is wrong with the learner's."""
    text = choices.order_prompt if choices.head == "order" else choices.meaning_prompt
    if not text.strip():
        return task.first_prompt().split(), ""
    try:
        return read_prompt(text, task.vocabulary(), task.longest()), ""
    except ValueError as error:
        return task.first_prompt().split(), f"{error} Using {quote(task.first_prompt())}."


@shared(MAX_HEAD_BYTES_CACHED, lambda head: head.nbytes)
def trained_head(config: HeadConfig) -> TrainedHead:
    """Return the head of a configuration, trained once for all sessions, which wait for it together."""
    with training_turn(), torch_turn:
        return train_head(config)


def head_of(choices: Choices, seed: int, positions: bool | None = None) -> TrainedHead:
    """Return the head with the learner's choices, or one with or without `positions`."""
    used = choices.head_positions if positions is None else positions
    return trained_head(HeadConfig(task_of(choices)[0], seed, used, STARTS[choices.start]))
