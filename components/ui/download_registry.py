"""What the page offers as files: named when it is rendered, made when it is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from components.ui.session import LearnerSession, current

if TYPE_CHECKING:  # Home is rendered before torch and altair have been imported
    from components.base.export import NamedArray
    from components.charts.plot import Plot

Table = Sequence[Mapping[str, object]]
Offer = Callable[[], Mapping[str, "NamedArray | Table"]]


def register(make: Offer) -> None:
    """Register tensors and tables by name; `make` is kept until the next run and must not refer to large objects."""
    current().outputs.files.append(make)


def register_chart(plot: Plot, reading: str) -> None:
    current().outputs.charts.append((reading, plot))


def registered(learner: LearnerSession) -> dict[str, NamedArray | Table]:
    """Return all registered tensors and tables, by name."""
    return {name: made for make in learner.outputs.files for name, made in make().items()}
