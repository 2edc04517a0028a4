"""Write the program of a lesson for a learner: its file, with the learner's values instead of the defaults.

A program is a file in the percent format (https://jupytext.readthedocs.io/en/latest/formats-scripts.html): each cell
begins with `# %%` and a title. Only the cell "Your values" changes. Typed IDs, whole words, and IDs instead of a
tokenizer each have an opening, whose cells replace those of the same title, and whose imports are added. A cell with
`section="..."` behind its title belongs to what this section of the page shows, and is in the program while the section
is open.
"""

import re
import sys
from collections.abc import Collection, Container, Mapping, Sequence, Set
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from components.base.text_format import series
from components.programs.literals import literal

OPENINGS = Path(__file__).with_name("openings")
WORDS, TYPED, OFFLINE, GPT2 = (OPENINGS / f"{name}.py" for name in ("words", "typed", "offline", "gpt2"))
ABOUT, VALUES, LIBRARIES = "[markdown]", "Your values", "Libraries"
FETCHING = "GPT-2's rows"  # a cell that an opening adds
CELL = re.compile(r'^# %% (.*?)(?: section="(.*)")?\n', re.MULTILINE)
IMPORT = re.compile(r"^(?:import|from) .*\n?", re.MULTILINE)
VALUE = re.compile(r'^(\w+(?:, \w+)*) = ("""[\s\S]*?"""|.*?)(  # .*)?$', re.MULTILINE)
MAX_SHOWN, SHOWN = 2_000, 500  # characters of a text that the page shows whole, and of a longer one
DOWNLOADED = "tiktoken downloads a tokenizer once: gpt2 0.5 + 1.0 MB, cl100k_base 1.7 MB, o200k_base 3.6 MB."
OFFERED = "Without network: the app also offers this program with token IDs instead of the tokenizer."


class Handout(NamedTuple):
    """A program with the learner's values.

    `whole` if no text has been cut for the page; `has_tokenizer` if it downloads one; `closed` are the sections left
    out.
    """

    text: str
    whole: bool
    has_tokenizer: bool
    closed: Collection[str]


@cache
def cells(path: Path) -> dict[str, str]:
    """Return the code of each cell by its title."""
    _, *parts = CELL.split(path.read_text("utf-8"))
    return {title: code.strip("\n") for title, code in zip(parts[::3], parts[2::3], strict=True)}


@cache
def sections_of(path: Path) -> dict[str, str]:
    """Return the sections of the page to which cells belong, by their titles."""
    return {title: section for title, section in CELL.findall(path.read_text("utf-8")) if section}


def handout(
    path: Path,
    values: Mapping[str, Any],
    openings: Sequence[Path] = (),
    link: str = "",
    for_page: bool = False,
    left_out: Collection[str] = (),
    opened: Container[str] | None = None,
) -> Handout:
    """Return a program with `values` instead of its defaults; `for_page` cuts texts that are too long to read.

    Cells of the openings replace those with the same titles; the last one counts. Cells with a title in
    `left_out` are left out, those of sections that are not `opened` as well (None: all are), and values that the
    program then does not use.
    """
    sections = sections_of(path)
    closed = {title for title, section in sections.items() if opened is not None and section not in opened}
    program, replaced = dict(cells(path)), {}
    defaults = [program.pop(VALUES, "")]
    for opening in openings:
        replaced |= {title: code for title, code in cells(opening).items() if title != LIBRARIES}
        defaults.insert(0, cells(opening).get(VALUES, ""))
    about, defaults = program.pop(ABOUT), "\n".join(defaults)
    if FETCHING in replaced and any("fetch(" in replaced.get(title, code) for title, code in program.items()):
        program = {LIBRARIES: "", FETCHING: ""} | program
    program = {title: replaced.get(title, code) for title, code in program.items() if title not in closed | {*left_out}}
    program = {title: code for title, code in program.items() if code}
    if LIBRARIES in program:
        used = names_in("\n".join(code for title, code in program.items() if title != LIBRARIES))
        others = [cells(opening).get(LIBRARIES, "") for opening in openings]
        program[LIBRARIES] = with_imports(program[LIBRARIES], others, used)
    code = "\n".join(program.values())
    assigned, whole = assignments(defaults, values, names_in(code), for_page)
    has_tokenizer = "tiktoken.get_encoding" in code
    needs = [DOWNLOADED, *[OFFERED] * (GPT2 not in openings)] if has_tokenizer else []
    made = {ABOUT: f"{about}\n#\n{origin(code, link, needs)}"}
    made |= ({VALUES: assigned} if assigned else {}) | program
    return Handout(
        "\n".join(f"# %% {title}\n{code}\n" for title, code in made.items()),
        whole,
        has_tokenizer,
        {sections[title] for title in closed},
    )


def names_in(code: str) -> set[str]:
    """Return the words of some code, those of its comments left out.

    >>> sorted(names_in("x = len(y)  # of all"))
    ['len', 'x', 'y']
    """
    return {*re.findall(r"\w+", re.sub("#.*", "", code))}


def with_imports(cell: str, others: Sequence[str], used: Set[str]) -> str:
    """Return a cell "Libraries" with the imports of others as well, without those that are not used.

    >>> print(with_imports("import torch\\n\\ntorch.set_num_threads(1)", ["import json"], {"json", "torch"}))
    import json
    <BLANKLINE>
    import torch
    <BLANKLINE>
    torch.set_num_threads(1)
    """
    found = {line.strip() for each in (cell, *others) for line in IMPORT.findall(each) if imports_used(line, used)}
    lines = sorted(found, key=lambda line: (line.startswith("from"), line))
    groups = [line for line in lines if not libraries(line)], [line for line in lines if libraries(line)]
    imports = "\n\n".join("\n".join(group) for group in groups if group)
    return f"{imports}\n{IMPORT.split(cell)[-1]}".strip("\n")


def imports_used(line: str, used: Set[str]) -> bool:
    """Return whether a line imports a name that is used."""
    return any(part.split()[-1] in used for part in line.rpartition("import ")[2].split(","))


def assignments(defaults: str, values: Mapping[str, Any], used: Set[str], for_page: bool = False) -> tuple[str, bool]:
    """Return the cell "Your values" with `values` instead of its defaults, and whether no text has been cut.

    Those that are not used are left out.

    >>> assignments("a, b = 1, 2  # two numbers", {"a": 7, "b": 8}, {"b"})
    ('b = 8  # two numbers', True)
    """
    lines, whole = [], True
    for names, _, comment in VALUE.findall(defaults):
        own = {name: values[name] for name in names.split(", ") if name in used}
        for name, value in own.items():
            if for_page and isinstance(value, str) and len(value) > MAX_SHOWN:
                own[name], comment, whole = f"{value[:SHOWN]} …", f"  # cut: it has {len(value):,} characters", False
        lines += [f"{', '.join(own)} = {', '.join(map(literal, own.values()))}{comment}"] if own else []
    return "\n".join(lines), whole


def libraries(code: str) -> list[str]:
    """Return the packages that a program imports, apart from Python's own."""
    return sorted({*re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)} - sys.stdlib_module_names)


def origin(code: str, link: str, needs: Sequence[str]) -> str:
    """Return the lines on where a program comes from, what it needs, and with which versions the app computed."""
    needed = libraries(code)
    lines = [f"From Embedding Lab: {link}" if link else "From Embedding Lab."]
    if needed:
        versions = series([f"{name} {version(name).split('+')[0]}" for name in needed])
        lines.append(f"`pip install {' '.join(needed)}`")
        lines.append(f"Computed with {versions}; other versions may differ in the last digits.")
    return "\n".join(f"# - {line}" for line in [*lines, *needs])  # a list in a notebook
