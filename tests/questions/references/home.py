import torch
from torch import nn

from tests.questions.references.learner import Learner


class Reference(Learner):
    @property
    def _sequences(self):
        """The batch, or the first tokens of a text that is too short for one; empty without IDs."""
        return self.batch or ([self.ids[: self.T]] if self.ids and not self.typed else [])

    def _name(self, token_id):
        known = not self.typed and token_id in self.ids
        return self.name(self.ids.index(token_id)) if known else f"ID {token_id}"

    def same_id(self, first, second, first_sequence, second_sequence):
        id, other = (self._sequences[n][t] for n, t in ((first_sequence, first), (second_sequence, second)))
        assert id == other
        assert (first_sequence, first) < (second_sequence, second)
        assert self.position != "none"
        name, same, apart = self._name(id), first == second, first_sequence != second_sequence
        answer = "both" if same else "its token embeddings"
        return locals()

    def numbers(self):
        V, D, (B, T) = self.V, self.D, (self.B, self.n_positions)
        if self._sequences:
            B, T = len(self._sequences), len(self._sequences[0])
        ids, prompt = torch.zeros(B, T, dtype=torch.int64, device="meta"), [B, T, V, D]
        table = nn.Embedding(V, D, device="meta")
        x, n, n_table = table(ids), ids.numel(), table.weight.numel()
        n_numbers, n_bytes, per_number, n_appended = x.numel(), x.nbytes, x.itemsize, torch.cat([x, x], 2).numel()
        answer = f"{n_numbers:,}"
        return locals()

    def context(self, position, name):
        if not self._sequences and name.startswith("ID "):
            self.require_sample([int(name[3:])], 1)
            assert position == 0
        else:
            assert name in {self._name(row[position]) for row in self._sequences or [[each] for each in self.ids]}
        return locals()
