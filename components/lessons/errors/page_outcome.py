"""The outcome of an experiment: the explanation, the figures with invalid values in red, and the fix."""

from collections.abc import Sequence

import streamlit as st

from components.base.link import State
from components.failures.catalogue import Outcome
from components.failures.views import (
    TableLookup,
    aligned_shapes,
    changed_lines,
    format_result,
    id_rows,
    matmul_shapes,
    table_lookups,
    why_no_figure,
)
from components.lessons.errors.charts import MAX_COLUMNS, MAX_ROWS, Cell, id_grid, tables_chart
from components.lessons.errors.page_experiment import show_code
from components.ui.blocks import show_chart, show_table
from components.ui.markdown import escape_markdown
from components.ui.state import change_choices

MAX_NAMED = 4  # invalid values that are named one by one

IdRow = tuple[str, list[Cell]]  # its name and its cells


def show_explanation(outcome: Outcome) -> None:
    """Show the expression that failed, the explanation, and the invalid values."""
    failed = f"**Line {outcome.run.line} failed:** `{outcome.failed}`. " if outcome.exception else ""
    st.markdown(failed + escape_markdown(outcome.explanation))
    named = outcome.invalid_values[:MAX_NAMED]
    lines = [f"- {escape_markdown(str(invalid))}" for invalid in named]
    more = len(outcome.invalid_values) - len(named)
    st.markdown("\n".join(lines + ([f"- and {more:,} more"] if more else [])))


def show_figures(outcome: Outcome) -> None:
    """Show the shapes that were compared, the IDs with invalid ones marked, and the rows that were looked up."""
    st.header("Where it fails", anchor=False)
    if shapes := aligned_shapes(outcome):
        axes = [f"axis {axis}" for axis in range(len(shapes[0]) - 1)]
        show_table([dict(zip(("", *axes), line, strict=True)) for line in shapes])
    if product := matmul_shapes(outcome):
        show_table(product)
    rows = id_rows(outcome)
    if has_ids := any(cells for _, cells in rows):
        grid = id_grid([name for name, _ in rows], [cells for _, cells in rows])
        show_chart(grid, f"{describe_grid(rows)} {describe_cut(rows)}".strip())
    if tables := table_lookups(outcome):
        sizes = ", ".join(f"{lookup.table} [{lookup.shape[0]:,}, {lookup.shape[1]:,}]" for lookup in tables)
        show_chart(tables_chart(tables), f"{'; '.join(map(describe_lookup, tables))}. Shapes: {sizes}.")
    if not (shapes or product or has_ids or tables):
        st.caption(why_no_figure(outcome))


def show_fix(outcome: Outcome, state: State) -> None:
    """Show the fix on demand: what it changes, its code, and its output from a run."""
    st.header("Fix", anchor=False)
    if not (outcome.exception or outcome.invalid_values):
        st.caption("Nothing is wrong here, so there is nothing to fix.")
        return
    st.button("Show the fix", icon=":material/build:", on_click=change_choices, kwargs={"repaired": True})
    if state.choices.repaired:
        st.markdown(escape_markdown(outcome.change))
        show_code(outcome.fix)
        st.caption(f"Changed: {', '.join(changed_lines(outcome.code, outcome.fix))}.")
        st.caption("Output of the last line:")
        st.code(format_result(outcome.fixed.result), language=None, wrap_lines=True)


def describe_grid(rows: Sequence[IdRow]) -> str:
    """Return which cells of the grid are red, by row and position, and the values of the first row."""
    invalid = [f"position {i} of {name}" for name, cells in rows for i, (_, reason) in enumerate(cells) if reason]
    name, cells = rows[0]
    content = f"{name} contains {first_few([value for value, _ in cells])}"
    return f"Red: {first_few(invalid)}. {content}." if invalid else f"Nothing here is marked. {content}."


def first_few(names: Sequence[str]) -> str:
    """Return the first few names, separated by commas, and how many more there are.

    >>> first_few(["1", "2"]), first_few(["1", "2", "3", "4", "5", "6"])
    ('1, 2', '1, 2, 3, 4 and 2 more')
    """
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def describe_cut(rows: Sequence[IdRow]) -> str:
    """Return how much of a large grid is shown, or nothing for a small one."""
    longest = max(len(cells) for _, cells in rows)
    if len(rows) <= MAX_ROWS and longest <= MAX_COLUMNS:
        return ""
    return f"At most {MAX_ROWS} of {len(rows):,} rows and {MAX_COLUMNS} of {longest:,} positions are shown."


def describe_lookup(lookup: TableLookup) -> str:
    """Return which of the requested rows a table does not have."""
    if not lookup.rows:
        return f"{lookup.table}: not reached"
    missing = [f"{row:,}" for row in lookup.rows if not 0 <= row < lookup.shape[0]]
    if not missing:
        return f"{lookup.table}: all requested rows exist"
    return f"{lookup.table} has no row {first_few(missing)}"
