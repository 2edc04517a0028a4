import math
from functools import cache

import torch
from torch import nn

from components.base.learner_text import visible
from components.text.token_ids import parse_ids
from tests.gpt2_server import tables as gpt2_tables
from tests.questions.references.learner import GPT2, Learner, counted, empty


@cache
def cosines_of_bank() -> torch.Tensor:
    table = torch.from_numpy(gpt2_tables()["wte.weight"])
    return torch.cosine_similarity(table[3331], table, dim=1)


class Reference(Learner):
    @property
    def axes(self):
        """The shape of the IDs that the page looks up."""
        return (self.B, self.n_positions)[{"batch": 0, "sequence": 1, "single": 2}[self.choices.input] :]

    def shape(self):
        axes = self.axes
        ids = torch.zeros(axes, dtype=torch.int64, device="meta")
        result, shape = [*nn.Embedding(self.V, self.D, device="meta")(ids).shape], [*axes]
        with_V, with_T, with_1 = [*shape, self.V], [*shape, self.T], [1, *result]
        answer, numbers = str(result), counted(self.D, "number")
        return locals()

    def rows(self, n):
        V, D = empty(self.V, self.D).shape
        assert n == math.prod(self.axes)
        tokens, V_plus_n, V_minus_n = counted(n, "token"), V + n, V - n if n < V else 0
        answer = f"{V:,}"
        return locals()

    def same_row(self, id, first, second):
        occurs = any(0 <= each < self.V and self.own.count(each) > 1 for each in {*self.own})
        if occurs:
            assert self.own[first] == self.own[second] == id
            assert 0 <= first < second
        else:
            assert (first, second) == (0, 1)
            self.require_sample([id], 1)
        name = f"The token {self.name(first)}" if occurs and not self.typed else f"ID {id}"
        whole = "your IDs" if self.typed else "your text"
        if self.typed and occurs and len(parse_ids(self.settings.ids)) > 1:
            whole = "your IDs, one sequence after another"
        answer, trained = f"row {id} at both positions, exactly equal", self.settings.trained
        return locals()

    def longer(self, id):
        used = self.batch or [self.own[: self.T]]
        assert any(id in sequence for sequence in used)
        name, D, root = f"“{visible(GPT2[id])}”", self.D, float(torch.ones(self.D).norm())
        norm = float(torch.from_numpy(gpt2_tables()["wte.weight"][id]).norm())
        longer, shorter, similar = norm > 1.1 * root, root > 1.1 * norm, "neither: the norms are about the same"
        answer = "the trained row" if longer else "the random row" if shorter else similar
        return locals()

    def nearest(self):
        assert self.settings.trained
        names = [f"“{visible(GPT2[id])}”" for id in (3331, 7850, 1637, 17796)]
        assert names == ["“␣bank”", "“␣river”", "“␣money”", "“bank”"]
        bank, river, money, no_space = names
        cosines = cosines_of_bank()
        best = cosines.argsort(descending=True)[1]
        found = (f"{cosines[id]:z.3f}".replace("-", "−") for id in (best, 7850, 1637, 17796))
        cosine, river_cosine, money_cosine, no_space_cosine = found
        answer = nearest = f"“{visible(GPT2[best])}”"
        return locals()

    def memory(self):
        n, table = math.prod(self.axes), nn.Embedding(self.V, self.D, device="meta").weight
        ids, n_bytes, n_numbers, per_number = counted(n, "ID"), table.nbytes, table.numel(), table.itemsize
        numbers = counted(n_numbers, "number")
        single, n_rows = n_numbers == 1, len({*range(n)} & {*range(self.V)})  # most rows that n IDs can select
        n_bytes_used, n_bytes_float64 = empty(n_rows, self.D).nbytes, table.double().nbytes
        answer = f"{n_bytes:,}"
        return locals()
