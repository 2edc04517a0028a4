import json
import re

from components.base.presets import PRESETS
from components.base.settings import Settings
from components.figures.columns import shown_columns
from tests.app_driver import AppDriver
from tests.programs.labels import matches, only, opening, tensors_of
from tests.states import app_state

STATES = {
    "story": app_state(PRESETS["Story batch"].settings, b=7, t=3, d=204),
    "not moved": app_state(move=1, to=1),
    "one column": app_state(Settings(dim=1, seed=4), move=1, to=2),
    "off": app_state(Settings(position="none", ids="4 5; 4 1; 2 4"), init_std="0.02"),
}


def shown(app: AppDriver) -> dict:
    tensors, settings, choices = tensors_of(app), app.state.settings, app.state.choices
    B, T, D = tensors["token"].shape
    b = min(choices.b, B - 1)
    blocks = {"token", "scaled", "combined"} & tensors.keys()
    found = opening(app) | {f"{name}[{b}]": tensors[name][b] for name in blocks}
    cosine = r"[Cc]ombined and token embeddings have a mean cosine similarity of (−?[\d.]+)\."
    if settings.position != "none":
        found["position_rows"] = tensors["position_rows"]
        found["mean cosine similarity of combined and token embeddings"] = only(cosine, app)[0]
        reading = app.learner.outputs.figure.reading
        label, terms = re.search(r"(W\[\S* \d+\].*) = combined\[.*?\]: (.*)", reading).groups()
        found[label] = terms.replace("≈", "=")
    twice = r"ID (\S+) has the same token embedding (.*?); .*? (?:are equal|up to (\S+) in .*? similarity of (\S+))\. "
    for token_id, where, difference, cosine in matches(twice, app):
        t1, *b1, t2, b2 = re.findall(r"\d+", where)  # of two sequences, or of one
        found[f"ID {token_id.replace(',', '')} at positions"] = f"{t1} (b = {(*b1, b2)[0]}) and {t2} (b = {b2})"
        found["largest difference of the two sums"] = difference or "0.00"
        found["cosine similarity of the two sums"] = cosine or "1.00"
    moved = r"Column (\d+) of the sum (?:changes from|is) (\S+) (?:to (\S+)|at both positions, up to rounding); "
    moved += r"(?:.*? change is (\S+), and )?the two sums .*? similarity of (\S+)\.\n"  # at D = 1 without the change
    for d, before, after, largest, cosine in matches(moved, app):
        move, to = (min(index, T - 1) for index in (choices.move, choices.to))
        rows = tensors["position_rows"]
        name = f"W[{tensors['ids'][b, move]}]" + f" × √{D}" * settings.scale
        columns = ", ".join(map(str, shown_columns(D, int(d))))
        (figure,) = (each.proto for each in app.at.get("bidi_component") if each.proto.id.endswith("_move"))
        assert f"{name} + P[{move}] and {name} + P[{to}] in columns {columns}: " in json.loads(figure.bytes)["reading"]
        found[f"column {d} at position {move} and at {to}"] = f"{before}, {after or before}"
        found["cosine similarity at both positions"] = cosine
        found["largest change of a column"] = largest or f"{abs(rows[to] - rows[move]).item():.4f}"
    (norms,) = (rows for rows in app.tables() if "token norm" in rows[0])
    for row in norms:
        label = f"{row.pop('positions')}, tokens {row.pop('tokens').removesuffix(' (now)')}"
        found[label] = ", ".join(f"{name} {value}" for name, value in row.items()).replace("∞", "inf")
    return found
