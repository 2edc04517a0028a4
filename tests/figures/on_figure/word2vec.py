"""What the figures of the lesson on word2vec are to show: the steps in words, films and analogies by numpy."""

import re
from collections import Counter
from fractions import Fraction
from itertools import chain

import numpy as np
import torch

from components.base.learner_text import visible_text
from components.embedding.projection import project
from components.figures.cells import fit, number
from components.lessons.word2vec.figure_step import pair, sentence_chips
from components.lessons.word2vec.steps import step_scene
from components.lessons.word2vec.trained import chosen_vectors, corpus, film, film_words, frequent_neighbors
from components.vectors.word2vec import Options, two_tables
from tests.figures.drawn import SVG, Reference, all_of, floats, numbers, root_of
from tests.figures.geometry import labels
from tests.figures.kit import MASK, tally
from tests.figures.on_figure.training import pairs_of
from tests.questions.references.word2vec import inputs_of
from tests.states import app_state

ODD = "<b> &amp; {{7*7}} \"'\\ \u202emark\nthe <b> has a 猫 and &amp; has {{7*7}} too"
RULERS = [float(f"{n}e{power}") for n in (1, 2, 5) for power in range(-6, 5)]
LABELS = """rows of D = 2 numbers; table 1 solid, table 2 dashed|table 1: center words|used afterwards: the word vectors
error = wanted − σ(product), wanted = 1 for the neighbor|table 2: neighbors|each word has a row in both
change = learning rate × sum of error × row of table 2|row|before the step|after it|error|product|σ|wanted"""
LABELS = re.split(r"[|\n]", LABELS)
SHOWN = {"scene": "analogy"}
CATS = "A red cat sleeps. A blue cat sleeps. A red dog barks. A blue dog barks. The dog and the cat play. Why?"
STATES = {
    "inputs included": app_state(**SHOWN, exclude=False),
    "same words": app_state(**SHOWN, word_b="king", exclude=False, vector_size=2),
    "one word": app_state(**SHOWN, word_b="king", word_c="king"),
    "two of three": app_state(**SHOWN, word_b="woman", epochs=3),
    "odd words": app_state(**SHOWN, grammar=ODD, word_a="<b>", word_b="&amp;", word_c="{{7*7}}", sentences=50),
    "unknown word": app_state(**SHOWN, word_a="xyz"),
    "wide window": app_state(window=10, rate=0.025, sentence=1, word_a="prince", train_seed=3),
    "odd step": app_state(grammar=ODD, word_a="mark", sentences=50, window=2),
    "own sentences": app_state(vectors="text", text=CATS, word_a="cat", window=2, epochs=30),
    "too few": app_state(vectors="text"),
    "unknown word of a step": app_state(word_a="xyz"),
    "film": app_state(scene="film", vector_size=5, window=2, words="paris rome xyz"),
    "film of other words": app_state(scene="film", word_a="bigger", word_b="big", word_c="fast", words=""),
    "film of equal words": app_state(scene="film", word_b="king", word_c="king"),
    "film without a first difference": app_state(scene="film", word_b="king"),
    "film of odd words": app_state(scene="film", grammar=ODD, sentences=50, vector_size=2),
    "film of own sentences": app_state(scene="film", vectors="text", text=CATS, word_a="cat"),
    "film of neighbors": app_state(scene="film", vectors="text", text=CATS, word_a="a", word_b="dog", word_c="red"),
}


def drawn(app, masked):
    choices, figure = app.state.choices, app.learner.outputs.figure
    vectors = chosen_vectors(app.state)
    words = inputs_of(choices, vectors)
    if choices.scene == "step":
        return step_reference(app, words[0], masked and "changes the row of" in app.words, figure)
    if len(vectors) <= len({*words}):
        return None
    if choices.scene == "film":
        return film_reference(app, vectors, words, masked and "will end nearest to" in app.words, figure)
    return reference(vectors, words, choices.exclude, masked and "if no word is excluded" in app.words, figure)


def step_reference(app, word, masked, figure):
    """Return the texts of the steps of a sentence, which the lesson's program takes by torch's autograd as well."""
    choices, sentences = app.state.choices, corpus(app.state)[0]
    scene = step_scene(app.state, word)
    vectors, second = two_tables(sentences, Options(2, choices.window, choices.epochs, 2, choices.train_seed))
    weights = {each: count**0.75 for each, count in Counter(chain(*sentences)).items()}
    found, parts = Counter(), {}

    shown = [visible_text(each) for each in scene.sentence]
    chips = [chip["text"] for chip in sentence_chips(scene.sentence)]
    for text, whole in zip(chips, shown, strict=True):
        assert text == whole or (text.endswith("…") and whole.startswith(text[:-1]))
        found += tally(text)
    negative = sum(np.dot(*rows) < 0 for rows in zip(vectors.vectors, second, strict=True))
    found += tally(*LABELS, f"a word's two rows: product below 0 for {negative} of {len(vectors):,} words")
    for step, each in enumerate(scene.steps, 1):
        part, center, change = str(step), shown[each.center], each.step.change
        before, after = pair(each.row), "?" if masked else pair(each.row + change)
        found += tally(part, chips[each.center], fit(center, 96, 14), fit(center, 96), before, "→", after, part=part)
        both = ("?", "?") if masked else (pair(change / choices.rate), pair(change))
        total, product = (
            [Fraction(f"{value:.2f}") for value in each.tolist()] for each in (change / choices.rate, change)
        )
        exact = masked or [Fraction(f"{choices.rate:g}") * value for value in total] == product
        found += tally(f"{choices.rate:g} × {(' = ' if exact else ' ≈ ').join(both)}", part=part)
        ends = np.array([[0, 0], each.row.tolist(), (each.row + change).tolist(), *each.other_rows.tolist()])
        longest = (np.array([330, 206]) / np.maximum(np.ptp(ends, axis=0), 1e-9)).min()
        found += tally(f"{max(n for n in RULERS if n * longest <= 100):g}", part=part)
        words, others = [], [vectors.index_to_key[n] for n in each.others]
        for n, (other, row, dot) in enumerate(zip(others, each.other_rows, each.step.dots.tolist(), strict=True)):
            name, sigmoid = visible_text(other), 1 / (1 + np.exp(-dot))
            sign, size = "−" if n else "+", number(abs((n == 0) - sigmoid))
            error = "?" if masked else size if size == "0.00" else f"{sign}{size}"
            chance = weights[other] / (sum(weights.values()) - weights[others[0]])
            percent = f"{chance:.1%}" if chance >= 0.0005 else "below 0.1%"
            about = f"sampled, chance {percent}: pushes" if n else "the true neighbor: pulls"
            found += tally(fit(name, 96, 14), fit(name, 96), about, pair(row), part=part)
            found += tally(number(dot), number(sigmoid), int(n == 0), error, part=part)
            role = "sampled" if n else "as neighbor"
            numbers_of = f"dot product {number(dot)}, sigmoid {number(sigmoid)}, wanted {int(n == 0)}, error {error}"
            words.append(f"{name} {role} ({numbers_of})")
        parts[part] = f"Step {step}: {center} {before} with {', '.join(words)}. After it {center} is {after}."
    lit = max(n for n, each in enumerate(scene.steps, 1) if each.center == scene.sentence.index(word))
    assert (figure.lit, figure.play) == (str(lit), "Play")
    assert figure.slider == ("", "Step", lit - 1, len(parts) - 1, 0)
    check_arrows(root_of(figure), masked)
    reading = f"The sentence “{' '.join(shown)}” in {len(parts)} steps; 2. {parts[str(lit)]}"
    return Reference(found, [], parts, numbers(reading))


def check_arrows(root, masked):
    """Assert that the rows of each step are drawn on its scale, and that pulls and pushes lead to the row after it."""
    for group in all_of(root, "g[@class='readout']"):
        texts_of = ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]
        before, after, *rows = (text for text in texts_of if text.startswith("[") or text == "?")
        origin = np.array(floats(all_of(group, "circle")[0], "cx", "cy"))
        paths = group.findall(f"{SVG}path")
        (ruler,) = [float(path.get("d").split("h")[1].split("v")[0]) for path in paths if "v2.5h" in path.get("d")]
        one = ruler / next(float(text) for text in texts_of if re.fullmatch(r"[\d.]+(e[-+]\d+)?", text))
        lines = [path for path in paths if path.get("stroke-dasharray") or path.get("stroke-width") == "2.5"]
        heads = [paths[paths.index(line) + 1] for line in lines]
        wanted = [pairs_of(row.replace("−", "-"))[0] for row in (*[r for r in rows if r != "?"], before)]
        for head, row in zip(heads, wanted, strict=True):
            tip = origin + one * row * (1, -1)
            assert not head.get("d") or np.abs(pairs_of(head.get("d"))[0] - tip).max() < 0.4 + 0.006 * one
        pulls = [p for p in paths if p.get("stroke-width") == "2" and not p.get("stroke-dasharray")]
        assert len(pulls) == (0 if masked else 3)
        if pulls:
            end = origin + one * pairs_of(after.replace("−", "-"))[0] * (1, -1)
            assert np.abs(pairs_of(pulls[-1].get("d"))[-1] - end).max() < 0.4 + 0.006 * one
            for name in all_of(group, "text[@class='tag']"):  # none covers the end of the change
                (x, y), width = floats(name, "x", "y"), 8.4 * len(name.text)
                left = x - width * (name.get("text-anchor") == "end")
                assert not (abs(y - end[1]) < 8 and left < end[0] < left + width)


def film_reference(app, vectors, words, masked, figure):
    """Return the texts of the film of a training, whose numbers are those of the vectors at each epoch."""
    around = frequent_neighbors(app.state, words[0])
    shown = film_words(app.state, vectors, tuple(words))
    unit = vectors.get_normed_vectors()
    total = unit[[vectors.key_to_index[word] for word in words]] * [[1], [-1], [1]]
    order = [vectors.index_to_key[n] for n in np.argsort(-(unit @ total.sum(axis=0)))]
    assert [*shown[:4]] == [*words, next(word for word in order if word not in words)]
    beside = {word: n / vectors.get_vecattr(word, "count") for word, n in around.items() if word not in shown[:4]}
    assert not beside or shown[4] == max(beside, key=beside.get)
    frames = film(app.state, shown)
    assert np.array_equal(frames[-1], vectors[[*shown]])
    epochs = len(frames) - 1
    last, share, D = frames[-1], sum(project(frames[-1]).shares), frames.shape[2]
    frames = frames[:1] if masked else frames
    found, parts = Counter(), {}

    a, b, c, answer = (visible_text(word) for word in shown[:4])
    for word in shown:
        found += tally(visible_text(word))
    found += tally(f"2 of {D} directions: {share:.0%} of the variance at the end", f"{b} → {a}", f"{c} → {answer}")
    same = words[0] == words[1]
    curve = ["A difference of 0 has no direction, so no cosine similarity."]
    curve = curve if same else ["1", "0", "0", "−1", f"epoch {epochs}"]
    found += tally(*(MASK if masked else curve))
    rows = frames[-1] / np.linalg.norm(frames[-1], axis=1, keepdims=True)
    near = max((n for n, word in enumerate(shown) if word != shown[0]), key=lambda n: rows[0] @ rows[n])
    others = frequent_neighbors(app.state, shown[near])
    common = [f"“{visible_text(word)}”" for word in frequent_neighbors(app.state, shown[0]) if word in others][:3]
    listed = ", ".join(common[:-1]) + " and " * (len(common) > 1) + "".join(common[-1:])
    a_and_near = torch.tensor(film(app.state, shown)[[0, -1]][:, [0, near]])
    start, end = torch.cosine_similarity(*a_and_near.unbind(1))
    if common and not masked and abs(end - start) >= 0.1:
        found += tally(fit(f"{a} and {visible_text(shown[near])} both occur beside {listed}", 388, 12))
    between = torch.tensor(frames[:, [0, 3]] - frames[:, [1, 2]]).double()  # from b to a, from c to the answer
    angles = torch.cosine_similarity(between[:, 0], between[:, 1]).tolist()
    check_film(root_of(figure), frames, last, [] if same else angles, epochs)
    assert len(figure.svg()) < 60_000
    cosines = [*map(number, angles)]
    for k, cosine in enumerate(cosines):
        shown_cosine = [] if same else [f"cosine similarity {cosine}"]
        found += tally(f"epoch {k} of {epochs}", *shown_cosine, part=str(k))
        parts[str(k)] = ": ".join([f"Epoch {k} of {epochs}", *shown_cosine])
    assert (figure.lit, figure.play) == (str(len(frames) - 1), "" if masked else "Play")
    names = " ".join(visible_text(word) for word in shown)
    of_ends = "0" if same else cosines[0] + f" {cosines[-1]}" * (not masked)
    reading = f"{names} {'' if masked else epochs} 2 {D} {share:.0%} {a} {b} {answer} {c} {of_ends}"
    return Reference(found, [], parts, numbers(reading))


def check_film(root, frames, last, cosines, epochs):
    """Assert that the dots, the two arrows and the curve of each frame are drawn on the two axes of the last one."""
    _, _, axes = np.linalg.svd(last - last.mean(axis=0))
    points = ((frames - last.mean(axis=0)) @ axes[:2].T).swapaxes(0, 1)  # [words, frames, 2]
    moves = np.stack([pairs_of(g.get("data-moves")) for g in all_of(root, "g[@data-moves]")[: len(points)]])
    drawn, true = (np.linalg.norm(each[:, None] - each, axis=2) for each in (np.vstack(moves), np.vstack(points)))
    assert np.abs(drawn - true * drawn.max() / true.max()).max() < 3  # points are whole units
    of_names, names = (all_of(root, f"g[@data-{each}]")[len(points) :] for each in ("moves", "moved"))
    for group, name, dots in zip(of_names, names, moves, strict=True):
        name_move = [pairs_of(each) for each in group.get("data-moves").split()]
        assert (pairs_of(name.get("transform")) == name_move[-1][-1]).all()
        for (start, *end), dot in zip(name_move, dots, strict=True):
            assert (start == -99).all() or np.abs(start - dot).max() < (1.1 if end else 130)  # beside it, or a line
    readouts, curve = all_of(root, "g[@class='readout']"), [pairs_of(e.get("points")) for e in all_of(root, "polyline")]
    wanted = [[464 + 348 / epochs * k, 215 - 55 * each] for k, each in enumerate(cosines)]
    places = [floats(e, "cx", "cy") for e in all_of(root, "g[@class='readout']/circle")]
    assert (len(readouts), len(curve)) == (2 * len(frames), len(cosines) > 1)  # masked there is one frame
    assert len(places) == (len(cosines) if curve else 0)
    if curve:
        np.testing.assert_allclose(np.stack([curve[0], places]), [wanted] * 2, atol=0.06)
    for k, arrows in enumerate(readouts[: len(frames)]):
        for path, start, end in zip(arrows, (1, 2), (0, 3), strict=True):
            line, tail, tip = pairs_of(path.get("d")), moves[start, k], moves[end, k]
            assert len(line) or np.linalg.norm(tip - tail) < 19  # too short for an arrow
            if len(line):
                np.testing.assert_allclose(line[0], tail, atol=1.1)
                assert abs(np.linalg.norm(line[1] - tip) - 8) < 1.5


def reference(vectors, words, exclude, masked, figure):
    """Return what the figure of these vectors is to show, and assert that it is drawn so."""
    table = vectors.vectors.astype(float)
    unit = dict(zip(vectors.index_to_key, table / np.linalg.norm(table, axis=1, keepdims=True), strict=True))
    a, b, c = (unit[word] for word in words)
    total = a - b + c
    cosines = {word: float(total @ unit[word] / np.linalg.norm(total)) for word in unit}
    near = sorted(cosines, key=cosines.get, reverse=True)[:10]
    answer = next(word for word in near if word not in words)
    nearest = answer if exclude else near[0]
    floor = np.stack([c - b, a - b], axis=1)  # [D, 2]
    d = unit[answer]
    foot = b + floor @ np.linalg.lstsq(floor, d - b, rcond=1e-6)[0]
    height, flat = (float(np.linalg.norm(each)) for each in (d - foot, total - foot))
    part = {word: f"w{n}" for n, word in enumerate(vectors.index_to_key)}
    shown = {word: fit(visible_text(word), 136) for word in (*words, answer)}
    far = {word: "?" if masked else number(float(np.linalg.norm(total - unit[word]))) for word in shown}
    one, other, third, last = (shown[word] for word in (*words, answer))
    found, names, rows, directions = Counter(), {}, [], []

    norm, rank = number(float(np.linalg.norm(total))), 0
    found += tally(f"{one} − {other} + {third}", f"unit vectors of {vectors.vector_size} numbers", "nearest to the sum")
    found += tally(f"exact in {min(3, vectors.vector_size)} dimensions, drawn obliquely", "cosine similarity")
    raised = numbers(f"{last} {number(height)}") if vectors.vector_size > 2 and len({*words}) == 3 else []
    if raised:
        found += tally(f"{last} is {number(height)} above the plane of the others")
    found += tally("the sum", f"the sum has the norm {norm}; the words have norm 1", part="sum")
    if raised and not masked:
        found += tally(f"in the plane alone, as on a 2-D map, {number(flat)} from the sum")
    if masked and exclude:
        found += tally(f"excluded: {', '.join(dict.fromkeys((one, other, third)))}")
    elif masked:
        found += tally("?", "answer to see it")
    for word in near if exclude or not masked else []:
        excluded = exclude and word in words
        rank += not excluded
        if not (excluded and masked) and len(rows) < 7:
            about = f"cosine similarity {number(cosines[word], 3)}, "
            about += f"{far[word]} from the sum" if word in far else "not shown"
            name = fit(visible_text(word), 140)
            rows.append((word, "–" if excluded else str(rank), name, about + ", excluded" * excluded))
    for word, place, name, about in rows:
        in_full = f"{name} : {about.replace('cosine similarity', 'cosine')}"
        found += tally(place, name, number(cosines[word], 3), in_full, part=part[word])
        names[part[word]] = f"{name}: {about}"
    for word, name in shown.items():
        found += tally(far[word], name, part=part[word])
        if part[word] not in names:
            found += tally(f"{name} : {far[word]} from the sum", part=part[word])
            names[part[word]] = f"{name}: {far[word]} from the sum"
    names["sum"] = f"the sum {one} − {other} + {third}: norm {norm}"
    norms = [float(np.linalg.norm(each)) for each in (a - b, d - c)]
    if min(norms) > 0:
        turn = float(np.arccos(np.clip((a - b) @ (d - c) / np.prod(norms), -1, 1)))
        angle = round(np.degrees(turn))
        lengths = [number(each) for each in norms]
        directions = [54 * size / max(norms) * np.exp(-1j * by) for size, by in zip(norms, (turn, 0), strict=True)]
        both = f"{one} − {other} and {last} − {third}"
        found += tally(both, f"{angle}° apart", f"{angle}° apart; an exact analogy has 0°", part="difference")
        found += tally(f"norms {', '.join(lengths)}", part="difference")
        names["difference"] = f"{both}: {angle} degrees apart, norms {' and '.join(lengths)}"
    ranked = " ".join(f"{place} {name}: {about}." for _, place, name, about in rows)
    points = ", ".join(f"{name} {far[word]}" for word, name in shown.items())
    heading = f"{one} − {other} + {third}"
    assert figure.lit == part[answer if masked else nearest]
    assert len(figure.svg()) < 32_000
    root = root_of(figure)
    for head, end in zip(heads_of_differences(root), directions, strict=True):
        assert not head or np.abs(pairs_of(head)[0] - (end.real, end.imag)).max() < 0.06
    space = np.stack([oblique(b, c, a, each) for each in (a, b, c, total, d, foot)])
    marked = "" if masked and not exclude else nearest
    circles = {part[word]: (word == marked, exclude and word in words) for word in shown}
    check_space(root, [part[word] for word in (*words, answer)], circles, space)
    check_distances(root, part[answer])
    check_rows(root, [(part[w], max(0.0, min(1.0, cosines[w])), w == marked, place) for w, place, *_ in rows])
    return Reference(found, [], names, numbers(f"{heading}.{ranked} {points}.") + raised)


def heads_of_differences(root):
    """Return the paths of the heads of the two differences in their own plane, none if one difference is 0."""
    boxes = all_of(root, "g[@data-part='difference'][@role]")
    return [path.get("d") for box in boxes for path in [*box.find(f"{SVG}g[@transform]")][1::2]]


def oblique(b, c, a, point):
    """Return a point in the drawing for a scale of 1, with b in the origin and c on the first axis."""
    axes = []
    for each in (c - b, a - b, point - b):
        rest = each - sum((each @ axis) * axis for axis in axes)
        size = np.linalg.norm(rest)
        axes.append(rest / size if size > 1e-6 else 0 * rest)
    right, back, up = (float((point - b) @ axis) for axis in axes)
    return np.array([right + 0.5 * back, -0.42 * back - up])


def check_space(root, parts, circles, space):
    """Assert that the words, the sum and the foot of the answer are where one scale puts them, joined by arrows."""
    found = {group.get("data-part"): group[0] for group in all_of(root, "g") if len(group) and "cx" in group[0].attrib}
    middles = {part: np.array(floats(circle, "cx", "cy")) for part, circle in found.items()}
    (cross,), (ellipse,) = all_of(root, "g[@data-part='sum'][@role]"), all_of(root, "ellipse")
    total = pairs_of(cross[0].get("d"))[0] + (9, 0)
    places = np.stack([*(middles[part] for part in parts[:3]), total, middles[parts[3]], floats(ellipse, "cx", "cy")])
    wanted, drawn = space - space[1], places - places[1]
    scale = np.abs(drawn).max() / np.abs(wanted).max()
    assert np.abs(drawn - scale * wanted).max() < 0.4
    one, two, three, four = pairs_of(all_of(root, "polygon")[0].get("points"))
    assert np.abs(one - two + three - four).max() < 0.3  # the plane is a parallelogram
    for part, (is_marked, is_excluded) in circles.items():
        color = "target" if is_marked else "token"
        assert found[part].get("stroke") == f"var(--{color})"
        assert found[part].get("fill") == ("var(--paper)" if is_excluded else f"var(--{color})")
    lines = all_of(root, "path[@stroke='var(--target)'][@stroke-width='4']")
    wide = [pairs_of(each.get("d")) for each in lines if each.get("class") is None]
    assert len(wide) == any(is_marked for is_marked, _ in circles.values())
    for part, (is_marked, _) in circles.items():
        assert not is_marked or np.array_equal(wide[0], [total, middles[part]])
    a, b, c, _, answer, _ = places
    light, strong, *_ = [g for g in all_of(root, "g[@data-part='difference']") if g.get("role") is None]
    paths = [each.get("d") for each in light]
    assert [paths[n] for n in (0, 1, 4, 5)] == [each.get("d") for each in strong]
    for line, head, start, end in zip(paths[::2], paths[1::2], (b, c, c), (a, total, answer), strict=True):
        length = np.linalg.norm(end - start)
        assert bool(line) == (length > 19)
        if line:
            assert np.abs(pairs_of(line)[0] - start).max() < 0.06
            assert np.abs(pairs_of(head)[0] - (end - 10 * (end - start) / length)).max() < 0.06


def check_distances(root, answer):
    """Assert that each distance is beside the middle of its line: on the right of it, above or below a flat one."""
    for group in all_of(root, "g"):
        if [each.tag for each in group] == [f"{SVG}path", f"{SVG}text"] and "L" in group[0].get("d"):
            ends, [(_, left, _, y)] = pairs_of(group[0].get("d")), labels(group)
            middle, is_flat = ends.mean(axis=0), np.ptp(ends[:, 1]) < 10
            assert is_flat or left > middle[0]
            assert (y > middle[1]) == (is_flat and group.get("data-part") == answer)


def check_rows(root, rows):
    """Assert that the bars are as long as the cosines, from top to bottom, and that the nearest word is marked."""
    groups = [g for g in all_of(root, "g[@role]") if len(g) == 6 and g.get("data-part") != "difference"]
    assert [g.get("data-part") for g in groups] == [part for part, *_ in rows]
    tops = [float(g[4].get("y")) for g in groups]
    assert tops == sorted(tops)
    for group, (_, share, is_marked, rank) in zip(groups, rows, strict=True):
        assert abs(float(group[4].get("width")) - 166 * share) < 0.05
        color = "target" if is_marked else "chip" if rank == "–" else "token-soft"
        assert group[4].get("fill") == f"var(--{color})"
        assert {float(group[n].get("y")) - 9 for n in (2, 3, 5)} == {float(group[4].get("y"))}
