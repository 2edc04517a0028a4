"""Lessons as a Jupyter notebook or a script: prose and programs that need torch, tiktoken and gensim, nothing of ours.

Follows the notebook format of nbformat: https://nbformat.readthedocs.io/
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from components.core.snippets import Snippet

INSTALL = "%pip install -q torch tiktoken gensim"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
WIDTH = 100


@dataclass(frozen=True)
class Chapter:
    """One lesson on its way out: its title, its purpose in a sentence, and its programs."""

    title: str
    purpose: str
    snippets: Sequence[Snippet]


def as_notebook(chapters: Sequence[Chapter], link: str) -> str:
    """Return lessons as the JSON of a notebook (version 4.5); `link` says where they come from.

    >>> chapter = Chapter("Lookup", "Rows of a table.", [Snippet("rows", "Rows", "Copied.", "print(1)")])
    >>> [cell.cell_type for cell in nbformat.reads(as_notebook([chapter], "https://example.org"), as_version=4).cells]
    ['markdown', 'code', 'markdown', 'markdown', 'code']
    """
    cells = [new_markdown_cell(_opening(chapters, link)), new_code_cell(INSTALL)]
    for chapter in chapters:
        cells.append(new_markdown_cell(f"## {chapter.title}\n\n{chapter.purpose}"))
        for snippet in chapter.snippets:
            cells += [new_markdown_cell(f"### {snippet.title}\n\n{snippet.about}"), new_code_cell(snippet.code.strip())]
    for number, cell in enumerate(cells):
        # nbformat draws random names: the same lesson is to be the same file.
        cell["id"] = f"cell-{number}-{crc32(cell.source.encode('utf-8')):08x}"
    return nbformat.writes(new_notebook(cells=cells, metadata=KERNEL))


def as_script(chapters: Sequence[Chapter], link: str) -> str:
    """Return lessons as one Python script, prose as comments; every program is a cell that begins with # %%.

    >>> chapter = Chapter("Lookup", "Rows of a table.", [Snippet("rows", "Rows", "Copied.", "print(1)")])
    >>> print(as_script([chapter], "https://example.org").splitlines()[-1])
    print(1)
    """
    parts = [_comment(_opening(chapters, link)), "# pip install torch tiktoken gensim"]
    for chapter in chapters:
        parts.append(_comment(f"{chapter.title.upper()}: {chapter.purpose}"))
        parts += [f"# %% {s.title}\n{_comment(s.about)}\n{s.code.strip()}" for s in chapter.snippets]
    return "\n\n".join(parts) + "\n"


def _opening(chapters: Sequence[Chapter], link: str) -> str:
    title = chapters[0].title if len(chapters) == 1 else "The whole journey, from text to vectors"
    about = "Every cell stands alone and prints the numbers that the lab showed for the same text and settings."
    return f"# Embedding Lab: {title}\n\n{about}\n\nLive, with other settings: <{link}>"


def _comment(prose: str) -> str:
    lines = [
        line for part in prose.splitlines() for line in textwrap.wrap(part, WIDTH - 2, break_long_words=False) or [""]
    ]
    return "\n".join(f"# {line}".rstrip() for line in lines)
