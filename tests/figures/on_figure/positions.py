"""The figure of the lesson on positions, computed by the published formula or sampled by torch."""

import re

import numpy as np
from torch.nn.functional import normalize

from components.base.settings import Settings
from components.figures.cells import FULL_COLOR, cell, number
from tests.figures.drawn import SVG, Reference, all_of, floats, pixels, root_of
from tests.figures.kit import MASK, tally
from tests.questions.references.learner import counted, sinusoidal
from tests.questions.references.positions import learned_rows
from tests.states import app_state

STATES = {
    "halves": app_state(Settings(dim=1024, vocab_size=50, position="sinusoidal", layout="halves"), at=40),
    "last position": app_state(Settings(dim=5, position="sinusoidal", context_length=300), at=127),
    "wide": app_state(Settings(dim=70, vocab_size=50, position="learned"), at=3),
    "longer table": app_state(Settings(dim=3, vocab_size=50, context_length=130, position="learned"), at=14),
    "one number": app_state(Settings(dim=1, vocab_size=50, context_length=1, position="learned"), at=2),
}
PARTS = [*"01234567", "pairs", "stripes", "alike"]  # the picture grows in this order


def later(part):
    """Return a part and all that come after it, in which it is still shown."""
    return " ".join(PARTS[PARTS.index(part) :])


def before(part):
    """Return the parts before a part, in which its area is empty."""
    return " ".join(PARTS[: PARTS.index(part)])


def drawn(app, masked):
    settings, at = app.state.settings, app.state.choices.at
    D, T = settings.dim, settings.context_length
    if settings.position == "none":
        return None
    masked = masked and D > 1  # rows of one number are not asked about
    kinds = {"sinusoidal": sinusoidal(range(128), D, settings.layout), "learned": learned_rows(settings)}
    P = kinds["sinusoidal"]
    sines = [*range(0, D, 2)] if settings.layout == "interleaved" else [*range(len(range(0, D, 2)))]
    distance = 1 if settings.layout == "interleaved" else len(sines)
    spread = [*dict.fromkeys(round(n * (len(sines) - 1) / 7) for n in range(8))]
    pairs = [[d for d in (sines[n], sines[n] + distance) if d < D] for n in spread]

    def in_words(t, pair):
        return ", ".join(f"{name} {number(P[t, d].item())}" for name, d in zip(("sin", "cos"), pair, strict=False))

    found = tally("1 a clock", "column", "its hand: sine and cosine" if D > 1 else "D = 1: the sine alone")
    if settings.position == "learned":
        found += tally("of the formula, not of the", "learned rows: see 3 and 4")
    found += tally(*["sin", "cos"][: len(pairs[0])], *pairs[0])
    for t in range(8):
        found += tally(*(number(P[t, d].item()) for d in pairs[0]), part=later(str(t)))
        found += tally(f"position {t}", t, part=t)
    caption = "slow hands distinguish far positions" if D > 2 else f"D = {D}: this pair alone"
    found += tally(f"position {at}", caption, part=later("pairs"))
    captions = [",".join(map(str, pair)) for pair in pairs]
    if D > 1_000:  # too wide for the pitch
        captions = [line for first, second in pairs for line in (f"{first},", second)]
    found += tally(*captions, part=later("pairs"))
    for part in ("pairs", "stripes"):
        found += tally("Play shows it", part=before(part))
    found += (
        tally("2 all pairs", part="pairs") + tally("3 stripes", part="stripes") + tally("4 how alike", part="alike")
    )
    learned = settings.position == "learned"
    used = [f"sinusoidal{' , used' * (not learned)}"]
    used += [f"learned {', used:' if learned else ':'} T = {T}{', rest faint' * (T < 128)}"]
    found += tally("a row for each position, 0 to 127", *used, part=later("stripes"))
    cosines = {name: (unit := normalize(rows, dim=1)) @ unit.T for name, rows in kinds.items()}
    compared = [at + step if at + step < 128 else at - step for step in (1, 3, 10, 50)]
    alike = {name: [number(each[at, other].item()) for other in compared] for name, each in cosines.items()}
    if masked:
        found += tally("[?]", part="alike") + tally(*MASK)
    else:
        found += tally("cosine of every two rows", part="alike") + tally("Play shows it", part=before("alike"))
        for name, each in alike.items():
            rows = [f"{other} {cosine}" for other, cosine in zip(compared, each, strict=True)]
            longer = ", if T were 128" * (name == "learned" and T < 128)
            found += tally(f"{at} with", name + longer, *rows, part="alike")
    pairs_of = {name: zip(compared, each, strict=True) for name, each in alike.items()}
    words = "; ".join(f"{name} {', '.join(f'{c} with {o}' for o, c in each)}" for name, each in pairs_of.items())
    clocks = "; ".join(f"column{'s' * (len(p) > 1)} {', '.join(map(str, p))}: {in_words(at, p)}" for p in pairs)
    names = {str(t): f"position {t}: {in_words(t, pairs[0])}" for t in range(8)} | {
        "pairs": f"Position {at} as {len(pairs)} of {counted(len(sines), 'pair')}: {clocks}",
        "stripes": f"128 positions as stripes, {min(D, 64)} of {counted(D, 'column')}, sinusoidal and learned",
        "alike": f"How alike position {at} is to others: {'?' if masked else words}",
    }
    figure = app.learner.outputs.figure
    assert (figure.slider.value, figure.slider.high) == (at, 127)
    first = "alike" if not masked else str(at) if at < 8 else "pairs"
    assert_images(figure, kinds, {} if masked else cosines)
    assert_clocks(figure, P, pairs, at)
    assert_rows(figure, T, at, masked)
    return Reference(found, [], names, f"Positions with D = {D}. {'; '.join(names.values())}", (first, None))


def assert_images(figure, tables_shown, cosines):
    """Fail unless the color of each pixel has the sign and the amount of its number."""
    found = pixels(figure)
    wanted = {f"table{n}": P[:, :64] / [1, FULL_COLOR][n] for n, P in enumerate(tables_shown.values())}
    wanted |= {f"alike{n}": each for n, each in enumerate(cosines.values())}
    assert found.keys() == wanted.keys()
    for name, expected in wanted.items():
        np.testing.assert_allclose(found[name], expected.clamp(-1, 1).numpy(), atol=0.025)


def assert_clocks(figure, P, pairs, at):
    """Fail unless every hand points at its sine and its cosine, and the cells of the first pair have their colors."""
    groups = all_of(root_of(figure), "g[@class]")
    hands = [each for each in groups if "hand" in each.get("class").split()]
    wanted = [(t, pairs[0]) for t in range(8)] + [(at, pair) for pair in (pairs[0], *pairs)]
    for part, (t, pair) in zip(hands, wanted, strict=True):
        circle, path, tip = (part.find(f"{SVG}{tag}") for tag in ("circle", "path", "circle[@class='tip']"))
        x, y, radius = floats(circle, "cx", "cy", "r")
        length = 58 if radius == 66 else 15
        sine, cosine = [*(P[t, d].item() for d in pair), 0.0][:2]
        ends = [float(each) for each in re.findall(r"-?[\d.]+", path.get("d"))]
        end = [x + length * sine, y - length * cosine]
        np.testing.assert_allclose([*ends, *floats(tip, "cx", "cy")], [x, y, *end, *end], atol=0.006)
    cells = [each for each in groups if each.get("class").startswith("cell ")]
    found = [(each.get("class").split()[1], each.get("style")) for each in cells]
    values = [cell(P[t, d].item(), 1.0) for t in range(8) for d in pairs[0]]
    assert found == [(each.sign, f"--share:{each.percent}%") for each in values]


def assert_rows(figure, T, at, masked):
    """Fail unless row `at` is marked in each image, and the rows that the learned table lacks are faint."""
    root = root_of(figure)
    marks = [float(each.get("y")) + 3 for each in all_of(root, "rect[@height='7']")]
    stripes, *alike = sorted({float(each.get("y")) for each in all_of(root, "rect[@mask]")})
    wanted = [stripes + at] * 2 + ([] if masked else [alike[0] + at * 124 / 128] * 2)
    np.testing.assert_allclose(marks, wanted, atol=0.06)
    faint = [floats(each, "y", "height") for each in all_of(root, "rect[@opacity='0.6']")]
    assert faint == [[stripes + T, 128 - T]] * (T < 128)
