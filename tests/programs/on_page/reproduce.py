import re

import torch
from torch import Tensor

from components.base.link import AppState
from tests.app_driver import AppDriver

STATES: dict[str, AppState] = {}  # the results depend on nothing that a learner chooses
BLOCKS = {  # results that the page has row by row
    "table": [f"W[{i}]" for i in range(6)],
    "rows of IDs 2, 3, 5, 1": [f"table(ids)[{t}], ID {i}" for t, i in enumerate((2, 3, 5, 1))],
    "inputs": [f"inputs[{n}]" for n in range(8)],
    "targets": [f"targets[{n}]" for n in range(8)],
}


def shown(app: AppDriver) -> dict:
    found = {}
    for column, start in (("published", "published"), ("computed here", "computed")):
        cells = results(app, column)
        blocks = {name: torch.stack([numbers(cells.pop(row)) for row in rows]) for name, rows in BLOCKS.items()}
        rows = {name: numbers(cells.pop(name)) for name in [*cells] if name.endswith(":5]")}
        lines = {re.sub(r"\b(int\d)", r"torch.\1", name).removesuffix(" × sqrt(20)"): cells[name] for name in cells}
        found |= {f"{start} {name}": value for name, value in (blocks | rows | lines).items()}
    return found


def results(app: AppDriver, column: str) -> dict[str, str]:
    """Return a column of the tables by the name of the result, without the topic and verdict of the first."""
    rows = [(re.sub(r" \([^()]* (agree|incorrectly)\)$", "", row["result"]), row) for t in app.tables() for row in t]
    return {name.rpartition(": ")[2]: row[column].rstrip(" ✓≠") for name, row in rows}


def numbers(cell: str) -> Tensor:
    """Return the numbers of a cell, in which a minus is not a hyphen."""
    found = re.findall(r"-?[\d.]+", cell.replace("-", "?").replace("−", "-"))
    return torch.tensor([float(each) if "." in each else int(each) for each in found])
