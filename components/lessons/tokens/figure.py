"""The figure of the lesson on tokens: words, pieces and tokens of the text, and the merges of one opened piece."""

from components.base.text_format import pluralize
from components.figures.drawing import Figure, Slider, draw
from components.lessons.tokens.choices import MAX_PIECE_BYTES, Choices
from components.lessons.tokens.line import Line, make_line, shortened
from components.lessons.tokens.merges import Replay, replay
from components.lessons.tokens.spans import overlapping, shown_pieces, spans, token_text
from components.lessons.tokens.tree import make_tree
from components.ui.encoding import vocabulary

HEIGHT = 384


def tokens_figure(text: str, bpe: str, in_use: str, choices: Choices, masked: bool) -> Figure:
    """Return the figure of a text that is not empty; the tokens are masked until the learner has predicted them.

    `in_use` is the tokenizer whose IDs the other lessons look up, "" if IDs are typed.
    """
    found = spans(text, bpe)
    line = make_line(text, bpe, choices.piece, masked)
    opened, piece = opened_number(text, bpe, choices), opened_piece(text, bpe, choices)
    made = replay(piece)
    last = made.n_merges if made and not masked else 0
    merge = min(choices.merge, last)
    own = overlapping(found.tokens, *found.pieces[opened].tolist())
    tree = None if made is None else make_tree(made, merge, not masked, None if masked or bpe != "gpt2" else own.start)
    drawing = draw(
        "lessons/tokens/figure.svg.j2",
        line=line,
        tree=tree,
        bpe="GPT-2" if bpe == "gpt2" else bpe,
        in_use=in_use,
        uses_bpe=in_use == bpe,
        counts=(len(found.words), len(found.pieces), len(found.tokens)),
        n_words=vocabulary(text).n_vocab,
        opened=f"p{opened}",
        piece=shortened(piece.encode()),
        n_bytes=len(piece.encode()),
        max_bytes=MAX_PIECE_BYTES,
        merge=merge,
        n_merges="?" if masked else last,
        final=[(token_text(box.token), box.token_id) for box in made.parts(merge)] if made else [],
        masked=masked,
    )
    slider = Slider("merge", f"Merges of {shortened(piece.encode())}", merge, last)
    return Figure(drawing, _reading(line, piece, made, merge, masked), HEIGHT, lit=f"p{opened}", slider=slider)


def opened_number(text: str, bpe: str, choices: Choices) -> int:
    """Return the number of the opened piece: the chosen one, or the longest of the line that is not too long."""
    found = spans(text, bpe)
    if choices.opened >= 0:
        return min(choices.opened, len(found.pieces) - 1)
    lengths = {n: int(found.pieces[n, 1] - found.pieces[n, 0]) for n in shown_pieces(found, choices.piece)}
    return max(lengths, key=lambda n: (lengths[n] <= MAX_PIECE_BYTES, lengths[n]))


def opened_piece(text: str, bpe: str, choices: Choices) -> str:
    """Return the opened piece."""
    start, end = spans(text, bpe).pieces[opened_number(text, bpe, choices)].tolist()
    return text.encode()[start:end].decode()


def _reading(line: Line, piece: str, made: Replay | None, merge: int, masked: bool) -> str:
    """Return the figure in words, with the same numbers."""
    items = "; ".join(item.name for item in (*line.words, *line.pieces))
    opened = f"The piece {shortened(piece.encode())}"
    if made is None:
        return f"{items}. {opened} is too long for its merges."
    parts = " ".join(token_text(token) for token in made.steps[merge][0])
    then = "No pair of neighbors is a token, so these are its tokens."
    if candidates := made.candidates(merge):
        first = candidates[0]
        left, right = (token_text(token) for token in made.steps[merge][0][first.at : first.at + 2])
        others = len({each.rank for each in candidates}) - 1
        then = f"Next: {left} + {right}, rank {first.rank}, the lowest; {pluralize(others, 'other pair')}."
    count = "? merges" if masked else pluralize(made.n_merges, "merge")
    return f"{items}. {opened} after {merge} of {count}: {parts}. {then}"
