import re
from ast import literal_eval

import torch

from components.base.settings import Settings
from tests.app_driver import AppDriver
from tests.programs.labels import as_printed, list_of_tokens, only, opening, tensors_of
from tests.states import app_state

TEXT = "the bank by the river is the bank of the town"
STATES = {
    "overlapping": app_state(Settings(context_length=5, stride=2, batch_size=3, batch=1, seed=7, shuffle=True), TEXT),
    "skipped": app_state(Settings(context_length=2, stride=5, drop_last=True), TEXT, window_index=1),
    "dropped": app_state(Settings(context_length=3, stride=3, drop_last=True), TEXT, window_index=2),
    "typed, words": app_state(Settings(ids="4 5 4; 1 2 3", context_length=3, tokenizer="words"), TEXT, window_index=9),
    "long": app_state(Settings(context_length=24, stride=9), f"{TEXT} " * 4, window_index=1),
    "one": app_state(Settings(context_length=1, stride=1, batch_size=1, batch=9, shuffle=True), "the bank"),
}


def shown(app: AppDriver) -> dict:
    tensors = tensors_of(app)
    found = opening(app, with_ids=False)
    found["number of windows"] = re.search(r": (⌊.*? = \d[\d,]*) windows?", app.learner.outputs.figure.reading)[1]
    said = r"The inputs? of window ([\d,]+) (?:is|are) positions? (.*); its .*, (?:at position )?(.*)\. With stride"
    window, *positions = only(said, app)
    window, T, stride = int(window.replace(",", "")), app.state.settings.context_length, app.state.settings.stride
    starts = window * stride, window * stride + 1
    assert positions == [f"{start:,}" + f" to {start + T - 1:,}" * (T > 1) for start in starts]
    for side in ("inputs", "targets"):
        found[f"{side} of window {window}"] = list_of_tokens(app, tensors[side][window].tolist())
        batch, shape = only(rf"\*\*{side}\*\* of batch ([\d,]+) `(.*?)` \[B, T\]", app)
        (tensor,) = app.code()[1 + (side == "targets") :][:1]
        ids = torch.tensor(literal_eval(tensor.removeprefix("tensor(").removesuffix(")")))
        found[f"{side} of batch {batch}"] = f"{shape}\n{as_printed(ids)}"
    batches, strides = app.tables()[:2]
    (row,) = (row for row in batches if row["batch"] == batch)
    assert row["inputs"] == shape
    found[f"windows of batch {batch}"] = f"[{row['windows']}]"
    found["batches"] = only(r"B = [\d,]+\. Batches used: ([\d,]+) of", app)[0]
    used = only(r"Used now: ([\d,]+) of [\d,]+ tokens as an input, ([\d,]+) as a target\.", app)
    found["tokens used as an input"], found["tokens used as a target"] = used
    found["unused tokens"] = only(
        r"neither input nor target: (.* left over at the end, .* skipped, .* dropped)\.", app
    )[0]
    assert [row["stride"] for row in strides if "now" in row["stride"]] == [f"{stride:,} (now)"]
    for row in strides:
        label = f"stride {row.pop('stride').removesuffix(' (now)')}"
        found[label] = ", ".join(f"{name} {number}" for name, number in row.items())
    return found
