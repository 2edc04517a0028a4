import re

import numpy as np
import torch

from components.base.presets import PRESETS
from components.base.settings import Settings
from tests.app_driver import AppDriver
from tests.programs.labels import matches, only, opening, tensors_of
from tests.states import app_state

STATES = {
    "story": app_state(PRESETS["Story batch"].settings, way="lookup"),
    "cut": app_state(Settings(vocab_size=200_019, dim=7, seed=7, batch_size=8, stride=1), "the cat " * 50),
    "all rows": app_state(Settings(vocab_size=4, dim=17, ids="3 0 1 2; 2 2 2 1")),
    "single": app_state(Settings(vocab_size=1, dim=1, ids="0")),
}


def shown(app: AppDriver) -> dict:
    tensors = tensors_of(app)
    costs, *infinite = app.tables()
    product, lookup = ({row[""]: row[way].split("= ")[-1] for row in costs} for way in ("one-hot product", "lookup"))
    results = only(r"Both results are \*\*(.*?)\*\*", app)[0]
    linear, *weight = only(r"bias=False\)` gives (.*?); its .* = \[([\d,]+), ([\d,]+)\]\.", app)
    gets = r"([\d,]+) of [\d,]+ rows? gets? one, th(?:at|ose) of the (?:([\d,]+) )?.* are (.*?)\.\n"
    with_gradient, different, same = only(gets, app)
    different = different or "1"
    apart = re.findall(r"at most (\S+) apart", same)
    gradient = app.drawn("cell")[0]
    rows = [int(name.split("row ")[1].replace(",", "")) for name in dict.fromkeys(cell["row"] for cell in gradient)]
    V, D = app.state.settings.vocab_size, app.state.settings.dim
    assert re.search(rf" multiplications?, for each ID {D:,} by 1{f' and {(V - 1) * D:,} by 0' * (V > 1)}\.", app.words)
    assert re.search(r"For n = \d+ \(at most 16\) and D = \d+ \(at most 64\), at V from 16 to 50,257: 25 ", app.words)
    n_rows = min(8, int(different.replace(",", "")))
    values = torch.tensor(app.numbers()).reshape(len(rows), -1)  # [rows, columns]
    found = opening(app) | {
        "shape of the one-hot vectors": str(list(tensors["one_hot"].shape)),
        "index of the 1 in each": np.nonzero(tensors["one_hot"])[1],
        "matrix product, first columns": tensors["product"][:, :5],
        "lookup, first columns": tensors["lookup"][:, :5],
        "matrix product and lookup exactly equal": results == "exactly equal",
        "shape of the weight of the Linear layer": f"[{weight[0]}, {weight[1]}]",
        "Linear layer and lookup exactly equal": linear == "exactly the same",
        "multiplications of the matrix product": "{}, of which by 1: {}".format(
            product["multiplications"], only(r"Multiplications by 1: ([\d,]+) of", app)[0]
        ),
        "additions of the matrix product": product["additions"],
        "bytes of the one-hot vectors": product["one-hot matrix"].removesuffix(" bytes"),
        "bytes read by the matrix product": product["bytes read"].removesuffix(" bytes"),
        "bytes read by the lookup": lookup["bytes read"].removesuffix(" bytes"),
        "different IDs": different,
        "rows with a gradient": with_gradient,
        "largest difference of the two gradients": f"{float(apart[0]) if apart else 0:.4f}",
        f"gradient of rows {rows[:n_rows]}, first columns": values[:n_rows, :5],
    }
    for (row,) in matches(r"Here W\[(\d+), 0\] is set to infinity", app):
        for name, line in zip(("matrix product", "lookup"), infinite[0], strict=True):
            numbers = [float(text.replace("−", "-")) for column, text in line.items() if column.startswith("column")]
            found[f"first row of the {name} with W[{row}, 0] = ∞"] = torch.tensor(numbers)
    return found
