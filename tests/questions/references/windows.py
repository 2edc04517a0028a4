from tests.questions.references.learner import Learner, counted


def positions(found):
    first, *others = found
    return f"positions {first:,} to {others[-1]:,}" if others else f"position {first:,} alone"


class Reference(Learner):
    def count(self, n, whose):
        assert (n, whose) == (len(self.ids), "Your text") if len(self.ids) > self.T else whose == "A text"
        T, T_plus_1, starts = self.T, self.T + 1, range(0, n - self.T, self.stride)
        is_T, N, steps = self.stride == T, len(starts), len(starts[1:])
        N_blocks, n_minus_T = len(range(T, n + 1, T)), len(range(n)[T:])
        inputs, single = counted(T, "input"), T == 1
        N_without_targets, last_start, answer = len(range(0, n - T + 1, self.stride)), range(n - T)[-1], f"{N:,}"
        return locals()

    def tail(self, n):
        T, T_plus_1, starts = self.T, self.T + 1, range(0, n - self.T, self.stride)
        is_T, N, start, last = self.stride == T, len(starts), starts[-1], range(n)[-1]
        last_target = range(n)[start:][1 : T + 1][-1]
        unused, unused_plus_1 = len(range(n)[last_target + 1 :]), len(range(n)[last_target:])
        remainder, answer = n - n // T * T, f"{unused:,}"
        return locals()

    def stride_T(self):
        T, single, (first, second) = self.T, self.T == 1, (range(2 * self.T + 1)[start:] for start in (0, self.T))
        found = first[:T], first[1:][:T], second[:T], second[1:]
        first, first_targets, second, second_targets = map(positions, found)
        token = self.name(T) if len(self.ids) >= len(range(2 * T + 1)) else ""  # the second window and its targets
        return locals()

    def targets(self, n, k):
        T, T_plus_1, start = self.T, self.T + 1, range(0, n - self.T, self.stride)[1:][k - 1]
        found = inputs, shifted, following = [range(n + T)[start + more :][:T] for more in (0, 1, T)]
        input_ids, target_ids = ([self.ids[t] for t in each[:6] if len(self.ids) > start + T] for each in found[:2])
        window, targets, next_window, last_target = map(positions, (*found, shifted[-1:]))
        window_and_next, answer, single = positions([*inputs, shifted[-1]]), targets, T == 1
        return locals()
