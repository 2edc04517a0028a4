import torch
from torch import nn
from torch.nn import functional as F

from tests.questions.references.learner import Learner, counted, empty


class Reference(Learner):
    def multiplications(self):
        n, V, D = self.B * self.n_positions, self.V, self.D
        one_hot, ids = empty(n, V), counted(n, "ID")
        copied, product, single_row = (one_hot @ empty(V, D)).numel(), one_hot.numel() * D, V == 1
        pairs = {"both_multiply": (product, copied), "of_ids": (one_hot.numel(), n)}
        found = {name: f"{a:,} for both" if a == b else f"{a:,} and {b:,}" for name, (a, b) in pairs.items()}
        answer, takes, numbers = f"{product:,} and 0", counted(product, "multiplication"), counted(D, "number")
        return locals() | found

    def linear(self):
        n, V, D = self.B * self.n_positions, self.V, self.D
        weight = nn.Linear(V, D, bias=False, device="meta").weight
        answer, V_times_D = str([*weight.shape]), weight.numel()
        return locals() | {"size": counted(V_times_D, "number")}

    def gradient(self, ids):
        added = ids[-1] == ids[0] and len({*ids}) == len(ids) - 1
        self.require_sample(ids[:-1] if added else ids, min(7, len(ids) - added))
        n, n_different = len(ids), int((F.one_hot(torch.tensor(ids)).sum(dim=0) > 0).sum())
        n_plus_different, repeated = n + n_different, max(ids, key=ids.count)
        V, D, selected, answer = self.V, self.D, counted(n_different, "row"), f"{n_different:,}"
        return locals()

    def columns(self, ids):
        self.require_sample(ids, 7)
        n_columns, n_different, largest = F.one_hot(torch.tensor(ids)).shape[1], len({*ids}), sorted(ids)[-1]
        answer, n_columns_plus_1 = f"{n_columns:,}", n_columns + 1
        columns = f"columns 0 to {largest:,}" if largest else "column 0 alone"
        return locals()
