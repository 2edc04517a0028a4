from functools import cache

import torch

from tests.questions.references.learner import Learner, empty


@cache
def sampled(sizes, seed):
    """Return the last of tables that are sampled one after the other."""
    stream = torch.Generator().manual_seed(seed)
    return [torch.randn(size, generator=stream) for size in sizes][-1]


@cache
def first_row(n_rows, D, seed):
    return torch.randn(n_rows, D, generator=torch.Generator().manual_seed(seed))[0]


class Reference(Learner):
    def needed(self):
        answer = f"the seed {self.seed}, both sizes, and that W is sampled before P"
        return locals()

    def sampled_before(self):
        W, P = empty(self.V, self.D), empty(self.T, self.D)
        before, after, answer = W.numel(), torch.cat([W, P]).numel(), f"{W.numel():,}"
        if before < 10**6:
            assert sampled((before, 16), self.seed).equal(sampled((before + 16,), self.seed)[-16:])
        return locals()

    def first_row(self):
        V_plus_1 = len(empty(self.V, 1)) + 1
        same = first_row(self.V, self.D, self.seed).equal(first_row(V_plus_1, self.D, self.seed))
        block = next(n for n in range(2, 99) if not first_row(n, 1, 0).equal(first_row(1, 1, 0)))
        answer = "row 0 stays exactly the same" if same else "numbers of row 0 change"
        return locals()
