"""The choices of the lesson on the glossary, as they travel in a link."""

from dataclasses import dataclass

from components.base.field_types import TextField, check_all
from components.base.limits import MAX_LINE_CHARS
from components.base.settings import setting_field


@dataclass(frozen=True)
class Choices:
    """What the learner searches for."""

    term: str = setting_field("", TextField("term", MAX_LINE_CHARS))

    def __post_init__(self) -> None:
        check_all(self)
