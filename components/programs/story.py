"""A lesson as a program: the learner's values, the functions that the page calls, and the story in cells."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from components.base.program_text import Story, assignment, body, module_of, names_bound, names_read
from components.base.source import Needed

CELL = re.compile(r"^# %% (.*)\n", re.MULTILINE)
PACKAGE_OF = {"tiktoken_ext": "tiktoken", "regex": "tiktoken"}  # by which they are installed


@dataclass(frozen=True)
class Cell:
    """A step of a story: its title, its prose in Markdown, and its code."""

    title: str
    prose: str
    code: str


@dataclass(frozen=True)
class Chapter:
    """A lesson to tell: its title, its purpose in a sentence, its stories in order, and the values they need."""

    title: str
    purpose: str
    stories: Sequence[Story]
    values: Mapping[str, Any]


@dataclass(frozen=True)
class ToldChapter:
    """A lesson as it is told: its title, its purpose, and the cells of each of its stories."""

    title: str
    purpose: str
    stories: Sequence[Sequence[Cell]]

    @property
    def cells(self) -> list[Cell]:
        """The cells of all stories."""
        return [cell for story in self.stories for cell in story]


@dataclass(frozen=True)
class Program:
    """A program that runs alone; `libraries` are the packages that it imports, apart from Python's own."""

    values: str
    imports: str
    functions: str
    chapters: Sequence[ToldChapter]
    libraries: Sequence[str]


def tell(chapters: Sequence[Chapter]) -> Program:
    """Return the program of some lessons: each value, import, function and story once.

    A story may use what an earlier one has assigned; all other arguments are values. One that is a function is written
    as its name, with its definition among the functions.
    """
    needed, values, assigned = Needed(), {}, set()
    told: dict[Story, list[Cell]] = {}
    parts = []
    for chapter in chapters:
        new = [story for story in chapter.stories if story not in told]
        for story in new:
            code = body(story, chapter.values)
            arguments, names = names_read(code, story)
            functions = {name: chapter.values[name] for name in arguments if callable(chapter.values.get(name))}
            for name, function in functions.items():
                code = re.sub(rf"\b{name}\(", f"{function.__name__}(", code)
                needed.add([function.__name__], module_of(function))
            told[story] = cells(code)
            needed.add(names, module_of(story))
            values |= {name: chapter.values[name] for name in arguments if name not in assigned | functions.keys()}
            assigned |= names_bound(code)
        parts.append(ToldChapter(chapter.title, chapter.purpose, [told[story] for story in new]))
    # The text first, then short values before long ones.
    lines = sorted(starmap(assignment, values.items()), key=lambda line: (line[:5] != "text ", line.count("\n")))
    packages = sorted({PACKAGE_OF.get(name, name) for name in needed.packages})
    return Program("".join(lines), needed.imports(), needed.source(), parts, packages)


def cells(code: str) -> list[Cell]:
    """Return the cells of a story: each begins with `# %%` and a title, then prose as comments, then code.

    >>> cells("# %% Sum\\n# Two numbers.\\nprint(1 + 1)\\n")
    [Cell(title='Sum', prose='Two numbers.', code='print(1 + 1)')]
    """
    _, *parts = CELL.split(code + "\n")
    found = []
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        lines = text.splitlines()
        prose = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
        paragraphs = "\n".join(line.removeprefix("#").strip() for line in lines[:prose]).split("\n\n")
        unwrapped = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        found.append(Cell(title, unwrapped, "\n".join(lines[prose:]).strip("\n")))
    return found
