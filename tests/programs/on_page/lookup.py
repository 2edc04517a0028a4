import re

import torch

from components.base.presets import PRESETS
from components.base.settings import Settings
from tests.app_driver import AppDriver
from tests.programs.labels import matches, only, opening, tensors_of
from tests.states import app_state

STATES = {
    "sequence": app_state(Settings(dim=40, seed=7), "the cat in the hat", input="sequence", dtype="int32", column=20),
    "single": app_state(Settings(dim=3), input="single", dtype="int32", rows_in_use=False, row=200_000, column=1),
    "rows": app_state(PRESETS["Story batch"].settings, rows_in_use=False, row=40, column=10**3),
    "more in use than shown": app_state(PRESETS["Story batch"].settings),
    "small": app_state(Settings(vocab_size=12, dim=2, ids="4 5 4; 11 2 2"), row=3),
    "tiny": app_state(Settings(vocab_size=3, dim=1, ids="2 0 1"), dtype="int32"),
}


def shown(app: AppDriver) -> dict:
    tensors = tensors_of(app)
    table_shape = only(r"\*\*token_table\.weight\*\*\] `(.*?)` \[V, D\]", app)[0]
    result, shape = only(r"\*\*token_table\(ids\)\*\*\] `(.*?)` the shape of the IDs, (\[.*?\]), and D", app)
    (dtype,) = {*re.findall(r"dtype=(\S+)\)", app.code()[0])} or {f"torch.{tensors['input_ids'].dtype}"}
    (n_rows,) = only(r"IDs? selects? ([\d,]+) of the table's V", app)
    found = opening(app) | {
        "shape of the table": table_shape,
        "shape and dtype of the IDs": f"{shape}, {dtype}",
        "shape of the result": result,
        "vectors": tensors["vectors"],
        "different IDs, and so rows selected": n_rows,
    }
    for (token_id,) in matches(r"ID ([\d,]+) occurs more than once", app):
        found["first ID that occurs more than once"] = token_id
    indices = [tuple(map(int, re.findall(r"\d+", cell))) for cell in app.cells()]
    rows = list(dict.fromkeys(row for row, _ in indices))
    found[f"W, rows {rows}, columns from {indices[0][1]} on"] = torch.tensor(app.numbers()).reshape(len(rows), -1)
    return found
