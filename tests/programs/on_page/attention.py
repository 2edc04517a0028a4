import re

import numpy as np

from components.base.settings import Settings
from components.text.window_counts import typed_batch
from tests.app_driver import AppDriver
from tests.programs.labels import as_printed, only, opening, tensors_of
from tests.states import app_state

LONG = "The quick brown fox, number 7, jumps over the lazy dog. " * 20
TEXT = {"head": "text"}
ROTARY = {**TEXT, "attention_positions": "rotary", "attention_view": "hands"}
STATES = {
    "rotary": app_state(Settings(dim=7, seed=2**32 - 1), LONG, **ROTARY, causal=False, first_token=4),
    "learned": app_state(Settings(position="learned", context_length=2, scale=True), **TEXT, shuffled=True),
    "off": app_state(Settings(position="none", ids="4 5 4; 1 2 3"), **TEXT, attention_positions="added", query=8),
    "hands": app_state(text=LONG, **ROTARY, first_token=10**5, key=8, shuffled=True, order_seed=7),
    "none": app_state(
        Settings(dim=100), "a b c d", **ROTARY | {"attention_positions": "none"}, causal=False, shuffled=True
    ),
    "out of range": app_state(Settings(6, ids="2 9"), **TEXT),
    "one": app_state(Settings(ids="7", dim=70), **ROTARY),
    "no positions": app_state(head_positions=False, causal=False, order_prompt="fig fig last"),
    "three fruits": app_state(Settings(seed=5), fruits='Äpfel, "x" it\'s', start="1", order_prompt="it's banana first"),
    "meaning": app_state(head="meaning"),
    "fails": app_state(
        Settings(seed=2), head="meaning", start="1", head_positions=False, meaning_prompt="the pilot the"
    ),
    "two pairs": app_state(head="meaning", pairs="cat mouse; dog bone", meaning_prompt="never"),
}


def shown(app: AppDriver) -> dict:
    return shown_text(app) if app.state.choices.head == "text" else shown_trained(app)


def shown_trained(app: AppDriver) -> dict:
    tensors, reading = tensors_of(app), app.learner.outputs.figure.reading
    after, before = re.search(r"Step 100: (.*?)\. Before training: Step 0: (.*?)\. Of", reading).groups()
    found = {"before training": before, "after training": after, "score by the position": tensors["by_position"]}
    found |= {"score": tensors["scores"][-1], "weight": tensors["weights"][-1]}
    found["score by the word"] = tensors["scores"][-1] - tensors["by_position"]
    found["vocabulary"] = only(r"to the \d+ words: (.*?)\. With a standard", app)[0]
    right, total = only(r"depends on the word; (\d+) of (\d+) are completed", app)
    return found | {"correct answers": f"{right} of {total}"}


def shown_text(app: AppDriver) -> dict:
    tensors, settings = tensors_of(app), app.state.settings
    if settings.typed:
        ids = np.array(typed_batch(settings))
        found = {"ids": f"{[*ids.shape]}\n{as_printed(ids)}"}
    else:
        found = opening(app, with_ids=False)
    found |= {name: tensors[name] for name in ("weights", "out")} | {"sequence": str(tensors["sequence"].tolist())}
    assert f"[D, d] = [{tensors['x'].shape[1]:,}, {tensors['q'].shape[1]}], sampled" in app.words
    found["largest difference from torch's call"] = only(r"those of the figure by at most (\S+)\.\n", app)[0]
    for table in app.tables():
        if "without a mask" in table[0]:
            found["order"] = f"[{only(r'Order: (.*?). The largest change', app)[0]}]"
            for row in table:
                name = row.pop("positions").removesuffix(" (off in All settings)")
                found |= {f"largest change, {name}, {title}": value for title, value in row.items()}
        if "change of its output" in table[0]:
            changes = ", ".join(row["change of its output"] for row in table)
            found["tokens 0 and 1 exchanged, causal mask alone, change of each output"] = changes
        if "pairing" in table[0]:
            for row in table:
                (score,) = (title for title in row if title.startswith("score of query"))
                for title in (score, "largest difference from neighbors"):
                    found[f"{row['pairing']}, {title}"] = row[title]
    reading = app.learner.outputs.figure.reading
    if scores := re.findall(r"(\d+) reads (\d+), .*?: score (\S+)[.;] ", reading):
        added = re.search(r"Pair 0: .*? = (\S+) at .*; plus 5: (\S+) at .*; exchanged: (\S+) at", reading).groups()
        for (m, n, score), term in zip(scores, added, strict=True):
            label, text = f"query at {m}, key at {n}", f"score {score}, of which the first pair adds {term}"
            found.setdefault(label, []).append(text.replace("+", ""))
    return found
