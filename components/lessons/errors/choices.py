from dataclasses import dataclass, make_dataclass
from typing import Any

from components.base.field_types import CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.link import State
from components.failures.catalogue import FAILURES
from components.failures.experiment import Experiment

# Of a parameter that several experiments have, that of the last one counts: "Your own IDs" has the widest ranges.
PARAMETERS = {name: each for experiment in FAILURES.values() for name, each in experiment.parameters.items()}
Parameters = make_dataclass(
    "Parameters",
    [
        (f"lab_{name}", type(each.default), setting_field(each.default, each.field_type))
        for name, each in PARAMETERS.items()
        if name != "seed"
    ],
    bases=(CheckedFields,),
    frozen=True,
)


@dataclass(frozen=True)
class Choices(Parameters):
    experiment: str = setting_field("id_equals_v", ChoiceField("experiment", tuple(FAILURES)))


FIRST_SIZES = {name: getattr(Choices(), name) for name in ("lab_V", "lab_D", "lab_T", "lab_B")}


def clamped(experiment: Experiment, state: State) -> dict[str, Any]:
    """Return the parameters of an experiment that the learner has chosen, clamped to its limits."""
    found = {}
    for name, parameter in experiment.parameters.items():
        value = state.settings.seed if name == "seed" else getattr(state.choices, f"lab_{name}")
        limits = parameter.field_type
        if isinstance(limits, IntegerField):
            value = min(max(value, limits.low), limits.high)
        found[name] = value
    return found
