"""What the frame uses of a lesson; each lesson's package defines one as LESSON."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from components.ui.imports import import_part


@dataclass(frozen=True)
class NoChoices:
    """The choices of a lesson that has none."""


@dataclass(frozen=True)
class Lesson:
    """One page: its name in code and address, how it is listed, its purpose, its choices, and its row of controls.

    `controls` names the shared settings in the row, at most four; None means that the page does not use them.
    `leads_on` is the sentence that makes the next lesson necessary. `uses` names the terms on the page that other
    lessons explain first, with semicolons between them, for Help.
    """

    name: str
    title: str
    section: str
    purpose: str
    leads_on: str = ""
    uses: str = ""
    choices: type[Any] = NoChoices
    controls: tuple[str, ...] | None = None
    takes_text: bool = True
    has_program: bool = True
    asks: bool = True
    trained: bool = False  # it can show GPT-2's own rows

    @property
    def path(self) -> str:
        """Return the file that st.Page names."""
        return "app.py" if self.name == "home" else f"pages/{self.name}.py"

    @property
    def url_path(self) -> str:
        return "" if self.name == "home" else self.name

    @property
    def page(self) -> ModuleType:
        """Return the module that renders the lesson; imported on first use, so that the title is visible before."""
        return import_part(f"components.lessons.{self.name}.page")

    @property
    def facts(self) -> ModuleType:
        return import_part(f"components.lessons.{self.name}.facts")
