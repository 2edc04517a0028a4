import math

import torch

from tests.questions.references.learner import Learner, counted, empty, sinusoidal, tables


class Reference(Learner):
    def shape(self):
        B, T, D, off = self.B, self.n_positions, self.D, self.position == "none"
        token = empty(B, T, D)
        answer = str([*(token + empty(T, D)).shape])
        D_twice, T_twice = (torch.cat([token, token], axis).shape[axis] for axis in (2, 1))
        return locals()

    def same_block(self):
        assert self.position != "none"
        assert self.V > 1  # sequences with no token in common
        T = self.n_positions
        return {"T": T, "tokens": counted(T, "token")}

    def element(self, id, t):
        d, T, D = min(self.choices.d, self.D - 1), self.T, self.D
        self.require_sample([id], 1)
        assert t == self.choices.t or t < min(self.choices.t, T)
        W, P = tables(self.V, D, self.seed, T)
        P = P if self.position == "learned" else sinusoidal(range(T), D, self.settings.layout)
        W, P, scaled, root = W[id, d].item(), P[t, d].item(), self.settings.scale, math.sqrt(D)
        root = root if scaled else 1.0
        numbers = {"W": W, "P": P, "out": W * root + P, "token": W * root, "product": W * root * P}
        numbers |= {"mean": (W * root + P) / 2, "divided": W / root + P}
        texts = {name: f"{value:.4f}".replace("-0.0000", "0.0000").replace("-", "−") for name, value in numbers.items()}
        added = texts["P"] if texts["P"][0].isdigit() else f"({texts['P']})"
        return locals() | texts | {"answer": texts["out"]}

    def ratio(self):
        D, learned = max(4, (self.D + 1) // 2 * 2), self.position == "learned"
        std, position_std = {"1": (1, 1), "D^-0.5": (D**-0.5,) * 2, "0.02": (0.02, 0.01)}[self.choices.init_std]
        as_gpt2, root = learned and std == 0.02, D**0.5
        token, position = ((torch.ones(D).double() * each).norm().item() for each in (std, position_std))
        position = position if learned else sinusoidal([3], D).norm().item()
        numbers = {"ratio": root * token / position, "without": token / position, "times_D": D * token / position}
        numbers |= {"divided": token / root / position, "token_norm": root * token, "position_norm": position}
        texts = {name: f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for name, value in numbers.items()}
        for name, own in (("token", std), ("position", position_std)):
            texts[f"{name}_normal"] = {1: "N(0, 1)"}.get(own, f"N(0, 1) times {own:.4g}")
        return locals() | texts | {"answer": texts["ratio"]}

    def scale(self):
        return {"root": self.D**0.5}

    def cosine(self):
        D, position = max(64, self.D), "learned" if self.position == "learned" else "sinusoidal"
        ratio = 1.0 if position == "learned" else math.sqrt(2)  # of vectors at right angles
        token, combined = torch.tensor([[ratio, 0], [ratio, 1]]).double()
        cosine = torch.cosine_similarity(token, combined, dim=0).item()
        share = (token / combined.sum())[0].item()
        answer = f"{cosine:.2f}"
        return locals()
