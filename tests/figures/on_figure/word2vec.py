"""What the figure of the lesson on word2vec is to show: distances, ranks and angles by numpy, drawn obliquely."""

from collections import Counter
from xml.etree import ElementTree

import numpy as np

from components.base.learner_text import visible
from components.figures.cells import fit, number
from components.lessons.word2vec.trained import chosen_vectors
from tests.figures.drawn import SVG, Reference, Text, numbers
from tests.figures.on_figure.training import pairs_of
from tests.states import app_state

ODD = "<b> &amp; {{7*7}} \"'\\ \u202emark\nthe <b> has a 猫 and &amp; has {{7*7}} too"
STATES = {
    "inputs included": app_state(exclude=False),
    "an input is nearest": app_state(word_a="paris", word_b="france", word_c="italy", exclude=False, vector_size=3),
    "same words": app_state(word_b="king", exclude=False, vector_size=2),
    "one word": app_state(word_b="king", word_c="king"),
    "two of three": app_state(word_b="woman", epochs=3),
    "odd words": app_state(grammar=ODD, word_a="<b>", word_b="&amp;", word_c="{{7*7}}", sentences=50),
    "unknown word": app_state(word_a="xyz"),
}


def drawn(app, masked):
    choices, figure = app.state.choices, app.learner.outputs.figure
    vectors, words = chosen_vectors(choices), [word.strip() for word in choices.inputs]
    if not all(word in vectors for word in words):
        return None
    return reference(vectors, words, choices.exclude, masked, figure)


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
    shown = {word: fit(visible(word.encode()), 136) for word in (*words, answer)}
    far = {word: "?" if masked else number(float(np.linalg.norm(total - unit[word]))) for word in shown}
    one, other, third, last = (shown[word] for word in (*words, answer))
    found, names, rows, directions = Counter(), {}, [], []

    def add(text, part=""):
        found[Text(part, "", " ".join(str(text).split()))] += 1

    norm, rank = number(float(np.linalg.norm(total))), 0
    add(f"{one} − {other} + {third}")
    add(f"unit vectors of {vectors.vector_size} numbers")
    add(f"exact in 3 dimensions, drawn obliquely: {last} is {number(height)} above the plane")
    add("nearest to the sum")
    add("cosine similarity")
    add("the sum", "sum")
    add(f"the sum has the norm {norm}; the words have norm 1", "sum")
    if not masked:
        add(f"in the plane alone, as on a 2-D map, it would be {number(flat)} from the sum")
    elif exclude:
        add(f"excluded: {', '.join(dict.fromkeys((one, other, third)))}")
    else:
        add("?")
        add("answer below to see it")
    for word in near if exclude or not masked else []:
        excluded = exclude and word in words
        rank += not excluded
        if not (excluded and masked) and len(rows) < 7:
            about = f"cosine similarity {number(cosines[word], 3)}, "
            about += f"{far[word]} from the sum" if word in far else "not drawn"
            name = fit(visible(word.encode()), 112)
            rows.append((word, "–" if excluded else str(rank), name, about + ", excluded" * excluded))
    for word, place, name, about in rows:
        for text in (place, name, number(cosines[word], 3), f"{name} : {about}"):
            add(text, part[word])
        names[part[word]] = f"{name}: {about}"
    for word, name in shown.items():
        add(far[word], part[word])
        add(name, part[word])
        if part[word] not in names:
            add(f"{name} : {far[word]} from the sum", part[word])
            names[part[word]] = f"{name}: {far[word]} from the sum"
    names["sum"] = f"the sum {one} − {other} + {third}: norm {norm}"
    norms = [float(np.linalg.norm(each)) for each in (a - b, d - c)]
    if min(norms) > 0:
        turn = float(np.arccos(np.clip((a - b) @ (d - c) / np.prod(norms), -1, 1)))
        angle = round(np.degrees(turn))
        lengths = [number(each) for each in norms]
        directions = [54 * size / max(norms) * np.exp(-1j * by) for size, by in zip(norms, (turn, 0), strict=True)]
        add(f"{one} − {other} and {last} − {third}", "difference")
        add(f"{angle}° apart", "difference")
        add(f"norms {', '.join(lengths)}", "difference")
        add(f"{one} − {other}, {last} − {third} : {angle}° apart; an exact analogy has 0°", "difference")
        names["difference"] = f"{one} − {other} and {last} − {third}: {angle} degrees apart, "
        names["difference"] += f"norms {' and '.join(lengths)}"
    ranked = " ".join(f"{place} {name}: {about}." for _, place, name, about in rows)
    points = ", ".join(f"{name} {far[word]}" for word, name in shown.items())
    heading = f"{one} − {other} + {third}"
    assert figure.lit == part[answer if masked else nearest]
    assert figure.height <= 390
    assert len(figure.svg()) < 32_000
    root = ElementTree.fromstring(figure.svg())
    for head, end in zip(heads_of_differences(root), directions, strict=True):
        assert not head or np.abs(pairs_of(head)[0] - (end.real, end.imag)).max() < 0.06
    space = np.stack([oblique(b, c, a, each) for each in (a, b, c, total, d, foot)])
    marked = "" if masked and not exclude else nearest
    circles = {part[word]: (word == marked, exclude and word in words) for word in shown}
    check_space(root, [part[word] for word in (*words, answer)], circles, space)
    check_rows(root, [(part[w], max(0.0, min(1.0, cosines[w])), w == marked, place) for w, place, *_ in rows])
    return Reference(found, [], names, numbers(f"{heading}.{ranked} {points}. {last} {number(height)}"))


def heads_of_differences(root):
    """Return the paths of the heads of the two differences in their own plane, none if one difference is 0."""
    boxes = [g for g in root.iter(f"{SVG}g") if g.get("data-part") == "difference" and g.get("role")]
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
    found = {}
    for group in root.iter(f"{SVG}g"):
        if len(group) and group[0].tag == f"{SVG}circle":
            found[group.get("data-part")] = group[0]
    at = {part: np.array([float(circle.get("cx")), float(circle.get("cy"))]) for part, circle in found.items()}
    (cross,) = [g for g in root.iter(f"{SVG}g") if g.get("data-part") == "sum" and g.get("role")]
    total = pairs_of(cross[0].get("d"))[0] + (9, 0)
    (ellipse,) = root.iter(f"{SVG}ellipse")
    foot = np.array([float(ellipse.get("cx")), float(ellipse.get("cy"))])
    places = np.stack([*(at[part] for part in parts[:3]), total, at[parts[3]], foot])
    wanted, drawn = space - space[1], places - places[1]
    scale = np.abs(drawn).max() / np.abs(wanted).max()
    assert np.abs(drawn - scale * wanted).max() < 0.4
    for part, (is_marked, is_excluded) in circles.items():
        color = "target" if is_marked else "token"
        assert found[part].get("stroke") == f"var(--{color})"
        assert found[part].get("fill") == ("var(--paper)" if is_excluded else f"var(--{color})")
    lines = [e for e in root.iter(f"{SVG}path") if (e.get("stroke"), e.get("stroke-width")) == ("var(--target)", "4")]
    wide = [pairs_of(each.get("d")) for each in lines if each.get("class") is None]
    assert len(wide) == any(is_marked for is_marked, _ in circles.values())
    for part, (is_marked, _) in circles.items():
        assert not is_marked or np.array_equal(wide[0], [total, at[part]])
    a, b, c, _, answer, _ = places
    (light, strong) = [g for g in root.iter(f"{SVG}g") if g.get("data-part") == "difference" and g.get("role") is None][
        :2
    ]
    paths = [each.get("d") for each in light]
    assert [paths[n] for n in (0, 1, 4, 5)] == [each.get("d") for each in strong]
    for line, head, start, end in zip(paths[::2], paths[1::2], (b, c, c), (a, total, answer), strict=True):
        length = np.linalg.norm(end - start)
        assert bool(line) == (length > 19)
        if line:
            assert np.abs(pairs_of(line)[0] - start).max() < 0.06
            assert np.abs(pairs_of(head)[0] - (end - 10 * (end - start) / length)).max() < 0.06


def check_rows(root, rows):
    """Assert that the bars are as long as the cosines, from top to bottom, and that the nearest word is marked."""
    groups = [g for g in root.iter(f"{SVG}g") if len(g) == 6 and g.get("data-part") != "difference" and g.get("role")]
    assert [g.get("data-part") for g in groups] == [part for part, *_ in rows]
    tops = [float(g[4].get("y")) for g in groups]
    assert tops == sorted(tops)
    for group, (_, share, is_marked, rank) in zip(groups, rows, strict=True):
        assert abs(float(group[4].get("width")) - 84 * share) < 0.05
        color = "target" if is_marked else "chip" if rank == "–" else "token-soft"
        assert group[4].get("fill") == f"var(--{color})"
        assert {float(group[n].get("y")) - 9 for n in (2, 3, 5)} == {float(group[4].get("y"))}
