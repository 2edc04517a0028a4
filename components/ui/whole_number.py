"""Fields for whole numbers, in which a fraction is refused like any other wrong value."""

from typing import Any

import streamlit as st


def whole_number(
    label: str, low: int | None = None, high: int | None = None, step: int = 1, *, value: int, **options: Any
) -> int:
    """Render the field for a whole number that is bound to the state; return the number in the state.

    In a field for integers the browser cuts 12.7 to 12. A field for any number passes it on, and the state refuses it
    with a sentence.
    """
    limits = {"min_value": low, "max_value": high}
    limits = {name: float(limit) for name, limit in limits.items() if limit is not None}
    st.number_input(label, value=float(value), step=float(step), format="%g", **limits, **options)
    return value


def ranged_number(label: str, low: int, high: int, step: int = 1, **options: Any) -> int:
    """Render the field for a whole number with its range in the label; none if there is one number only."""
    return low if low == high else whole_number(f"{label}, {low:,} to {high:,}", low, high, step, **options)
