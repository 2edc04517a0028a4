"""What the figure of the lesson on training is to show: the same steps by torch's own layers and optimizers."""

import math
import re
from functools import cache
from itertools import pairwise

import numpy as np
import torch

from components.base.learner_text import isolated, visible
from components.base.settings import Settings
from components.figures.cells import amount, fit, number
from components.lessons.training.setup import training_config
from components.training.recorded import RECORDED_STEPS
from components.training.training_text import training_text
from tests.figures.drawn import Reference, all_of, floats, numbers, root_of
from tests.figures.kit import MASK, tally
from tests.questions.references.learner import GPT2, Learner, counted
from tests.states import RIVER, app_state, token_ids
from tests.training.trainings import torch_layers, torch_steps

WORDS = Settings(tokenizer="words", position="learned")
STATES = {
    "one step": app_state(WORDS, "one fish two fish red fish blue fish", train_steps=1),
    "tied": app_state(Settings(dim=6), RIVER, train_steps=5, tied=True, token_std="1", one_window=False),
    "AdamW": app_state(train_steps=30, optimizer="adamw", learning_rate=0.03, padding_idx=False),
    "many rows": app_state(Settings(tokenizer="words", dim=2), " ".join(map(str, range(40))), train_steps=4),
    "momentum": app_state(Settings(dim=1, stride=1), RIVER, train_steps=7, optimizer="momentum", learning_rate=0.1),
    "diverged": app_state(WORDS, RIVER, train_steps=60, learning_rate=1e6, token_std="1"),
    "bytes": app_state(text="日本語 日本人 日本語", train_steps=40),
    "too short": app_state(text="x"),
}
SPECIAL = ["<pad>", "<unk>", "<sos>", "<eos>"]


class Film(Learner):
    """A training: the name of each row, the rows that are drawn, and the batch, loss and table of each step."""

    def __init__(self, state):
        super().__init__(state, token_ids(state))
        distinct = sorted({*self.ids})
        self.is_possible = len(self.ids) > self.T and len(distinct) > 1
        if not self.is_possible:
            return
        spare = [each for each in range(1, len(distinct) + 4) if each not in distinct][:3]
        in_words, name_of = self.settings.tokenizer == "words", dict(zip(self.ids, self.names, strict=True))
        name_of |= {each: SPECIAL[each] if in_words else visible(GPT2[each]) for each in spare}
        self.row_names = ["<pad>", *(name_of[each] for each in distinct + spare)]
        counts = [self.ids.count(each) for each in distinct]
        frequent = sorted(sorted(range(len(counts)), key=lambda n: -counts[n])[:20])
        self.V, self.unused = len(self.row_names), [0, *range(len(distinct) + 1, len(distinct) + 4)]
        self.shown = [0, *(n + 1 for n in frequent), *self.unused[1:]]
        self.windows = training_text(self.ids, self.T, self.stride)
        self.config, _ = training_config(self.settings, self.V, self.choices)
        self.batches, self.losses, self.diverged = [], [], False
        self.tables = [torch_layers(self.V, self.T, self.config)[0].weight.detach().clone()]
        for batch, loss, _, table in torch_steps(self.windows, self.config):
            self.batches.append([*dict.fromkeys(batch.flatten().tolist())])  # one more than steps: the next one
            if len(self.losses) == self.choices.train_steps or self.diverged:
                break
            self.losses.append(loss)
            self.diverged = not math.isfinite(loss)
            self.tables.append(self.tables[-1] if self.diverged else table.clone())


film_of = cache(Film)


def listed_name(token):
    return isolated(f"‹{token[6:]}›" if token.startswith("bytes ") else token)


def drawn(app, masked):
    film, figure = film_of(app.state), app.learner.outputs.figure
    if not film.is_possible:
        return None
    names, losses, shown, V, D = film.row_names, film.losses, film.shown, film.V, film.config.dim
    done, start, table = len(losses), film.tables[0], film.tables[-1]
    steps = [s for s in range(done + 1) if (s in RECORDED_STEPS or s == done) and film.tables[s].isfinite().all()]
    steps = [0] if masked else steps[: -1 if film.diverged else None]
    in_batch = [film.batches[max(0, s - 1)] for s in steps]
    parts = [" ".join(str(s) for s, b in zip(steps, in_batch, strict=True) if r in b and not masked) for r in shown]
    tables = torch.stack([film.tables[s] for s in steps])[:, shown].double()
    before = torch.stack([film.tables[max(0, s - 1)] for s in steps])[:, shown].double()
    center = tables.flatten(0, 1).mean(dim=0)
    _, sizes, axes = torch.linalg.svd(tables.flatten(0, 1) - center, full_matrices=False)
    shares = [*(sizes**2 / (sizes**2).sum()).tolist(), 0.0][:2]
    points = torch.stack([(each - center) @ axes[:2].T for each in (tables, before)])
    entropy, std = film.windows.conditional_entropy, f"{film.config.token_std:g}"
    top = max(math.log(V), *(loss for loss in losses if math.isfinite(loss)), 0)
    found, about = tally(), {}

    found += tally("loss", f"- - conditional entropy {number(entropy)}", number(top), 0, 0, f"step {max(1, done)}")
    cut = f"{len(shown)} of {V} rows" if len(shown) < V else f"all {V} rows"
    share = f"2 of {D} directions, {sum(shares):.0%} of the variance" if D > 2 else f"D = {D}"
    moves = f"{counted(done, 'step')} trained. The map changes once you have answered."
    found += tally(*([moves] if masked and done else [f"{cut}; standard deviation at the start {std}", share]))
    found += tally(*[number(loss) for loss in losses if math.isfinite(loss)][-1:] * masked)  # beside its point
    found += tally("not in the text", *(["in the text", *MASK] if masked else ["in the batch", "not in it"]))
    alike = r"“(.+)” and “(.+)” are now most alike: .*(?:, because|;) “(.+)” follows both(?:, so|:)"
    if met := re.search(alike, app.words):
        first, second, follower = (re.sub("^bytes (.+)", r"‹\1›", name) for name in met.groups())
        found += tally(fit(f"most alike: “{first}” and “{second}”, both before “{follower}”", 396, 12))
    for row, part in zip(shown, parts, strict=True):
        found += tally(fit(names[row], 100, 14), part=part)
        far = f", {amount((table.double() - start)[row].norm().item(), 3)} from its start" * (len(steps) > 1)
        n = sum(row in batch for batch in film.batches[: done - film.diverged])
        found += tally(f"“{names[row]}”, row {row}: in {n} of {done} batch{'es' * (done != 1)}{far}", column=row)
    for step, batch in zip(steps, in_batch, strict=True):
        tokens, part = [*dict.fromkeys(names[row] for row in batch)], str(step)
        listed = ", ".join(f"“{token}”" for token in tokens[:20]) + f" and {len(tokens) - 20} more" * (len(tokens) > 20)
        if step == 0:
            about[part] = f"Step 0, before training. Step 1 looks up {listed}."
            texts = ["no row has changed yet", "step 1 looks up"]
        else:
            loss, change = losses[step - 1], (film.tables[step].double() - film.tables[step - 1]).norm(dim=1)
            n = int(film.tables[step].ne(film.tables[step - 1]).any(dim=1).sum())
            changed, others = f"{n} of {V} rows changed", "one" if V - n == 1 else V - n
            rest = f"the other {others} did not change"
            farthest = f"“{names[change.argmax()]}”, by {amount(change.max().item(), 3)}"
            about[part] = f"Step {step}: loss {number(loss, 3)}. It looked up {listed}. {changed}, most "
            about[part] += f"of all {farthest}" + f"; {rest}" * (n < V) + "."
            texts = [changed, "looked up", f"most of all: {fit(farthest, 330, 14)}", *[rest] * (n < V), number(loss)]
        found += tally(
            *([] if masked else [f"step {step}", fit(" ".join(map(listed_name, tokens)), 396, 14), *texts]), part=part
        )
    last = "" if masked else about[str(steps[-1])]
    words = f"{counted(done, 'step')}: {len(shown)} of {V} rows, {min(2, D)} of {counted(D, 'direction')}, "
    words += " ".join(f"{share:.0%}" for share in shares[:D])
    assert (figure.lit, figure.columns, figure.play) == (str(steps[-1]), shown, "Play" if len(steps) > 1 else "")
    assert figure.slider == ("", "Step", len(steps) - 1, len(steps) - 1, 0)
    root = root_of(figure)
    check_map(root, film, parts, points.numpy(), before.eq(tables).all(dim=2))
    check_curve(root, steps, losses, top, entropy, masked)
    return Reference(found, [], about, numbers(f"{words}; {std}. {last} {number(entropy)}"))


def pairs_of(text):
    """Return the points of a path or of a transformation [points, 2]."""
    return np.array(re.findall(r"(-?[\d.]+)[, ](-?[\d.]+)", text), dtype=float)


def check_map(root, film, parts, points, stays):
    """Assert that dots and names move as the rows do on two axes of one scale, before and after each step."""
    paths = all_of(root, "g[@data-moves]")  # each of a trail and of the last move
    moves = [each.get("data-moves").split() for each in paths]
    moved, n = all_of(root, "g[@data-moved]"), len(film.shown)
    ends = np.array([[pairs_of(move)[[-1, 0]] for move in row] for row in moves[:n]])  # [rows, frames, 2, 2]
    drawn, wanted = ends.transpose(2, 1, 0, 3).reshape(-1, 2), points.reshape(-1, points.shape[-1])
    distances, true = (np.linalg.norm(each[:, None] - each, axis=2) for each in (drawn, wanted))
    scale = distances.max() / true.max()
    assert np.abs(distances - scale * true).max() < 0.3
    assert abs((np.ptp(drawn, axis=0) / (354, 243)).max() - 1) < 0.001  # the map without its margins
    assert np.abs(drawn.min(axis=0) + drawn.max(axis=0) - (400, 299)).max() < 0.3  # and in its middle
    for row, (move, name_move) in enumerate(zip(moves[:n], moves[n:], strict=True)):
        dot, target, chip = moved[row][0], moved[row][1], moved[n + row][0]
        assert not any("L" in each for each, same in zip(move, stays[:, row], strict=True) if same)
        assert (dot.get("data-part"), chip.get("data-part")) == (parts[row], parts[row])
        assert dot.get("data-column") == target.get("data-column") == str(film.shown[row])
        assert ("stroke-dasharray" in dot.attrib) == (film.shown[row] in film.unused)
        assert (pairs_of(moved[row].get("transform")) == ends[row, -1, 0]).all()
        assert (pairs_of(moved[n + row].get("transform")) == pairs_of(name_move[-1])[-1]).all()
        assert [each.get("stroke") for each in paths[n + row]] == ["none", None]  # a name leaves no trail
        assert chip[1].text == fit(film.row_names[film.shown[row]], 100, 14)
        for each, (dot_at, _) in zip(name_move, ends[row], strict=True):
            start, *end = pairs_of(each)
            assert each == "-99,-99" or np.abs(start - dot_at).max() < (0.6 if end else 130)


def check_curve(root, steps, losses, top, entropy, masked):
    """Assert that the curve, its level and the circle of each step have the heights of the losses, labels above it."""
    last = max(1, len(losses))
    curve = [[470 + 342 * s / last, 280 - 90 * loss / top] for s, loss in enumerate(losses, 1) if math.isfinite(loss)]
    line = [pairs_of(each.get("points")) for each in all_of(root, "polyline")]
    assert (np.abs(line[0] - curve).max() < 0.06) if curve else not line
    (level,) = all_of(root, "path[@stroke-dasharray='6 5']")
    assert np.abs(pairs_of(level.get("d"))[0] - (470, 280 - 90 * entropy / top)).max() < 0.01
    found = [floats(each, "cx", "cy") for each in all_of(root, "circle[@r='5']")]
    wanted = curve[-1:] if masked else [curve[s - 1] for s in steps if s]
    assert found == wanted == [] or np.abs(np.array(found) - wanted).max() < 0.06
    labels = [floats(each, "x", "y") for each in all_of(root, "text[@style]") if "stroke-width: 4" in each.get("style")]
    for (x, _), (label_x, label_y) in zip(found, labels, strict=True):
        beside = [(abs(at - x), height) for at, height in curve if (at - x) * (label_x - x) > -1]
        most, least = (max(190, min(height for far, height in beside if far < width) - 12) for width in (59.9, 60.1))
        assert least - 0.1 < label_y < most + 0.1
    stops = np.array([floats(g[0], "x", "width") for g in all_of(root, "g[@data-stop]")])
    centers = [470 + 342 * s / last for s in steps]
    edges = [466, *((a + b) / 2 for a, b in pairwise(centers)), 816]
    assert np.abs([*stops[:, 0], *stops.sum(axis=1)] - np.array(edges[:-1] + edges[1:])).max() < 0.11
