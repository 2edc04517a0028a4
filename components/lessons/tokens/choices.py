"""The choices of the lesson on tokens, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import IntegerField, TextField, check_all
from components.base.limits import MAX_LINE_CHARS, MAX_TEXT_CHARS
from components.base.settings import setting_field

CHIPS_SHOWN = 120


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    word: int = setting_field(0, IntegerField("word", 0, MAX_TEXT_CHARS))
    piece: int = setting_field(0, IntegerField("piece", 0, 4 * MAX_TEXT_CHARS))
    probe: str = setting_field("", TextField("probe", MAX_LINE_CHARS))
    search: str = setting_field("", TextField("search", MAX_LINE_CHARS))

    def __post_init__(self) -> None:
        check_all(self)


def first_chip(chosen: int, n_tokens: int) -> tuple[int, int]:
    """Return the position of the chosen token, and that of the first token shown with it.

    >>> first_chip(300, n_tokens=250)
    (249, 240)
    """
    chosen = max(0, min(chosen, n_tokens - 1))
    return chosen, chosen - chosen % CHIPS_SHOWN
