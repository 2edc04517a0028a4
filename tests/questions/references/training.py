from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, islice, pairwise

import torch
from torch import nn

from components.base.settings import Settings
from components.lessons.training.setup import training_config
from components.training.training_text import training_text
from tests.questions.references.learner import Learner, counted
from tests.training.trainings import torch_layers, torch_steps

OPTIMIZERS = {"sgd": "plain SGD", "momentum": "SGD with momentum", "adam": "Adam", "adamw": "AdamW with weight decay "}


@cache
def moved_rows(ids, settings, choices):
    """Return the rows that the first step of torch's own layers and optimizers moves, and the size of its batch."""
    text = training_text(ids, settings.context_length, settings.stride)
    config, _ = training_config(settings, text.vocab_size, choices)
    token = torch_layers(text.vocab_size, settings.context_length, config)[0]
    _, _, _, table = next(torch_steps(text, config))
    return {*(table != token.weight).any(dim=1).nonzero().flatten().tolist()}, config.batch_size


@cache
def changed_rows(position, choices):
    """Train until a row that was looked up before is not in the batch; return whether it and a spare row change."""
    text = training_text([5, 6, 7, 8, 9, 5, 6, 7], context_length=1, stride=1)
    settings = Settings(context_length=1, stride=1, batch_size=1, dim=4, position=position)
    factor = torch.ones(()).mul_(1 - choices.learning_rate * choices.weight_decay).item()  # of decay, in float32
    rate = 0.1 if factor else 1.0
    choices = replace(choices, learning_rate=rate, weight_decay=rate * (factor != 1))
    config = training_config(settings, text.vocab_size, choices)[0]
    earlier, before = set(), torch_layers(text.vocab_size, 1, config)[0].weight.detach()
    for batch, _, _, table in torch_steps(text, config):
        if seen := sorted(earlier - {0, *batch.flatten().tolist()}):
            changed = table.ne(before).any(dim=1)
            return bool(changed[seen].all()), bool(changed[-1])
        earlier, before = earlier | {*batch.flatten().tolist()}, table.clone()


class Reference(Learner):
    def _words(self, choices):
        decay = f"{choices.weight_decay:g}" if choices.optimizer == "adamw" else ""
        optimizer, tied = OPTIMIZERS[choices.optimizer] + decay, choices.tied
        weights, output = ("tied weights", "tied to the table") if tied else ("weights not tied", "a layer of its own")
        factor = torch.ones(()).mul_(1 - choices.learning_rate * float(decay or 0))
        decays = "shrinks" if factor.abs() < 1 else "changes"
        return {"optimizer": optimizer, "tied": tied, "weights": weights, "output": output, "decays": decays}

    def _first_step(self, choices):
        """Return the facts on the first step: each token of the text has a row from 1 on, and 3 more are never used."""
        ids, T = self.ids, self.T
        row_of = {token_id: row for row, token_id in enumerate(sorted({*ids}), 1)}
        rows, V = [*map(row_of.get, ids)] + [0] * (T + 1), len(row_of) + 4
        n_full = len([start for start in range(0, len(ids), self.stride) if start + T < len(ids)])
        starts = range(0, len(ids) - 1, self.stride)[: n_full + 1]  # the last of them may be padded
        moved, B = moved_rows((*ids,), self.settings, choices)
        order = torch.randperm(len(starts), generator=torch.Generator().manual_seed(self.seed))[:B].tolist()
        positions = [starts[window] + t for window in order for t in range(T)]
        inputs, targets = ({rows[position + more] for position in positions} for more in (0, 1))
        pad, every = {0} if choices.padding_idx else set(), {*range(V)}
        few = moved == inputs - pad
        sets = {"looked_up": (inputs - pad, "looked up"), "with_targets": ((inputs | targets) - pad, "targets too")}
        sets |= {"used": ({*row_of.values()}, "the whole text"), "but_pad": (every - {0}, "all but <pad>")}
        sets |= {"every": (every, "every row"), "answer": (moved, "")}
        words = {len(found): words for found, words in reversed(sets.values())}  # of one size, the first are asked
        words[len(moved)] = next(words for found, words in sets.values() if found == moved)
        texts = {name: f"{len(found):,}: {words[len(found)]}" for name, (found, _) in sets.items()}
        names = [self.name(n).split(" (ID")[0] if n < len(ids) else "<pad>" for n in positions[:8]]
        tokens, none = ", ".join(names) + " …" * (len(positions) > 8), "0: no row"
        return locals() | texts | self._words(choices)

    def meet(self):
        row_of = {token_id: row for row, token_id in enumerate(sorted({*self.ids}), 1)}
        name_of = {row: self.name(self.ids.index(each)).split(" (ID")[0] for each, row in row_of.items()}
        rows, steps = [row_of[each] for each in self.ids], 200
        text = training_text(self.ids, self.T, self.stride)
        config, _ = training_config(self.settings, text.vocab_size, self.choices)
        *_, table = next(islice(torch_steps(text, config), steps - 1, None))
        unit = nn.functional.normalize(table.detach(), dim=1)
        frequent = sorted(sorted({*rows}, key=lambda row: (-rows.count(row), row))[:20])
        alike = {(a, b): float(unit[a] @ unit[b]) for a, b in combinations(frequent, 2)}
        best = max(alike, key=alike.get)
        next_of = {row: Counter(b for a, b in pairwise(rows) if a == row) for row in frequent}
        shares = [min(next_of[n][row] / max(1, next_of[n].total()) for n in best) for row in range(len(row_of) + 1)]
        assert max(shares) > 0
        assert all(alike[pair] <= alike[best] - 0.01 for pair in alike if pair != best)
        others = [pair for pair in alike if pair != best and text.common_follower(*pair) is None]
        texts = {"pair": best, "beside": next(p for p in map(tuple, map(sorted, pairwise(rows))) if p in others)}
        texts["least"] = min(others, key=alike.get)
        before = {row: {a for a, b in pairwise(rows) if b == row} for row in frequent}
        texts["same_before"] = next((p for p in others if before[p[0]] & before[p[1]]), best)
        found = {name: " and ".join(name_of[row] for row in pair) for name, pair in texts.items()}
        found |= {f"{name}_cosine": alike[pair] for name, pair in texts.items()} | {"cosine": alike[best]}
        follows, answer = name_of[shares.index(max(shares))], found["pair"]
        return found | {"steps": steps, "answer": answer, "follows": follows}

    def moves(self):
        return self._first_step(self.choices)

    def updates(self, seen):
        assert seen in ([self.name(n) for n in range(len(self.ids))] or ["a token"])
        first, second = changed_rows(self.position, self.choices)
        looked_up, remembered, every = not first, first and not second, first and second
        answer = "neither" if looked_up else "the first alone" if remembered else "both"
        return locals() | self._words(self.choices)

    def padding(self):
        (pad,) = nn.Embedding(3, 2, padding_idx=0).weight.eq(0).all(dim=1).nonzero().flatten().tolist()
        is_set, tied = self.choices.padding_idx, self.choices.tied
        answer = f"it gives row {pad} no gradient in lookups"
        return locals()

    def parameters(self):
        V, T, tied, learned = len({*self.ids}) + 4, self.T, self.choices.tied, self.position == "learned"
        D = min(self.D, 64, 2**17 // V)
        table, window = (nn.Embedding(n, D, device="meta").weight.numel() for n in (V, T))
        others = 0 if tied else nn.Linear(D, V, bias=False, device="meta").weight.numel()
        n, n_without_table, n_window = sum((table, others, window * learned)), others + window * learned, window
        n_table_twice, n_other_positions = 2 * table + n_without_table, table + others + window * (not learned)
        positions = f"{self.position} positions [{T:,}, {D}]" if self.position != "none" else "no positions"
        fixed = " Sinusoidal positions are computed, not trained." if self.position == "sinusoidal" else ""
        output = "the same table as its output layer" if tied else f"an output layer [{D}, {V:,}] without bias"
        answer, rows, single = f"{n:,}", counted(T, "row"), T == 1
        return locals()
