"""What the page offers as files: named when it is rendered, made when it is downloaded."""

from collections.abc import Callable, Mapping, Sequence

from components.base.export import NamedArray
from components.ui.session import LearnerSession, current

Table = Sequence[Mapping[str, object]]


def register(make: Callable[[], Mapping[str, NamedArray | Table]]) -> None:
    """Register tensors and tables by name; `make` is kept until the next run and must not refer to large objects."""
    current().outputs.files.append(make)


def registered(learner: LearnerSession) -> dict[str, NamedArray | Table]:
    return {name: made for make in learner.outputs.files for name, made in make().items()}
