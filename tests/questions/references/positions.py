import math

import torch
from torch import nn

from tests.questions.references.learner import Learner, counted, sinusoidal, tables


class Reference(Learner):
    def alike(self):
        a, b, c = rows = 5, 6, 8
        learned, prompt = self.position == "learned", [self.D, a, b, a, c]
        found = sinusoidal(rows, self.D)
        if learned:  # rows that the table lacks are those of a longer one
            own, longer = (tables(self.V, length, self.D, self.seed)[1] for length in (self.T, max(self.T, 128)))
            found = torch.stack([own[row] if row < self.T else longer[row] for row in rows]).double()
        assert self.position != "none"
        assert self.D > 1
        cosines = torch.cosine_similarity(found[:1], found[1:]).tolist()
        near, far = (f"{cosine:.3f}" for cosine in cosines)
        answer = "neither, but for chance" if learned else f"{a} and {b if cosines[0] > cosines[1] else c}"
        return locals()

    def shuffle(self, first, second):
        T, off, prompt = self.T, self.position == "none", [first, second, self.T]
        assert 0 <= first < second < T
        token, order = torch.randn(T, 3, dtype=torch.float64), [*range(T)]
        order[first], order[second] = second, first
        rows = 0 * token if off else sinusoidal(range(T), 3)
        before, after = ({tuple(row) for row in (each + rows).tolist()} for each in (token, token[order]))
        answers = {0: "the same vectors, in another order", 2: "two new vectors; all others are the same"}
        answer = answers[len(after - before)]
        return locals()

    def norm(self):
        D = (self.D + 1) // 2 * 2
        norm, norm_learned = sinusoidal([2], D).norm().item(), torch.ones(D).double().norm().item()
        norm_uniform, n_pairs, answer, prompt = norm_learned / math.sqrt(3), len(range(0, D, 2)), f"{norm:.4f}", [D]
        return locals()

    def past_T(self):
        T = self.T
        *_, last = range(len(nn.Embedding(T, 1).weight))
        T_plus_1, rows, prompt = last + 2, counted(T, "row"), [T, T + 1, T]
        return locals()

    def layout(self):
        D, names = max(4, self.D), ["interleaved", "halves"]
        columns = {name: sinusoidal([1], D, name)[0].tolist().index(math.cos(1)) for name in names}
        layout, (other,) = self.settings.layout, {*names} - {self.settings.layout}
        column, other_column, interleaved = columns[layout], columns[other], layout == names[0]
        n_sines, last, answer = len(range(0, D, 2)), D - 1, f"{column:,}"
        return locals()
