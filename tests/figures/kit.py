"""The texts of what many figures have, a second way: rows of cells, axes, pagers, masks, and the learner's tokens."""

from collections import Counter
from itertools import chain
from math import prod

from components.figures.cells import number
from tests.figures.drawn import Text
from tests.questions.references.learner import Learner, tables
from tests.states import token_ids

MASK = ("?", "answer to see it")
TWENTY = str([[*range(10)], [*range(10, 20)]])  # IDs of two sequences


class Shown(Learner):
    """The learner of a page, with the IDs of its figure: their shape, their list (empty: no figure), their names."""

    def __init__(self, app, axes=2):
        super().__init__(app.state, token_ids(app.state))
        rows = self.batch
        self.shape = [len(rows), len(rows[0])][2 - axes :] if rows else []
        self.flat = [*chain(*rows)][: prod(self.shape)] if rows else []
        if not all(0 <= each < self.V for each in chain(*rows)):
            self.flat = []
        if self.typed:
            self.tokens = [str([*divmod(n, self.n_positions)][2 - axes :]) for n in range(len(self.flat))]
        else:
            names = dict(zip(self.ids, self.names, strict=True))
            self.tokens = [names[each] for each in self.flat]

    @property
    def token_table(self):
        return tables(self.V, self.D, self.seed, self.T)[0]

    @property
    def positions(self):
        """The position embeddings [T, D], or None."""
        return None if self.position == "none" else self.position_rows(self.T)


def tally(*texts, part="", column=""):
    """Return texts, with the part and the column that they belong to."""
    return Counter(Text(str(part), str(column), " ".join(str(text).split())) for text in texts)


def in_columns(row, shown):
    """Return the numbers of a row as an accessible name has them."""
    return ", ".join(f"{number(row[c].item())} in column {c}" for c in shown)


def cells(part, row, shown):
    return Counter(Text(str(part), str(c), number(row[c].item())) for c in shown)


def axis(shown):
    gap = tally("…") if len(shown) > 1 and shown[-1] - shown[-2] > 1 else Counter()
    return gap + Counter(Text("", str(c), str(c)) for c in shown)


def turns(*pagers):
    """Return what the buttons of some pagers set, and their texts; the doctests of `pager` have its formula."""
    chosen, texts = [], Counter()
    for each in filter(None, pagers):
        ways = {sign: to for sign, to in (("‹", each.before), ("›", each.after)) if to is not None}
        chosen += [{each.choice: to} for to in ways.values()]
        texts += tally(*ways, *filter(None, [each.text]))
    return chosen, texts
