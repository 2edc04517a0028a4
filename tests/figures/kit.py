"""The texts of what many figures have, a second way: rows of cells, axes, pagers, masks, and the learner's tokens."""

from collections import Counter
from itertools import chain
from math import prod
from typing import NamedTuple

from components.figures.cells import number
from tests.figures.drawn import Text
from tests.questions.references.learner import Learner, tables
from tests.states import token_ids

MASK = ("?", "answer to see it")


class Shown(Learner):
    """The learner of a page, with the IDs of its figure: their shape, their list (empty: no figure), their names."""

    def __init__(self, app, axes=2):
        super().__init__(app.state, token_ids(app.state))
        rows = self.rows
        self.shape = [len(rows), len(rows[0])][2 - axes :] if rows else []
        self.flat = [*chain(*rows)][: prod(self.shape)] if rows else []
        if not all(0 <= each < self.V for row in rows for each in row):
            self.flat = []
        if self.typed:
            self.tokens = [
                str([n // self.n_positions, n % self.n_positions][2 - axes :]) for n in range(len(self.flat))
            ]
        else:
            names = dict(zip(self.ids, self.names, strict=True))
            self.tokens = [names[each] for each in self.flat]

    @property
    def rows(self):
        """The sequences in the figure."""
        return self.batch

    @property
    def token_table(self):
        return tables(self.V, self.D, self.seed, self.T)[0]

    @property
    def positions(self):
        """The position embeddings [T, D], or None."""
        return None if self.position == "none" else self.position_rows(self.T)


class Found(Counter):
    """The texts of a figure, added part by part."""

    def add(self, *texts, part="", column=""):
        self.update(Text(part, str(column), " ".join(str(text).split())) for text in texts)


def plain(*words):
    """Return texts that belong to no part."""
    return Counter(Text("", "", str(word)) for word in words)


def of_part(part, *words):
    return Counter(Text(str(part), "", str(word)) for word in words)


def shown_of(D, first, most):
    """Return the columns of the page with column `first`, or all: `most`, the last among them."""
    begin = max(0, min(first // (most - 1) * (most - 1), D - most))
    return sorted({*range(begin, min(D, begin + most) - 1), D - 1})


def in_columns(row, shown):
    """Return the numbers of a row as an accessible name has them."""
    return ", ".join(f"{number(row[c].item())} in column {c}" for c in shown)


def cells(part, row, shown):
    """Return the texts of a row of cells."""
    return Counter(Text(str(part), str(c), number(row[c].item())) for c in shown)


def axis(shown):
    gap = plain("…") if len(shown) > 1 and shown[-1] - shown[-2] > 1 else Counter()
    return gap + Counter(Text("", str(c), str(c)) for c in shown)


def page_of(count, at, most):
    """Return the indices of the page with index `at`, all pages but the last one full."""
    first = [each for each in range(0, count, most) if each <= at][-1]
    return range(max(0, min(first, count - most)), min(first + most, count))


class Pages(NamedTuple):
    """The buttons for what is not shown: the choice, its value for each (None: no button), and the text between."""

    choice: str
    before: int | None
    after: int | None
    between: str = ""

    def chosen(self):
        return [{self.choice: value} for value in (self.before, self.after) if value is not None]

    def texts(self):
        signs = [sign for sign, value in zip("‹›", (self.before, self.after), strict=True) if value is not None]
        return plain(*signs, *[self.between] * bool(signs and self.between))


def pages_of(choice, page, count, between=""):
    """Return the buttons that turn from a page to those before and after it."""
    return Pages(choice, page.start - 1 if page.start else None, page.stop if page.stop < count else None, between)
