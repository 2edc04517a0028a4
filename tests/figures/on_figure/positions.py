"""The figure of the lesson on positions, computed by the published formula or sampled by torch."""

import re
from base64 import b64decode
from collections import Counter
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import torch
from PIL import Image

from components.base.settings import Settings
from components.figures.cells import EXPONENT, FULL_COLOR, number
from tests.figures.drawn import SVG, Reference, Text, numbers
from tests.questions.references.learner import sinusoidal, tables
from tests.states import app_state

STATES = {
    "halves": app_state(Settings(dim=64, position="sinusoidal", layout="halves"), at=40),
    "last position": app_state(Settings(dim=5, position="sinusoidal", context_length=300), at=127),
    "wide": app_state(Settings(dim=70, vocab_size=50, position="learned"), at=120),
    "longer table": app_state(Settings(dim=3, vocab_size=50, context_length=130, position="learned"), at=14),
    "one number": app_state(Settings(dim=1, vocab_size=50, context_length=1, position="learned"), at=0),
}


def drawn(app, masked):
    settings, at = app.state.settings, app.state.choices.at
    D, T, kind = settings.dim, settings.context_length, settings.position
    if kind == "none":
        return None
    P, groups = sinusoidal(range(128), D, settings.layout), [(d,) for d in range(min(D, 9))]
    if kind == "sinusoidal":
        sines = [*range(0, D, 2)] if settings.layout == "interleaved" else [*range(len(range(0, D, 2)))]
        distance = 1 if settings.layout == "interleaved" else len(sines)
        spread = [*dict.fromkeys(round(n * (len(sines) - 1) / 8) for n in range(9))]
        groups = [tuple(d for d in (sines[n], sines[n] + distance) if d < D) for n in spread]
    else:  # rows that the table lacks are those of a longer one
        own, longer = (tables(settings.vocab_size, length, D, settings.seed)[1] for length in (T, max(T, 128)))
        P = torch.cat([own, longer[T:]])[:128].double()
    cosines = torch.cosine_similarity(P[:, None], P[None], dim=2)
    names = {}
    for group in groups:
        columns, row = ", ".join(map(str, group)), ", ".join(number(P[at, d].item()) for d in group)
        names[str(group[0])] = f"column{'s' * (len(group) > 1)} {columns}: {row}"
    compared = [at + step if at + step < 128 else at - step for step in (1, 3, 10, 50)]
    alike = {other: number(cosines[at, other].item()) for other in compared}
    hands = kind == "sinusoidal"
    size = f"[{T}, {D}]" + (", and more rows, faint" if T < 128 else ", the first 128 rows" * (T > 128))
    found = ["position table", f"[128, {D}]" if hands else size, f"T = {T}"]
    found += [
        "column 0",
        f"{min(D, 64) - 1}",
        "how alike: P · P T",
        f"row {at} as {'clock hands' if hands else 'bars'}",
    ]
    found.append(f"each hand is a sine{' and its cosine' * (D > 1)}" if hands else "the first columns")
    found += [str(at)] * (at > 12 or at > min(T, 128) + 6)
    if masked:
        found += ["[?]", "?", "answer below to see it"]
    else:
        found += ["divided by the norms, [128, 128]", "position 0", "127", f"position {at}"]
        found += [f"with {other}: {cosine}" for other, cosine in alike.items()]
    texts = [Text("", "", each) for each in found]
    texts += [Text(str(group[0]), "", ", ".join(map(str, group))) for group in groups]
    texts += [Text(part, "", name) for part, name in names.items()]
    figure = app.learner.outputs.figure
    reading = f"Position {at} of 128, D = {D}, {kind}. Its row: {'; '.join(names.values())}."
    reading += "" if masked else f" Cosine similarity {', '.join(f'with position {o}: {c}' for o, c in alike.items())}"
    assert figure.reading == reading
    assert (figure.lit, figure.slider.value, figure.slider.high) == ("0", at, 127)
    assert_images(figure, P[:, :64] / (1 if hands else FULL_COLOR), None if masked else cosines)
    assert_rows(figure, T, at, masked, faint=not hands and T < 128)
    assert_parts(figure, P[at], groups, hands)
    return Reference(Counter(texts), [{"at": n} for n in range(128)], names, numbers(reading))


def assert_images(figure, table, cosines):
    """Fail unless the color of each pixel has the sign and the amount of its number; alike is masked without one."""
    root, found = ElementTree.fromstring(figure.svg()), {}
    for mask in root.iter(f"{SVG}mask"):
        name, sign = mask.get("id").split("-")
        file = BytesIO(b64decode(mask.find(f"{SVG}image").get("href").removeprefix("data:image/png;base64,")))
        (colored,) = [each for each in root.iter(f"{SVG}rect") if each.get("mask") == f"url(#{mask.get('id')})"]
        assert colored.get("fill") == f"var(--{sign})"
        assert {**mask.find(f"{SVG}image").attrib}.items() >= {k: colored.get(k) for k in ("x", "y", "height")}.items()
        amounts = (np.asarray(Image.open(file)) / 255) ** (1 / EXPONENT)
        found[name] = found.get(name, 0) + (amounts if sign == "positive" else -amounts)
    wanted = {"table": table} | ({} if cosines is None else {"alike": cosines})
    assert found.keys() == wanted.keys()
    for name, numbers_in_it in wanted.items():
        np.testing.assert_allclose(found[name], numbers_in_it.clamp(-1, 1).numpy(), atol=0.025)


def assert_rows(figure, T, at, masked, faint):
    """Fail unless a click on a row chooses it, and the first T rows and row `at` are marked."""
    rects = [*ElementTree.fromstring(figure.svg()).iter(f"{SVG}rect")]
    ((top, height),) = {(float(each.get("y")), float(each.get("height"))) for each in rects if "mask" in each.attrib}
    pitch = height / 128
    rows = [(float(each.get("y")), float(each.get("height"))) for each in rects if "data-choose" in each.attrib]
    assert rows == [(top + pitch * n, pitch) for n in range(128)]
    marked = [float(each.get("y")) + 4 for each in rects if each.get("height") == f"{pitch + 8:.0f}"]
    assert marked == [top + pitch * at] * (1 if masked else 2)
    unused = [(float(each.get("y")), float(each.get("height"))) for each in rects if each.get("opacity") == "0.6"]
    assert unused == [(top + pitch * T, pitch * (128 - T))] * faint
    assert re.search(r'd="M53 (\d+)h-5v(\d+)h5"', figure.drawing).groups() == (
        f"{top:.0f}",
        f"{pitch * min(T, 128):.0f}",
    )


def assert_parts(figure, row, groups, hands):
    """Fail unless hands point at their sine and cosine, bars are as long as their numbers, and columns are marked."""
    root = ElementTree.fromstring(figure.svg())
    parts = [each for each in root.iter(f"{SVG}g") if each.get("class") == "hand"]
    for group, part in zip(groups, parts, strict=True):
        circle, paths = part.find(f"{SVG}circle"), [each.get("d") for each in part.findall(f"{SVG}path")]
        x, y, radius = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        value = row[group[0]].item()
        if hands:
            cosine = row[group[1]].item() if group[1:] else 0.0
            start, end = ([float(n) for n in re.findall(r"-?\d[\d.e-]*", each)] for each in paths[0].split("L"))
            tip = [float(part.find(f"{SVG}circle[@class='tip']").get(name)) for name in ("cx", "cy")]
            assert start == [x, y]
            np.testing.assert_allclose([end, tip], [[x + 24 * value, y - 24 * cosine]] * 2, atol=1e-4)
        else:
            at_x, at_y, length = re.fullmatch(r"M([\d.]+) ([\d.]+)v(\S+)", paths[1]).groups()
            assert (float(at_x), float(at_y)) == (x, y)
            np.testing.assert_allclose(float(length), -radius * max(-1, min(1, value / 3)), atol=1e-4)
    shown = min(len(row), 64)
    read = [each for each in root.iter(f"{SVG}g") if each.get("class") == "readout"]
    for group, part in zip(groups, read, strict=True):
        found = [float(rect.get("x")) + 1 for rect in part.findall(f"{SVG}rect")]
        np.testing.assert_allclose(found, [57 + 192 * d / shown for d in group if d < shown])
