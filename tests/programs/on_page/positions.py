import re

import torch

from components.base.settings import Settings
from tests.app_driver import AppDriver
from tests.programs.labels import matches, only, opening, tensors_of
from tests.states import app_state

STATES = {
    "learned": app_state(Settings(position="learned", seed=7), wave=3, at=127, shuffle_seed=5),
    "halves": app_state(Settings(dim=9, layout="halves", context_length=3, batch=9), wave=7, at=2, shuffle_seed=2),
    "off": app_state(Settings(position="none", ids="4 5 4; 1 2 3"), shuffle_seed=0),
    "long learned": app_state(Settings(dim=6, position="learned", context_length=300), "a bank " * 200, wave=5, at=90),
    "long": app_state(Settings(dim=64, context_length=100), "a bank " * 200, wave=33, at=99, shuffle_seed=42),
    "one token": app_state(Settings(dim=1, context_length=1), "a bank", wave=4, at=120),
    "one typed": app_state(Settings(ids="7", dim=2, position="learned"), at=0),
}


def shown(app: AppDriver) -> dict:
    tensors, kind = tensors_of(app), app.state.settings.position
    found = opening(app)
    if kind != "none":
        found["position_rows"] = tensors["position_rows"]
        (wave,) = [data for data in app.drawn("position") if "value" in data[0]]
        column = only(r"Column (\d+) (?:goes from|is) ", app)[0]
        found[f"column {column}"] = torch.tensor([point["value"] for point in wave[:64]])
        norms, name, norm = only(r"Norm of each row\*\*: ([^;]+); (\S+) = \*\*(\S+)\*\*", app)
        found |= {"norm of each row": norms if "from" in norms else f"from {norms} to {norms}", name: norm}
        pattern = rf"How alike position (\d+) is to others:.*?{kind} ([^;]+)"
        at, found_alike = re.search(pattern, app.learner.outputs.figure.reading).groups()
        for cosine, other in re.findall(r"(\S+) with (\d+)", found_alike):
            found.setdefault(f"cosine similarity of positions {at} and {other}", []).append(cosine)
    for table in app.tables():
        if "rate, the paper" in table[0]:
            for name in ("the paper", "tensor2tensor"):
                rates = [float(row[f"rate, {name}"]) for row in table[:3] if row[f"rate, {name}"] != "none"]
                found[f"rates of the first pairs, {name}"] = torch.tensor(rates, dtype=torch.float64)
        if "by the mask" in table[0]:
            for name in ("counted from the left", "by the mask"):
                found[f"positions {name}"] = str([int(row[name]) for row in table])
    for row, message in matches(r"Row ([\d,]+) raises `(.*?)`", app):
        found[f"row {row.replace(',', '')}"] = message
    for (order,) in matches(r"Order now: (.*)", app):
        found["IDs in the new order"] = str([int(each) for each in re.findall(r" (\d+)\](?= → |$)", order)])
    for moved, n, change in matches(r"([\d,]+) of ([\d,]+) tokens moved; the largest change is (\S+?)\.(?=\s)", app):
        found["tokens that moved"], found["largest change"] = f"{moved} of {n}", change
    return found
