from itertools import chain

import torch
from torch import nn

from tests.questions.references.learner import Learner, counted


class Reference(Learner):
    def __init__(self, state, ids):
        super().__init__(state, ids)
        if not self.typed:  # all tokens can be followed, whatever the batch is
            self.batch = [ids[n : n + self.T] for n in range(0, len(ids), self.T)]
        if not all(0 <= each < self.V for each in chain(*self.batch)):
            self.batch = []  # the page shows an error

    def _name(self, token_id):
        known = not self.typed and token_id in self.ids
        return self.name(self.ids.index(token_id)) if known else f"ID {token_id}"

    def same_id(self, first, second, first_sequence, second_sequence):
        id, other = (self.batch[n][t] for n, t in ((first_sequence, first), (second_sequence, second)))
        assert id == other
        assert (first_sequence, first) < (second_sequence, second)
        assert self.position != "none"
        name, same, apart = self._name(id), first == second, first_sequence != second_sequence
        answer = "both" if same else "its token embeddings"
        return locals()

    def numbers(self):
        V, D, (B, T) = self.V, self.D, (self.B, self.n_positions)
        batch = torch.zeros(B, T, dtype=torch.int64, device="meta")
        table = nn.Embedding(V, D, device="meta")
        x, n, n_table = table(batch), batch.numel(), table.weight.numel()
        n_numbers, n_bytes, per_number = x.numel(), x.nbytes, x.itemsize
        n_appended, off = torch.cat([x, x], 2).numel(), self.position == "none"
        answer = f"{n_numbers:,}"
        tokens, ids, numbers = counted(n, "token"), counted(n, "ID"), counted(D, "number")
        return locals()

    def context(self, position, name):
        if not self.batch and name.startswith("ID "):
            self.require_sample([int(name[3:])], 1)
            assert position == 0
        else:
            assert name in {self._name(row[position]) for row in self.batch if len(row) > position}
        single, off = sum(map(len, self.batch)) == 1, self.position == "none"
        return locals()
