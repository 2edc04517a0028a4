"""What the frame needs to know of a lesson; each lesson's package defines one as LESSON."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

LessonModule = Callable[[str, str], ModuleType]  # a lesson's name and a module of its package


@dataclass(frozen=True)
class NoChoices:
    """The choices of a lesson that has none."""


@dataclass(frozen=True)
class Lesson:
    """One page: its name in code and address, how it is listed, its purpose, its choices, and its row of controls.

    `controls` names the shared settings in the row, at most four; None means that the page does not use them.
    """

    name: str
    title: str
    icon: str
    section: str
    purpose: str
    choices: type[Any] = NoChoices
    controls: tuple[str, ...] | None = None
    takes_text: bool = True
    has_program: bool = True
    asks: bool = True

    @property
    def path(self) -> str:
        """Return the file that st.Page names."""
        return "app.py" if self.name == "home" else f"pages/{self.name}.py"

    @property
    def url_path(self) -> str:
        """Return the path in the address of the page."""
        return "" if self.name == "home" else self.name
