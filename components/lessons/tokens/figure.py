"""The figure of the lesson on tokens: words, pieces and tokens of the text, and the merges of one opened piece."""

from components.base.learner_text import isolated
from components.base.text_format import pluralize
from components.figures.cells import text_columns
from components.figures.drawing import Figure, Slider, draw
from components.lessons.tokens.choices import MAX_PIECE_BYTES, Choices
from components.lessons.tokens.line import ARROWS, RIGHT, Line, Spans, make_line, overlapping, shortened, token_text
from components.lessons.tokens.merge_tree import joined_text, merge_tree
from components.lessons.tokens.merges import Replay, replay

HEIGHT = 384
# On a narrow screen: its width, and the heights of the counts, of a sheet of the line, and of a row of the list
NARROW, HEADER, SHEET, ROW = 424, 46, 104, 26


def in_lines(text: str, columns: int, most: int) -> list[str]:
    """Return a text in at most `most` lines, broken at spaces; the last one has an ellipsis if the text is cut.

    >>> in_lines("猫 is a cat", 6, 2), in_lines("猫 is a cat", 6, 1)
    (['猫 is', 'a cat'], ['猫 …'])
    """
    lines, words = [], text.split(" ")
    while words:
        is_last = len(lines) + 1 == most
        n = len(words)
        while n > 1 and text_columns(" ".join(words[:n])) + 2 * (is_last and n < len(words)) > columns:
            n -= 1
        lines.append(" ".join(words[:n]) + " …" * (is_last and n < len(words)))
        words = [] if is_last else words[n:]
    return lines


def tokens_figure(found: Spans, bpe: str, in_use: str, choices: Choices, masked: bool) -> Figure:
    """Return the figure of a text by its spans in `bpe`; the tokens are masked until the learner has predicted them.

    `in_use` is the tokenizer whose IDs the other lessons look up, "" if IDs are typed.
    """
    line = make_line(found, choices.piece, masked)
    opened, piece = opened_piece(found, choices)
    made, name = replay(piece), shortened(piece.encode())
    last = made.n_merges if made and not masked else 0
    merge = min(choices.merge, last)
    own = overlapping(found.tokens, *found.pieces[opened].tolist())
    sheets = _sheets(line)
    down = HEADER + SHEET * len(sheets) - 84  # of the merges on a narrow screen
    tree = made and merge_tree(made, merge, masked, own.start if bpe == "gpt2" and not masked else None)
    drawing = draw(
        "lessons/tokens/figure.svg.j2",
        line=line,
        arrows=ARROWS,
        edge=RIGHT - 1,
        tree=tree,
        sheets=sheets,
        down=down,
        bpe="GPT-2" if bpe == "gpt2" else bpe,
        in_use=in_use,
        uses_bpe=in_use == bpe,
        counts=(len(found.words), len(found.pieces), len(found.tokens)),
        piece=name,
        n_bytes=len(piece.encode()),
        max_bytes=MAX_PIECE_BYTES,
        merge=merge,
        n_merges="?" if masked else last,
        masked=masked,
        in_lines=in_lines,
    )
    items = "; ".join(item.name for item in (*line.words, *line.pieces))
    merged = _in_words(made, merge, masked) if made else "is too long for its merges."
    slider = Slider("merge", f"Merges of {isolated(name)}", merge, last)
    n_rows = len(tree["pairs"] or tree["tokens"]) + 1 if tree else 0
    below = tree["bottom"] + 44 + ROW * n_rows if tree else 190
    return Figure(
        drawing,
        f"{items}. The piece {name} {merged}",
        HEIGHT,
        narrow=(NARROW, round(down + below)),
        lit=f"p{opened}",
        slider=slider,
    )


def _sheets(line: Line) -> list[dict[str, float]]:
    """Return the edges of each sheet of the line, and how it is moved on a narrow screen."""
    last = line.tokens[-1]
    ends = [*line.sheets[1:], last.x + last.width + 1]
    return [
        {"left": left, "right": right, "width": right - left - 3, "move": 1 - left, "down": HEADER + SHEET * number}
        for number, (left, right) in enumerate(zip(line.sheets, ends, strict=True))
    ]


def opened_piece(found: Spans, choices: Choices) -> tuple[int, str]:
    """Return the opened piece and its number: the chosen one, or the longest of the line that is not too long."""
    page = found.page(choices.piece)
    in_line = overlapping(found.pieces, found.tokens[page.start, 0], found.tokens[page.stop - 1, 1])
    lengths = {n: int(found.pieces[n, 1] - found.pieces[n, 0]) for n in in_line}
    longest = max(lengths, key=lambda n: (lengths[n] <= MAX_PIECE_BYTES, lengths[n]))
    opened = longest if choices.opened < 0 else min(choices.opened, len(found.pieces) - 1)
    start, end = found.pieces[opened].tolist()
    return opened, found.text.encode()[start:end].decode()


def _in_words(made: Replay, merge: int, masked: bool) -> str:
    """Return the parts of a piece after some merges, and which pair is merged next."""
    parts, candidates = [token_text(box.token) for box in made.parts[merge]], made.candidates(merge)
    then = ""
    if candidates:
        rank, (pair, *_) = next(iter(candidates.items()))
        others = f"the lowest; {pluralize(len(candidates) - 1, 'other pair')} with a rank"
        if len(candidates) == 1:
            others = "the only pair with a rank"
        then = f" Next: {joined_text(pair)}, rank {rank}, {others}."
    elif not masked:
        then = " No pair of neighbors is a token, so these are its tokens." if parts[1:] else " It is one token."
    count = "? merges" if masked else pluralize(made.n_merges, "merge")
    return f"after {merge} of {count}: {' '.join(parts)}.{then}"
