"""Write a program as a Jupyter notebook or as a script, which need its libraries but not this app.

Follows the notebook format of nbformat, https://nbformat.readthedocs.io/, and for scripts the percent format that
Jupytext, VS Code and Spyder read: https://jupytext.readthedocs.io/en/latest/formats-scripts.html
"""

import textwrap
from zlib import crc32

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from components.programs.story import Cell, Program

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
WIDTH = 100


def all_cells(program: Program, link: str) -> list[Cell]:
    """Return the cells of a program in order; headings are cells without code.

    >>> all_cells(Program("x = 1\\n", "import math", "", [], ["torch"]), "https://example.org")[1]
    Cell(title='## Your values', prose='', code='x = 1')
    """
    chapters = program.chapters
    title = chapters[0].title if len(chapters) == 1 else "All lessons, from text to embeddings"
    about = f"{chapters[0].purpose}\n\n" if len(chapters) == 1 else ""
    about += f"From Embedding Lab, with your values; open it there to change them: <{link}>\n\n"
    found = [Cell(f"# {title}", f"{about}It needs these libraries: `pip install {' '.join(program.libraries)}`", "")]
    found.append(Cell("## Your values", "", program.values.strip()))
    prose = "The functions are those of the app; each is used below."
    found.append(Cell("## What is used", prose, f"{program.imports}\n\n\n{program.functions}".strip()))
    for chapter in chapters:
        if len(chapters) > 1 and chapter.cells:
            found.append(Cell(f"# {chapter.title}", chapter.purpose, ""))
        found += [Cell(f"## {cell.title}", cell.prose, cell.code) for cell in chapter.cells]
    return [cell for cell in found if cell.code or cell.prose]


def as_notebook(program: Program, link: str) -> str:
    """Return a program as the JSON of a notebook (version 4.5), with a `link` back to the app."""
    cells = []
    for cell in all_cells(program, link):
        cells.append(new_markdown_cell(f"{cell.title}\n\n{cell.prose}".strip()))
        cells += [new_code_cell(cell.code)] if cell.code else []
    for number, cell in enumerate(cells):
        # nbformat assigns random IDs; these make the export of a lesson deterministic.
        cell["id"] = f"cell-{number}-{crc32(cell.source.encode('utf-8', 'replace')):08x}"
    return nbformat.writes(new_notebook(cells=cells, metadata=KERNEL))


def as_script(program: Program, link: str) -> str:
    """Return a program as a script with cells: titles and prose as comments."""
    return "\n".join(map(cell_code, all_cells(program, link)))


def cell_code(cell: Cell) -> str:
    """Return a cell as code that begins with its title and its prose as comments.

    >>> print(cell_code(Cell("## Sum", "Two numbers.", "print(1 + 1)")), end="")
    # %% Sum
    # Two numbers.
    print(1 + 1)
    """
    heading = cell.title.lstrip("# ") if cell.code else f"[markdown]\n# {cell.title}"
    lines = [textwrap.wrap(part, WIDTH - 2, break_long_words=False) or [""] for part in cell.prose.splitlines()]
    prose = "".join(f"{f'# {line}'.rstrip()}\n" for wrapped in lines for line in wrapped)
    return f"# %% {heading}\n{prose}{cell.code}".rstrip() + "\n"
