"""The choices of the lesson on errors, as they travel in a link."""

from dataclasses import dataclass
from typing import Any

from components.base.field_types import BooleanField, ChoiceField, IntegerField, check_all
from components.base.link import State
from components.base.settings import setting_field
from components.failures.catalogue import FAILURES
from components.failures.experiment import Experiment


def experiment_parameter(experiment: str, name: str) -> Any:
    """Return the dataclass field for a parameter of an experiment, with its field type and default."""
    parameter = FAILURES[experiment].parameters[name]
    return setting_field(parameter.default, parameter.field_type)


@dataclass(frozen=True)
class Choices:
    """What the learner chooses here; indices start at 0 and are clamped to the valid range when rendered."""

    experiment: str = setting_field("id_equals_v", ChoiceField("experiment", tuple(FAILURES)))
    ran: bool = setting_field(False, BooleanField("ran"))
    lab_V: int = experiment_parameter("own", "V")
    lab_D: int = experiment_parameter("own", "D")
    lab_T: int = experiment_parameter("own", "T")
    lab_ids: str = experiment_parameter("own", "ids")
    lab_dtype: str = experiment_parameter("own", "dtype")
    lab_B: int = experiment_parameter("cannot_broadcast", "B")
    lab_far: int = experiment_parameter("id_far_above", "far")
    lab_back: int = experiment_parameter("negative_id", "back")
    lab_wrong_dtype: str = experiment_parameter("float_ids", "wrong_dtype")
    lab_extra: int = experiment_parameter("past_position_table", "extra")
    lab_width: int = experiment_parameter("dim_mismatch", "width")
    lab_beyond: int = experiment_parameter("padding_idx_outside", "beyond")
    lab_word: str = experiment_parameter("unknown_word", "word")
    lab_key: str = experiment_parameter("unknown_vector", "key")
    lab_text: str = experiment_parameter("special_token", "text")
    lab_token_id: int = experiment_parameter("undecodable_id", "token_id")
    lab_character: str = experiment_parameter("half_character", "character")

    def __post_init__(self) -> None:
        check_all(self)


FIRST_SIZES = {name: getattr(Choices(), name) for name in ("lab_V", "lab_D", "lab_T", "lab_B")}


def clamped(experiment: Experiment, state: State) -> dict[str, Any]:
    """Return the parameters of an experiment that the learner has chosen, clamped to its limits."""
    found = {}
    for name, parameter in experiment.parameters.items():
        value, limits = getattr(state.choices, f"lab_{name}", None), parameter.field_type
        if name == "seed":
            value = state.settings.seed
        elif isinstance(limits, IntegerField):
            value = min(max(value, limits.low), limits.high)
        found[name] = value
    return found
