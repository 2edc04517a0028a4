from itertools import permutations

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from tests.questions.references.learner import Learner


def rotated(vector, positions):
    """Return a complex query or key [d/2], rotated by this many positions."""
    rates = 10_000.0 ** -(torch.arange(len(vector)) / len(vector))
    return vector * torch.polar(torch.ones_like(rates), rates * positions)


class Reference(Learner):
    @property
    def n(self):
        """How many tokens the figure shows."""
        return min(9, len(self.ids) if not self.typed else self.n_positions if self.batch else 0)

    def _change(self, n, order, **options):
        x = torch.randn(n, 8, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
        before, after = (scaled_dot_product_attention(*[rows] * 3, **options) for rows in (x, x[order]))
        return before, after

    def order(self):
        words = self.choices.fruits.split()
        words = words if 3 <= len(words) == len({*words}) else ["apple", "pear", "plum", "fig", "cherry", "lemon"]
        seed, completion, example = self.seed, words[1], " ".join([*[*words[1:], *words][:3], "first"])
        tests = [(shown, asked) for shown in permutations(words, 3) for asked in (0, 2)]
        total, half, answers = len(tests), len(tests) / 2, {frozenset(shown): shown[0] for shown, _ in tests}
        third = sum(shown[asked] == answers[frozenset(shown)] for shown, asked in tests)  # one answer for each set
        half, answer, positions = int(half), f"about {third}", self.choices.head_positions
        return locals()

    def meaning(self):
        pairs = [pair.split() for pair in self.choices.pairs.split(",")]
        nouns = len(pairs) if all(len(pair) == 2 for pair in pairs) else 5
        seed, total, guess, half = self.seed, 27 * nouns, 27, 27 * nouns // 2
        noun, completion = pairs[0] if all(len(pair) == 2 for pair in pairs) else ("captain", "ship")
        example = f"the old {noun} misses the"
        return locals()

    def shuffle(self):
        n, order = self.n, [*range(1, self.n), 0]
        kind, causal = self.choices.attention_positions, self.choices.causal
        kind = "none" if kind == "added" and self.position == "none" else kind
        words = {"none": "no positions", "added": "positions added", "rotary": "rotary positions"}[kind]
        setting = f"{'a causal mask' if causal else 'no mask'}, {words}"
        before, after = self._change(n, order, is_causal=causal)
        free = kind == "none" and torch.allclose(before[order], after)
        answer = "no" if free else "yes, even if it is not moved"
        return locals()

    def scores(self):
        D, d = self.D, 64
        heads, by, root = len(range(0, D, d)), f"{d**0.5:.4g}", f"{D**0.5:.4g}"
        answer = by
        assert (by, root, heads) == ("8", "27.71", 12)
        return locals()

    def mask(self, first):
        n, second = max(4, self.n), first + 1
        order, last = [*range(first), second, first, *range(second + 1, n)], range(n)[-1]
        assert 0 < first < second < last
        before, after = self._change(n, order, is_causal=True)
        changed = (before - after).abs().amax(dim=1).gt(1e-9).nonzero().flatten().tolist()
        answer = "{} and {} only".format(*changed)
        return locals()

    def _score(self, of_query, of_key):
        q, k = torch.randn(2, 4, dtype=torch.complex128, generator=torch.Generator().manual_seed(4))
        return round(float((rotated(q, of_query) * rotated(k, of_key).conj()).sum().real), 5)

    def rotary(self, m, n, m_later):
        own, (offset, exchanged) = self._score(m, n), (f"{each:+d}".replace("-", "−") for each in (n - m, m - n))
        (n_later,) = [t for t in range(30) if self._score(m_later, t) == own]
        assert 0 <= min(m, n) <= max(m, n) < max(m_later, n_later)
        assert own not in (self._score(n, m), self._score(m_later, n))
        answer = f"query {m_later}, key {n_later}"
        return locals()

    def pairing(self):
        (_, neighbor, *_), (halves, *_, last) = torch.arange(max(4, min((self.D + 1) // 2 * 2, 64))).chunk(2)
        d, answer = last + 1, f"{halves}"
        return locals()

    def padding(self):
        n = max(3, self.n)
        x = nn.Embedding(n, 8, padding_idx=0).weight
        weights = (x @ x.T).softmax(dim=1)[1:, 0]
        answer = "more than 0" if (weights > 0).all() and not weights.isclose(torch.tensor(1 / n)).all() else ""
        return locals()
