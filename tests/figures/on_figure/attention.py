"""What the figures of the lesson on attention are to show: one head by complex numbers, its mixture by torch."""

import json
import math
from decimal import Decimal

import pytest
import torch

from components.base.settings import Settings
from components.figures.cells import cell, factor, fit, number, signed
from components.figures.columns import shown_columns
from components.lessons.attention.trained import head_of, prompt_of, task_of
from tests.figures.drawn import SVG, Reference, all_of, floats, joined, numbers, root_of, texts
from tests.figures.kit import axis, in_columns, tally
from tests.programs.labels import tensors_of
from tests.questions.references.attention import rotated
from tests.questions.references.learner import Learner, counted
from tests.states import app_state, token_ids

TEXT = {"head": "text"}
ROTARY = {**TEXT, "attention_positions": "rotary"}
HANDS = {**ROTARY, "attention_view": "hands"}
STATES = {
    "no mask": app_state(**TEXT, causal=False, shuffled=True, order_seed=7, attention_positions="none", query=2),
    "presented": app_state(present=True, **TEXT),
    "rotary": app_state(Settings(dim=5, scale=True), "one two three one two three " * 3, **ROTARY, first_token=2),
    "hands": app_state(**HANDS),
    "hands of a short text": app_state(text="one two three", **HANDS),
    "same token": app_state(Settings(dim=10), **HANDS, query=4, key=4, shuffled=True),
    "two pairs": app_state(Settings(dim=4, position="none", seed=3), **HANDS, query=2, key=8),
    "clock of bytes": app_state(Settings(dim=2), "猫 " * 8 + "the end of it", **HANDS, first_token=99),
    "one ID": app_state(Settings(ids="7", tokenizer="words"), **TEXT),
    "ten IDs": app_state(Settings(context_length=10, ids="0 1 2 3 4 5 4 3 2 1"), **TEXT),
    "ID out of range": app_state(Settings(vocab_size=6, ids="2 9"), **TEXT),
    "no positions": app_state(head_positions=False, order_prompt="fig fig plum last"),
    "meaning": app_state(head="meaning", causal=False),
    "hostile words": app_state(fruits="<b> & x\\ 猫", order_prompt="<b> 猫 & first"),
}
POSITIONS = {"none": "no positions", "added": "positions added", "rotary": "rotary positions"}


class Head(Learner):
    """The head of a page: what it reads in its order, and its tensors, which the lesson's program gives as well."""

    def __init__(self, app):
        super().__init__(app.state, token_ids(app.state))
        total = len(self.ids)
        self.first = min(self.choices.first_token, max(0, total - 9))
        shown = range(self.first, min(self.first + 9, total))
        ids = self.batch[0][:9] if self.typed and self.batch else [] if self.typed else [self.ids[n] for n in shown]
        names = [f"ID {each}" for each in ids] if self.typed else [self.names[n] for n in shown]
        self.n = len(ids)
        self.can_read = bool(ids) and max(ids) < self.V
        generator = torch.Generator().manual_seed(self.choices.order_seed)
        order = torch.randperm(self.n, generator=generator) if self.choices.shuffled else range(self.n)
        self.names_read = [names[t] for t in order]
        kind, first = ("The first sequence", "ID") if self.typed else ("The whole text", "token"), self.first
        self.which = f"{kind[0]}: {'its first ' * (self.typed and self.n == 9)}{counted(self.n, kind[1])}"
        if not self.typed and total > 9:
            self.which = f"Tokens {first:,} to {first + self.n - 1:,} of {total:,}"
        self.which += ", read by an untrained head"
        if self.can_read:
            tensors = {name: torch.from_numpy(each) for name, each in tensors_of(app).items()}
            self.q, self.k, self.v, self.weights, self.out = map(tensors.get, ("q", "k", "v", "weights", "out"))


def not_rotated(rows, position):
    """Return the query or key at a position, complex [d/2], as it is before its rotation."""
    return rotated(torch.view_as_complex(rows[position].unflatten(0, (-1, 2)).double()), -position)


def drawn(app, masked, extra=0):
    if app.state.choices.head != "text":
        return drawn_trained(app, masked)
    head, figure = Head(app), app.learner.outputs.figure
    if extra:
        figure = figure.wider[2 - extra]
    if not head.can_read:
        return None
    many = len(head.ids) > 9 and not head.typed
    assert figure.slider == (("first_token", "First token", head.first, len(head.ids) - 9, 0) if many else None)
    if (head.choices.attention_positions, head.choices.attention_view) == ("rotary", "hands"):
        return drawn_hands(head, figure, root_of(figure), masked)
    return drawn_weights(app, head, figure, extra, masked and head.n > 2)


def drawn_weights(app, head, figure, extra, masked):
    root = root_of(figure)
    kind, causal, n = head.choices.attention_positions, head.choices.causal, head.n
    weights, out, d = head.weights, head.out, head.q.shape[1]
    scores = head.q @ head.k.T / math.sqrt(d)
    shown, found = shown_columns(d, shown=5 + extra), tally()

    note = "choose a weight to see its clock hands" if kind == "rotary" else "a value row is as high as its weight"
    found += tally("weights", [n, n], "key", "score", "weight", "output", "the sum", note, head.which, 0, 1)
    found += axis(shown)
    names, written = {}, []
    for t, name in enumerate(head.names_read):
        part, readers = f"q{t}", " ".join(f"q{u}" for u in range(n) if not causal or u >= t)
        reads = [not causal or s <= t for s in range(n)]
        found += tally(fit(name, 58, 14), fit(name, 82, 15), part=readers)
        found += tally(fit(name, 80), f"output of {fit(name, 150)} at position {t}", part=part)
        rows = [number(s.item()) if r else "−∞" for s, r in zip(scores[t], reads, strict=True)]
        shares = [number(w.item()) if r else "0" for w, r in zip(weights[t], reads, strict=True)]
        written.append((rows, shares))
        found += tally(*(rows + shares), part=part)
        for column in shown:
            found += tally(number(out[t, column].item()), part=part, column=column)
            terms = [(weights[t, s].item(), head.v[s, column].item()) for s in range(n) if weights[t, s] > 0]
            terms.sort(key=lambda term: -abs(term[0] * term[1]))
            written_out = " + ".join(f"{number(w)} · {factor(v)}" for w, v in terms[:3]) + " + …" * (len(terms) > 3)
            pairs = ([Decimal(number(each).replace("−", "-")) for each in term] for term in terms)
            of_printed = sum(w * v for w, v in pairs)
            total = number(out[t, column].item())
            sign = "=" if of_printed == Decimal(total.replace("−", "-")) else "≈"
            found += tally(f"column {column}: {written_out} {sign} {total}", part=part, column=column)
        mixed = ", ".join(f"{share} {s}" for share, s, r in zip(shares, head.names_read, reads, strict=True) if r)
        names[part] = f"{name} at position {t}: weights {mixed}; output {in_columns(out[t], shown)}"
    changes = []
    if masked:
        found += tally("A shuffle changes an element of an output by up to ?")
    elif n > 1:
        (text,) = [each for each in map(joined, all_of(root, "text")) if each.startswith("A shuffle ")]
        changes = numbers(text)
        assert changes[0] == number(change_in_table(app, kind, causal))
        found += tally(f"A shuffle changes an element of an output by up to {changes[0]}")
    query = f"q{min(head.choices.query, n - 1)}"
    assert (figure.lit, figure.columns, figure.column) == (query, shown, 0)
    check_weights(root, weights, head.v[:, shown], causal, written)
    reading = numbers(f"[{n}, {n}] {head.which} {' '.join(changes)} {names[query]}")
    chosen = []
    for t in range(n):
        hands = [{"query": t, "key": s, "attention_view": "hands"} for s in range(n) if not causal or s <= t]
        chosen += [{"query": t}, *(hands if kind == "rotary" else []), {"query": t}]
    return Reference(found, chosen, names, reading)


def change_in_table(app, kind, causal):
    """Return the largest change of an output by a shuffle, which the table of the page has as the program has it."""
    (rows,) = [table for table in app.open_section("Shuffle the words").tables() if "without a mask" in table[0]]
    (row,) = [row for row in rows if row["positions"].startswith(POSITIONS[kind])]
    return float(row["with a causal mask" if causal else "without a mask"])


def places(words):
    return [float(each.replace("−", "-")) for each in numbers(words.replace("-", "−"))]


def check_weights(root, weights, values, causal, written):
    """Assert that the grid and the value rows are as strong, high and wide as their weights, beside their keys."""
    n = len(weights)
    chips = all_of(root, "g[@class='chip']")
    rows, labels = all_of(root, "g[@class='cell positive'][@transform]"), all_of(root, "text[@class='code label']")
    assert all_of(root, "g[@class='lit']/g[@class='cell positive'][@transform]") == rows  # paler ones would mislead
    xs, keys = ([places(each.get("transform"))[0] for each in labels[:n]], [float(e.get("y")) for e in labels[n:]])
    for s, group in enumerate(all_of(root, "g[@id]")):
        cells = [cell(value) for value in values[s].tolist()]
        assert group.get("id") == f"v{s}"
        assert [g.get("class") for g in group] == [f"cell {each.sign}" for each in cells]
        assert [places(g[0].get("style"))[0] for g in group] == [each.percent for each in cells]
    for t, (chip, row, readout) in enumerate(zip(chips, rows, all_of(root, "g[@class='readout']"), strict=True)):
        y, reads = float(chip.find(f"{SVG}text").get("y")), [s for s in range(n) if not causal or s <= t]
        assert places(row.get("transform"))[1] == float(chip[0].get("y")) == y - 13
        squares = [(float(e.get("x")) + 13, places(e.get("style"))[0]) for e in row.iter(f"{SVG}rect")]
        assert squares == [(xs[s], cell(weights[t, s].item(), 1.0).percent) for s in reads]
        assert [float(e.get("cx")) for e in row.iter(f"{SVG}circle")] == [xs[s] for s in range(n) if s not in reads]
        parts = [weights[t, s].item() for s in reads]
        fan = readout.find(f"{SVG}g[@class='wide-only']")
        fans = [[*places(e.get("d"))[1::2], *floats(e, "stroke-width")] for e in fan]
        assert fans == [[y, y, keys[s], keys[s], round(14 * p, 1)] for s, p in zip(reads, parts, strict=True)]
        assert floats(readout.find(f"{SVG}rect"), "y") == [y - 15]
        for column, shares in zip(all_of(readout, "g[@class='end']"), written[t], strict=True):
            assert [(float(e.get("y")), e.text) for e in column] == [*zip(keys, shares, strict=True)]
        uses = [(e.get("href"), *places(e.get("transform"))[1::2]) for e in readout.iter(f"{SVG}use")]
        assert uses == [(f"#v{s}", keys[s], round(p, 3)) for s, p in zip(reads, parts, strict=True)]


def drawn_hands(head, figure, root, masked):
    n, d = head.n, head.q.shape[1]
    m, other = min(head.choices.query, n - 1), min(head.choices.key, n - 1)
    if m == other and head.choices.query != head.choices.key:  # one of two that were chosen is not here
        other = max(0, m - 1)
    query, key, size = not_rotated(head.q, m), not_rotated(head.k, other), min(4, d // 2)
    found, names, written = tally(), {}, []

    for kind, chosen in (("query", m), ("key", other)):
        found += tally(kind, "choose one")
        for t, name in enumerate(head.names_read):
            chip = fit(f"{t} {fit(name, 68, 15)}", 86, 15)
            found += tally(chip, part=f"{kind}{t}")
            names[f"{kind}{t}"] = f"{name} at position {t} as the {kind}{', chosen' * (t == chosen)}"
            if t == chosen:
                found += tally(chip)
    hands, marks = all_of(root, "g[@class='hand']"), [g[0].attrib for g in all_of(root, "g[@class='chip lit']")]
    assert marks == [g[0].attrib for g in all_of(root, "g") if g.get("data-part") in (f"query{m}", f"key{other}")]
    texts_at = {(*floats(e, "x", "y"),): joined(e) for e in all_of(root, "text")}
    about = [f"Pair {i}: {number(query[i].abs().item())} · {number(key[i].abs().item())}" for i in range(size)]
    about = [f"{each} · cos(angle) / √{d} = " for each in about]
    offsets = [f"{each:+d}".replace("-", "−") if each else "0" for each in (other - m, m - other)]
    placed = [(m, other, offsets[0]), (m + 5, other + 5, f"{offsets[0]}, both plus 5")]
    for row, (i, j, offset) in enumerate([*placed, (other, m, f"{offsets[1]}, exchanged")]):
        q, k = rotated(query, i), rotated(key, j)
        terms, angles = (q * k.conj()).real / math.sqrt(d), (k / q).angle()
        with_signs = [*map(signed, terms.tolist())]
        degrees = [f"{math.degrees(abs(angle)):.0f}°" for angle in angles.tolist()]
        rest, score = terms[size:].sum().item(), number(terms.sum().item(), 4)
        found += tally(f"{i} reads {j} offset {offset}")
        hidden = masked and row > 0
        score = "?" if hidden else score
        written.append(f"{i} reads {j}, offset {offset}: score {score}")
        if hidden:
            found += tally(score)
            continue
        found += tally(*with_signs[:size], *degrees[:size], score)
        if size < d // 2:
            found += tally(signed(rest))
        for pair in range(size):
            x, y = floats(hands[size * row + pair][0], "cx", "cy")
            assert (texts_at[x + 34, y - 9], texts_at[x + 34, y + 11]) == (degrees[pair], with_signs[pair])
            assert texts_at[x - 29, 15.0] == f"pair {pair}"
            about[pair] += ("", "; plus 5: ", "; exchanged: ")[row] + f"{with_signs[pair]} at {degrees[pair]}"
            check_hand(hands[size * row + pair], pair, q[pair], k[pair], angles[pair].item(), terms[pair].item())
    found += tally("score", "Full: query; dashed: key.", *([f"{size}"] if size + 1 == d // 2 else []))
    if size + 1 < d // 2:
        found += tally(f"{size} to {d // 2 - 1}")
    for pair, text in enumerate(about):
        found += tally(f"pair {pair}", part=f"p{pair}")
        turn = f"{math.degrees(10_000 ** (-2 * pair / d)):.1f}°"
        found += tally(turn)
        found += tally(f"Each position turns pair {pair} by {turn}.", text, part=f"p{pair}")
        names[f"p{pair}"] = text
    assert figure.lit == "p0"
    words = f"{head.names_read[m]}, {head.names_read[other]}. {'; '.join(written)}. {about[0]}"
    chosen = [{kind: t} for kind in ("query", "key") for t in range(n)]
    return Reference(found, chosen, names, numbers(words))


def check_hand(group, pair, query, key, angle, term):
    """Assert that both hands have the directions of the rotated query and key, with the sector between them."""
    circle, sector, dashed, full, end, tip = group
    middle = floats(circle, "cx", "cy")
    q, k = (torch.tensor([each.real, -each.imag]) / each.abs() for each in (query, key))
    assert group.get("data-part") == f"p{pair}"
    *way, sweep, x2, y2 = places(sector.get("d"))
    drawn = [floats(tip, "cx", "cy"), floats(end, "cx", "cy"), *(places(each.get("d")) for each in (full, dashed))]
    found = torch.tensor([each[-2:] for each in [*drawn, way[:4], [x2, y2]]]).double() - torch.tensor(middle)
    assert torch.allclose(found, torch.stack([25 * q, 25 * k, 25 * q, 25 * k, 16 * q, 16 * k]), atol=0.03)
    assert [each[:2] for each in (*drawn[2:], way)] == [middle] * 3
    assert ("stroke-dasharray" in dashed.attrib, "stroke-dasharray" in full.attrib) == (True, False)
    assert sweep == (angle < 0)  # clockwise, with y pointing down
    assert f"var(--{'negative' if term < 0 else 'positive'})" in sector.get("style")


def drawn_trained(app, masked):
    """The figure of a trained head: the numbers of its frames, which the lesson's program gives as well."""
    choices, figure = app.state.choices, app.learner.outputs.figure
    head = head_of(choices, app.state.settings.seed)
    prompt = prompt_of(choices, task_of(choices)[0])[0]
    n, steps, positions = len(prompt), (0, 10, *range(15, 41, 5), 50, 60, 80, 100), choices.head_positions
    root, shown, names, films = root_of(figure), [0, 1, 2, 3, 23], {}, {"guess": []}
    always_lit = [each for part in all_of(root, "g[@class='lit']") for each in all_of(part, "g[@data-kind]")]
    assert always_lit == all_of(root, "g[@data-kind]")  # otherwise their numbers are hidden
    for each in all_of(root, "g[@data-kind]"):
        films.setdefault(each.get("data-kind"), []).append(json.loads(each.get("data-film")))
    wanted = {"score": [], "weight": [], "value": [], "mixed": [], "guess": [], "p": []}
    for frame, step in enumerate(steps):
        read, by_position = head.read([prompt], frame), head.scores_by_position(prompt, frame)
        score, weights, v, mixed = read.scores[0, -1], read.weights[0, -1], read.values[0], read.mixed[0, -1]
        p, best = read.logits[0].softmax(dim=0).topk(3)
        scores = [score - by_position, by_position, score] if positions else [score, score]
        wanted["score"].append([each[s].item() for s in range(n) for each in scores])
        wanted["weight"].append(weights.tolist())
        wanted["value"].append([v[s, d].item() for s in range(n) for d in shown])
        wanted["mixed"].append(mixed[shown].tolist())
        wanted["guess"].append([sorted(head.vocabulary)[i] for i in best])
        wanted["p"].append(p.tolist())
        about = ", ".join(f"{number(w)} {word}" for w, word in zip(weights.tolist(), prompt, strict=True))
        following = ", ".join(f"{w} {number(x)}" for w, x in zip(wanted["guess"][-1], p.tolist(), strict=True))
        hidden = masked and not positions and asks_first(app)
        names[str(step)] = f"Step {step}: {prompt[-1]} reads {about}; next {'?' if hidden else following}"
    close(films["score"], wanted["score"], 12)
    close(films["weight"][:n], wanted["weight"], 1)
    close(films["value"][: 5 * n], wanted["value"], 4)
    close(films["value"][5 * n :], wanted["mixed"], 4)
    if hidden:
        assert not films["guess"]
    else:
        close(films["weight"][n:], wanted["p"], 1)
        guesses = [*map(list, zip(*wanted["guess"], strict=True))]
        assert [[text for (text,) in each] for each in films["guess"]] == guesses
    scales = [[float(x) for x in e.get("data-scales").split()] for e in all_of(root, "*[@data-scales]")]
    assert torch.allclose(torch.tensor(scales), torch.tensor(wanted["weight"]).T, atol=6e-4)
    legend = [floats(each, "x", "width") for each in all_of(root, "g[@class='positive cell']/rect[@height='8']")]
    assert [left for left, _ in legend[1:]] == [left + width for left, width in legend[:-1]] != []
    ends = [floats(each, "y")[0] for each in all_of(root, "text[@class='readout code']")]
    of_curves = [places(each.get("points"))[-1] for each in all_of(root, "polyline[@class='readout']")]
    assert ends == pytest.approx(of_curves, abs=0.1)
    test_heads = [head_of(choices, app.state.settings.seed, each).tests.right for each in (True, False)]
    hidden_count = masked and asks_first(app)
    right = [test_heads[0], "?" if hidden_count else test_heads[1]]
    assert f"of {head.tests.total} prompts correct: with positions {right[0]} , without {right[1]}" in joined(root)
    assert figure.lit == "100"
    assert figure.column == max(range(n), key=wanted["weight"][-1].__getitem__)
    reading = numbers(f"{names['100']} {names['0']} {head.tests.total} {right[0]} {right[1]}")
    return Reference(texts(figure), [], names, reading)


def asks_first(app):
    """Return whether the first question is about the head without positions."""
    return app.state.choices.head == "order" or app.state.choices.start == "0.1"


def close(films, frames, full):
    """Fail unless the texts and colors of some cells at each frame are those of numbers, up to their rounding."""
    values = [*zip(*frames, strict=True)]
    assert len(films) == len(values)
    for film, numbers_of_cell in zip(films, values, strict=True):
        for (text, share, look), value in zip(film, numbers_of_cell, strict=True):
            digits = len(text.partition(".")[2])
            assert not text or abs(float(text.replace("−", "-")) - value) <= 0.51 * 10**-digits + 1e-4
            assert abs(share - cell(value, full).percent) <= 1
            assert look.startswith("negative" if value < 0 else "positive") or abs(value) < 0.0051
