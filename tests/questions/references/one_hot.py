import torch
from torch import nn
from torch.nn import functional as F

from tests.questions.references.learner import Learner, counted, empty


class Reference(Learner):
    def multiplications(self):
        N, V, D = self.B * self.n_positions, self.V, self.D
        one_hot, ids, prompt = empty(N, V), counted(N, "ID"), [N, V, D]
        copied, N_times_V, product = (one_hot @ empty(V, D)).numel(), one_hot.numel(), one_hot.numel() * D
        answer = f"{product:,} and 0"
        wrong = f"{product} for both", f"{copied} and 0", f"{product} and {copied}", f"{N_times_V} and {N}"
        said = [N, V, D, product, copied, copied, D]
        return locals()

    def linear(self):
        N, V, D = self.B * self.n_positions, self.V, self.D
        weight, prompt = nn.Linear(V, D, bias=False, device="meta").weight, [V, D, N, V, N, D]
        answer, V_times_D = str([*weight.shape]), weight.numel()
        wrong = [V, D], [N, V], [V_times_D], [1, V, D]
        said = [D, V, V, D, V_times_D, D, V]
        return locals()

    def gradient(self, ids):
        added = ids[-1] == ids[0] and len({*ids}) == len(ids) - 1
        self.require_sample(ids[:-1] if added else ids, min(7, len(ids) - added))
        n, n_different, prompt = len(ids), int((F.one_hot(torch.tensor(ids)).sum(dim=0) > 0).sum()), [self.V, *ids, 0]
        n_others, n_plus_different, repeated = self.V - n_different, n + n_different, max(ids, key=ids.count)
        V_rows, selected, answer = counted(self.V, "row"), counted(n_different, "row"), f"{n_different:,}"
        wrong = self.V, n, 0, n_plus_different
        said = [selected, n_others, n, repeated]
        return locals()

    def columns(self, ids):
        self.require_sample(ids, 7)
        n_columns, n_different, largest = F.one_hot(torch.tensor(ids)).shape[1], len({*ids}), sorted(ids)[-1]
        answer, prompt, n_columns_plus_1 = f"{n_columns:,}", [self.V, self.D, *ids], n_columns + 1
        wrong = self.V, largest, n_different, n_columns_plus_1
        said = [largest, largest, self.V, largest, largest]
        return locals()
