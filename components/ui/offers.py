"""What the page just drawn can hand out as files: named when it is drawn, made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from components.ui.learner import session

if TYPE_CHECKING:  # Home paints before torch and altair have come
    from components.charts.plot import Plot
    from components.core.tensors import Named

Table = Sequence[Mapping[str, object]]
Offer = Callable[[], Mapping[str, "Named | Table"]]


def begin_offers() -> None:
    """Forget what the page before offered."""
    session.offers, session.charts = [], []


def offer(make: Offer) -> None:
    """Offer tensors and tables by name; `make` must hold on to nothing large, for it is kept until the next run."""
    session.offers.append(make)


def offer_chart(plot: Plot, reading: str) -> None:
    """Offer a chart, under the words that stand beneath it."""
    session.charts.append((reading, plot))


def offered() -> dict[str, Named | Table]:
    """Return all tensors and tables that the page offers, by name."""
    return {name: made for make in session.offers for name, made in make().items()}
