"""A program as a Jupyter notebook, by Jupytext: titles and prose as Markdown, and a cell that installs the libraries.

Follows https://jupytext.readthedocs.io/en/latest/formats-scripts.html
"""

import re

import jupytext

from components.programs.handout import libraries

TITLED = re.compile(r"^# %% (?!\[markdown\])(.*)\n((?:#.*\n)*)", re.MULTILINE)  # up to the first line of code
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def as_notebook(program: str) -> str:
    """Return a program in the percent format, or several of them joined, as the JSON of a notebook."""
    needed = libraries(program)
    install = f"# %%\n# %pip install --quiet {' '.join(needed)}\n\n" if needed else ""
    cells = TITLED.sub(r"# %% [markdown]\n# ## \1\n\2\n# %%\n", program)
    notebook = jupytext.reads(install + cells, fmt="py:percent")
    notebook.metadata["kernelspec"] = KERNEL
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"  # the same in every export
    return jupytext.writes(notebook, fmt="ipynb")
