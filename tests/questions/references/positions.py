import math

import torch
from torch import nn

from tests.gpt2_server import tables as gpt2_tables
from tests.questions.references.learner import Learner, counted, sinusoidal, tables


def learned_rows(settings):
    """Return 128 learned rows; those that the table lacks are of a longer one."""
    V, T, D = settings.vocab_size, settings.context_length, settings.dim
    own, longer = (tables(V, D, settings.seed, length)[1] for length in (T, max(T, 128)))
    return torch.cat([own, longer[T:]])[:128].double()


class Reference(Learner):
    def trained_alike(self, a):
        b, c = a + 1, a + 50
        assert 5 <= a <= 9
        P = torch.from_numpy(gpt2_tables()["wpe.weight"])
        cosines = torch.cosine_similarity(P[[a]], P[[b, c]]).tolist()
        learned = cosines[0] > cosines[1] + 0.02
        similar, about = (
            "neither: they are about equally alike",
            "here the two that are nearer to each other are not more alike",
        )
        if learned:
            about = "the rows began as random numbers, and training made neighbors alike"
        near, far = (f"{cosine:z.3f}".replace("-", "−") for cosine in cosines)
        answer = f"{a} and {b}" if learned else f"{a} and {c}" if cosines[1] > cosines[0] + 0.02 else similar
        return locals()

    def alike(self):
        a, b, c = rows = 5, 6, 8
        learned = self.position == "learned"
        length = f"T = {self.T}" if self.T > 8 else "continued to 128 rows"  # a table that has the three rows
        found = learned_rows(self.settings)[[*rows]] if learned else sinusoidal(rows, self.D)
        assert self.position != "none"
        assert self.D > 1
        cosines = torch.cosine_similarity(found[:1], found[1:]).tolist()
        near, far = (f"{cosine:.3f}".replace("-", "−") for cosine in cosines)
        answer = "neither, except by chance" if learned else f"{a} and {b if cosines[0] > cosines[1] else c}"
        return locals()

    def shuffle(self, first, second):
        T, off = self.T, self.position == "none"
        assert 0 <= first < second < T
        assert self.V > 1  # two different tokens
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
        norm_uniform, n_pairs, answer = norm_learned / math.sqrt(3), len(range(0, D, 2)), f"{norm:.4f}"
        return locals()

    def past_T(self):
        T = 1_024 if self.settings.trained else self.T  # GPT-2's
        *_, last = range(len(nn.Embedding(T, 1).weight))
        T_plus_1, rows = last + 2, counted(T, "row")
        return locals()

    def layout(self):
        D, names = max(4, self.D), ["interleaved", "halves"]
        columns = {name: sinusoidal([1], D, name)[0].tolist().index(math.cos(1)) for name in names}
        layout, (other,) = self.settings.layout, {*names} - {self.settings.layout}
        column, other_column, interleaved = columns[layout], columns[other], layout == names[0]
        n_sines, last, answer = len(range(0, D, 2)), D - 1, f"{column:,}"
        return locals()
