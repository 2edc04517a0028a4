"""The figure of the lesson on tokens: the text cut by tiktoken and the pattern of GPT-2, and its merges, one by one."""

import re
from itertools import accumulate, pairwise

import numpy as np

from components.base.learner_text import isolated, visible
from components.base.settings import Settings
from components.figures.cells import fit, text_columns
from components.lessons.tokens.line import GAP, PIECE_GAP, ROOM, ROOM_WITH_ARROWS, SIZE, SMALL, token_width
from components.text.bpe import merge_steps
from components.text.gpt2 import gpt2_ranks
from tests.figures.drawn import SVG, Reference, all_of, floats, root_of
from tests.figures.kit import MASK, tally
from tests.questions.references.learner import GPT2, counted
from tests.questions.references.tokens import ENCODING, pieces_of
from tests.states import app_state
from tests.varied_states import HOSTILE_TEXTS

RIVERBANK = "She left the bank for the riverbank."
STATES = {
    "merges": app_state(text=RIVERBANK, opened=6, merge=3),
    "all merges": app_state(Settings(tokenizer="words"), RIVERBANK, opened=6, merge=99),
    "marked up": app_state(text="<b>&\"' {{7*7}}"),
    "long piece": app_state(text="a" * 128 + " b", merge=40),
    "long word": app_state(text="достопримечательности", merge=2),
    "too long": app_state(text="a" * 129 + " b"),
    "from right to left": app_state(text="שלום עולם \u202e 👩‍👩‍👧‍👦 ကျွန်တော်", opened=3),
    "second page": app_state(text="The quick brown fox, number 7, jumps. " * 9, piece=30),
    "last page": app_state(text=HOSTILE_TEXTS[-1], piece=9_999, opened=9_999),
    "separators": app_state(text="a\x1cb \u2028 !\x1d!" * 9),
    "spaces": app_state(text=" \n  "),
    "one byte": app_state(text="\n"),
}


def in_one_line(name):
    """Return a name of at most 93 columns, cut at a space."""
    while text_columns(name) > 93:
        name = name.removesuffix(" …").rpartition(" ")[0] + " …"
    return name


def side_by_side(parts):
    """Return the first byte of each part and the one after its last."""
    return [*pairwise(accumulate(map(len, parts), initial=0))]


def bytes_of(text, spans):
    return [(len(text[:start].encode()), len(text[:end].encode())) for start, end in spans]


def meet(one, other):
    return one[0] < other[1] and other[0] < one[1]


def shown_as(token):
    return visible(token).removeprefix("bytes ")


def around(data, span):
    """Return the characters that some bytes of a text are part of."""
    text = data.decode()
    spans = bytes_of(text, [(n, n + 1) for n in range(len(text))])
    return visible("".join(each for each, at in zip(text, spans, strict=True) if meet(at, span)).encode().lstrip())


def shortened(text):
    return text if len(text) < 41 else f"{text[:40]}…"


def pages_of(widths, ends_piece):
    """Return the tokens of each page: those that fit, up to the end of a piece if that fills more than half."""
    pages, start, room = [], 0, ROOM if sum(widths) <= ROOM else ROOM_WITH_ARROWS
    while start < len(widths):
        totals = [*accumulate(widths[start:])]
        stop = start + sum(total <= room for total in totals)
        ends = [end for end in range(start + 1, stop + 1) if ends_piece[end - 1]]
        whole = [end for end in ends if totals[end - start - 1] > room / 2]
        pages.append(range(start, whole[-1] if whole and stop < len(widths) else stop))
        start = pages[-1].stop
    return pages


def drawn(app, masked):
    text, choices = app.state.text, app.state.choices
    in_use = "" if app.state.settings.typed else app.state.settings.tokenizer
    if not text:
        return None
    data, ids = text.encode(), ENCODING.encode_ordinary(text)
    distinct, gpt2 = [*dict.fromkeys(text.split())], [GPT2[i] for i in ids]
    words = bytes_of(text, [match.span() for match in re.finditer(r"\S+", text)])
    pieces, tokens = side_by_side([each.encode() for each in pieces_of(text)]), side_by_side(gpt2)
    widths = [token_width(*each) for each in zip(gpt2, ids, strict=True)]
    ends_piece = [end in {end for _, end in pieces} for _, end in tokens]
    wide = [width + (PIECE_GAP if last else GAP) for width, last in zip(widths, ends_piece, strict=True)]
    pages = pages_of(wide, ends_piece)
    page = next((each for each in pages if choices.piece in each), pages[-1])
    left = 820 - (ROOM if len(pages) == 1 else (ROOM + ROOM_WITH_ARROWS) / 2)
    lefts = dict(zip(page, accumulate((wide[n] for n in page), initial=left), strict=False))
    in_line = tokens[page[0]][0], tokens[page[-1]][1]
    items = [("w", n, span) for n, span in enumerate(words) if meet(span, in_line)]
    items += [("p", n, span) for n, span in enumerate(pieces) if meet(span, in_line)]
    items += [("t", n, tokens[n]) for n in page]

    def chip(n):
        token = shown_as(gpt2[n])
        shown = visible(gpt2[n]).startswith("bytes ") and not around(data, tokens[n]).startswith("‹")
        return f"{token} {around(data, tokens[n])}" if shown else token

    def named(n):
        return isolated(chip(n), "\u2068" if not visible(gpt2[n]).startswith("bytes ") else "\u2066")

    def edge(offset, n):
        start, end = tokens[n]
        return lefts[n] + widths[n] * (min(max(offset, start), end) - start) / (end - start)

    found, chosen, names, told, edges, upper = tally(), [], {}, [], {}, {"w": [], "p": [], "t": []}
    for kind, n, span in items:
        with_it = [(kind, n), *((other, m) for other, m, at in items if other != kind and meet(at, span))]
        part, own = " ".join(f"{a}{b}" for a, b in with_it), [m for other, m in with_it if other == "t"]
        edges[f"{kind}{n}"] = x, end = edge(span[0], own[0]), edge(span[1], own[-1])
        name = shortened(visible(data[slice(*span)]))
        n_bytes = counted(span[1] - span[0], "byte")
        upper[kind].append({"opened": next(m for a, m in with_it if a == "p"), "merge": 0, "piece": own[0]})
        if kind == "w":
            word_id = 4 + distinct.index(data[slice(*span)].decode())
            found += tally(fit(name, max(end - x, 40), 15), word_id, part=part)
            name = f"word {isolated(name)}: ID {word_id} in the word vocabulary of your text"
        elif kind == "p":
            name = f"piece {isolated(name)}: {n_bytes}"
            if not masked:
                count = sum(meet(each, span) for each in tokens)
                unbroken = [each.replace(" ", "\xa0") for each in (f"{named(m)} {ids[m]}" for m in own[:8])]
                number = counted(count, "token").replace(" ", "\xa0")
                name += f", {number}: {' + '.join(unbroken)}{' + …' * (count > len(unbroken))}"
        else:
            token, whole = chip(n), not visible(gpt2[n]).startswith("bytes ")
            shown = fit(token, widths[n] - 4, SIZE if whole else SMALL), ids[n]
            found += tally(*shown * (not masked), part=part)
            kind_of_token = "token" if whole else "incomplete character, token of the bytes"
            name = f"{kind_of_token} {named(n)}: ID {ids[n]}, {n_bytes}"
        if kind != "t" or not masked:
            found += tally(fit(in_one_line(name), 670, 12), part=f"{kind}{n}")
            names |= {part: name} if kind != "w" else {}
            told += [name] if kind != "t" else []
    for choose in upper["w"] + upper["p"] + ([] if masked else upper["t"]):
        chosen += [choose] * 2  # the item, and its label or bracket
    turns = [{"opened": -1, "merge": 0, "piece": n} for n in (page[0] - 1, page[-1] + 1) if 0 <= n < len(tokens)]
    chosen += turns
    found += tally(*"‹" * (page[0] > 0), *"›" * (page[-1] + 1 < len(tokens)))
    if turns:
        numbered = [n for kind, n, _ in items if kind == ("p" if masked else "t")]
        several = f"s {numbered[0]:,} to" if numbered[1:] else ""
        found += tally(f"{'piece' if masked else 'position'}{several} {numbered[-1]:,}")
    found += tally(counted(len(words), "word"), counted(len(pieces), "piece"))
    found += tally(*["? tokens", "?"] if masked else [counted(len(tokens), "token")])
    found += tally(f"word IDs{', in use' * (in_use == 'words')}", f"IDs of GPT-2{', in use' * (in_use == 'gpt2')}")

    opened = min(choices.opened, len(pieces) - 1)
    if opened < 0:
        on_page = [n for kind, n, (start, end) in items if kind == "p"]
        lengths = {n: pieces[n][1] - pieces[n][0] for n in on_page}
        opened = max(on_page, key=lambda n: (lengths[n] <= 128, lengths[n]))
    piece = data[slice(*pieces[opened])]
    name = shortened(visible(piece))
    found += tally(f"GPT-2 merges {fit(name, 230 if len(piece) > 128 or len(piece) <= most_shown(piece) else 140)}")
    merge, last, figure = 0, 0, app.learner.outputs.figure
    if len(piece) > 128:
        found += tally(f"This piece has {len(piece):,} bytes; merges are shown for at most 128.")
        sentence = "is too long for its merges."
    else:
        steps = [side_by_side(parts) for parts, _ in merge_steps(piece.decode())]
        last = 0 if masked else len(steps) - 1
        merge = min(choices.merge, last)
        chips = {} if masked else {start - pieces[opened][0]: n for n, (start, _) in enumerate(tokens)}
        more, sentence = merges_in(figure, piece, steps, merge, chips, masked)
        found, chosen, names = found + more.texts, chosen + more.chosen, names | more.names
    assert (figure.lit, figure.slider) == (f"p{opened}", ("merge", f"Merges of {isolated(name)}", merge, last, 0))
    assert_line(figure, edges, bool(turns))
    return Reference(found, chosen, names, f"{'; '.join(told)}. The piece {name} {sentence}")


def merges_in(figure, piece, steps, merge, chips, masked):
    """Return what is shown of the merges of a piece, and in words; `chips` has the token that begins at a byte."""
    made, parts, ranks = {}, steps[merge], gpt2_ranks()
    for number, (before, after) in enumerate(pairwise(steps), start=1):
        (span,) = {*after} - {*before}
        made[span] = number
    part_of = {span: f"b{span[0]}" for span in steps[0]} | {span: f"m{number}" for span, number in made.items()}
    made_of = {span: [each for each in steps[number - 1] if meet(each, span)] for span, number in made.items()}
    joins = {each: number for span, number in made.items() for each in made_of[span]}
    pairs = {}
    for left, right in pairwise(parts):
        if (rank := ranks.get(piece[left[0] : right[1]])) is not None:
            pairs.setdefault(rank, []).append((left, right))
    pairs = dict(sorted(pairs.items()))
    upcoming = next(iter(pairs.values()))[0] if pairs else ()

    def called(span):
        return shown_as(piece[slice(*span)])

    most, first = most_shown(piece), 0
    for start, end in [*made][: merge + 1]:  # is the next merge in view?
        if end > first + most:
            first = end - most
        if start < first:
            first = start
    shown, texts, names, looks = (first, min(len(piece), first + most)), tally(), {}, {}
    for span, part in part_of.items():
        if not meet(span, shown) or (masked and made.get(span, 0) > merge):
            continue
        lit = [part, *([f"m{joins[span]}"] if span in joins else [])]
        lit += [f"c{n}" for n, same in enumerate([*pairs.values()][:7]) if any(span in pair for pair in same)]
        lit += [f"t{chips[span[0]]}"] if chips and span in steps[-1] else []
        name = f"byte {piece[span[0]]:02X}: ID {ranks[piece[slice(*span)]]}"
        if span in made:
            name = f"merge {made[span]}: {' + '.join(map(called, made_of[span]))} → {called(span)}"
            name += f", ID {ranks[piece[slice(*span)]]}"
        names |= {" ".join(lit): name} if span in made else {}
        look = "next" if span in upcoming else "later" if made.get(span, 0) > merge else ""
        looks[" ".join(lit)] = span, look or ("part" if span in parts else ""), made_of.get(span, [])
        texts += tally(fit(in_one_line(name), 670, 12), part=part)
    texts += boxes_in(figure, looks, shown, called)
    n_merges = "?" if masked else len(steps) - 1
    some = f", bytes {shown[0]} to {shown[1] - 1}" if len(piece) > most else ""
    texts += tally(f"{merge} of {n_merges} merges{some}")
    heading = ["pairs", "rank = ID, lowest first"] if pairs else ["tokens", "ID"] * (not masked)
    texts += tally(*heading, *["Each step merges the pair whose rank is lowest.", *MASK] * masked)
    most = 3 if masked else 7
    for n, (rank, same) in enumerate([*pairs.items()][:most]):
        times = f", {len(same)} times here" if same[1:] else ""
        pair = " + ".join(map(called, same[0]))
        why = "not the lowest rank" if n else "the lowest rank, so it is merged next"
        names[f"c{n}"] = f"{pair}: rank {rank}{times}, {why}"
        texts += tally(fit(pair, 166), rank, fit(in_one_line(names[f"c{n}"]), 670, 12), part=f"c{n}")
    rows = len(pairs) or len(parts)
    for span in [] if pairs or masked else parts[:7]:
        texts += tally(fit(called(span), 166), ranks[piece[slice(*span)]])
    most = most if pairs else 7
    final = "no pair of these is a token" if parts[1:] else "it is one token"
    if pairs or not masked:
        texts += tally(*[f"and {rows - most} more"] if rows > most else [] if pairs else [final])
    then = ""
    if not masked:
        then = " No pair of neighbors is a token, so these are its tokens." if parts[1:] else " It is one token."
    if pairs:
        others = f"the lowest; {counted(len(pairs) - 1, 'other pair')} with a rank"
        if len(pairs) == 1:
            others = "the only pair with a rank"
        then = f" Next: {' + '.join(map(called, upcoming))}, rank {min(pairs)}, {others}."
    count = "? merges" if masked else counted(len(steps) - 1, "merge")
    sentence = f"after {merge} of {count}: {' '.join(map(called, parts))}.{then}"
    chosen = [{"merge": made[span]} for span, *_ in looks.values() if span in made]
    return Reference(texts, chosen, names, []), sentence


def most_shown(piece):
    """Return how many bytes of a piece are shown: more if most are letters."""
    return 50 if sum(byte < 128 for byte in piece) > len(piece) / 2 else 23


def in_box(text, width):
    """Return what a box shows of a text: all of it, its beginning, or a dot."""
    if 0.6 * SMALL * len(text) <= width - 1 or 0.6 * SIZE * len(text) <= width - 4:
        return text
    characters = int((width - 1) / (0.6 * SMALL)) - 1
    return f"{text[:characters].strip()}…" if characters > 0 else "·"


def boxes_in(figure, looks, shown, called):
    """Return the texts in the boxes that have room for them; each box is below the parts that it joins."""
    found = [each for name in ("chip", "chip later") for each in all_of(root_of(figure), f"g[@class='{name}']")]
    chips = {each.get("data-part"): each for each in found}
    rects, texts = {}, tally()
    for part, (span, look, _) in looks.items():
        rect = chips[part].find(f"{SVG}rect")
        rects[span] = x, y, width, height = floats(rect, "x", "y", "width", "height")
        assert ("later" in chips[part].get("class")) == (look == "later")
        assert ("stroke: var(--ink)" in rect.get("style", "")) == (look in ("next", "part"))
        assert ("stroke-width" in rect.get("style", "")) == (look == "next")
        texts += tally(*[in_box(called(span), width)] * (height > 14), part=part)
    of_byte = {start: rects[start, start + 1] for start in range(*shown)}
    lines = re.findall(r'd="M([\d.]+) ([\d.]+)V([\d.]+)"', figure.drawing)
    ends = {tuple(map(float, line)) for line in lines}
    for span, _, made_of in looks.values():
        x, y, width, height = rects[span]
        first, last = of_byte[max(span[0], shown[0])], of_byte[min(span[1], shown[1]) - 1]
        np.testing.assert_allclose([x, x + width], [first[0], last[0] + last[2]])
        for above in (each for each in made_of if each in rects):
            left, top, wide, high = rects[above]
            assert top + high <= y
            assert any(left <= at < left + wide and (start, end) == (top + high, y) for at, start, end in ends)
    assert len(lines) == sum(each in rects for *_, made_of in looks.values() for each in made_of)
    return texts


def assert_line(figure, edges, has_turns):
    """Fail unless each piece and token is above or below the others that have its bytes, and inside the figure."""
    for group in all_of(root_of(figure), "g[@data-part]"):
        own = group.get("data-part").split()[0]
        if own in edges and group.get("class") != "readout":
            x, end = edges[own]
            for rect in group.findall(f"{SVG}rect"):
                np.testing.assert_allclose(floats(rect, "x", "width"), [x, end - x])
            for text in group.findall(f"{SVG}text"):
                np.testing.assert_allclose(floats(text, "x"), (x + end) / 2)
    assert min(x for x, _ in edges.values()) >= 128
    assert max(end for _, end in edges.values()) <= (786 if has_turns else 820)
    assert len(figure.svg()) < 60_000
