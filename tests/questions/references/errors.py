import pytest
import torch
from torch import nn

from components.failures.catalogue import FAILURES, run_failure
from tests.questions.references.learner import Learner, counted, empty


def n_out_of_range(ids, n_rows):
    return len([each for each in ids if each not in range(n_rows)])


def parameters(choices, seed):
    """Return the chosen values of the experiment's parameters, within the limits of each."""
    found = {}
    for name, parameter in FAILURES[choices.experiment].parameters.items():
        value, limits = getattr(choices, f"lab_{name}", seed), parameter.field_type
        found[name] = sorted((limits.low, value, limits.high))[1] if hasattr(limits, "low") else value
    return found


class Reference(Learner):
    def outcome(self):
        experiment, values = FAILURES[self.choices.experiment], parameters(self.choices, self.seed)
        found, title = run_failure(experiment.name, **values), experiment.title
        exception, failed = found.run.exception, found.run.failed
        label_of = {name: parameter.field_type.label for name, parameter in experiment.parameters.items()}
        written = {name: f"{value:,}" if isinstance(value, int) else f"{value}" for name, value in values.items()}
        shown = {label_of[name]: each.split() for name, each in written.items() if name != "seed"}
        sizes = ", ".join(f"{label} = {' '.join(words) or '[ ]'}" for label, words in shown.items())
        answer = raised = exception or "none: nothing is raised"
        silent, assumption = not exception, found.assumption[:-1]
        known_word = silent and self.choices.experiment in ("unknown_word", "unknown_vector")
        cause = f" {found.invalid_values[0]}." if found.invalid_values else f" {found.explanation}"
        return {"V": 0, "D": 0} | locals() | values  # 0 if it is no parameter, but in the title

    def no_row(self, ids):
        V, found = max(2, self.choices.lab_V), [*map(int, ids.replace("−", "-").split(", "))]
        n, last, beyond = n_out_of_range(found, V), range(V)[-1], [each for each in found if each > V]
        n_plus_1, n_without_equal = (n_out_of_range(found, n_rows) for n_rows in (V - 1, V + 1))
        n_equal, n_negative, n_above = found.count(V), len([each for each in found if each < 0]), len(beyond)
        n_without_negative = n - len([[*range(V)][each] for each in found if each < 0])
        answer = f"{n}"
        return locals()

    def which_table(self):
        T = self.choices.lab_T or 1
        last, rows, T_plus_1 = T - 1, counted(T, "row"), T + 1
        with pytest.raises(IndexError) as raised:
            nn.Embedding(T, 1)(torch.arange(T_plus_1))
        exception, message = raised.typename, str(raised.value)
        return locals()

    def silent(self):
        T, D = sorted((2, self.choices.lab_T, 8))[1], sorted((1, self.choices.lab_D, 16))[1]
        assert (empty(T, T, D) + empty(T, D).unsqueeze(1)).shape == (T, T, D)
        return locals()
