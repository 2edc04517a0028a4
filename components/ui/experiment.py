"""One experiment that goes wrong: its parameters, the guess, the exhibit, what was wrong, and the repair."""

from typing import Any

import streamlit as st

from components.charts.failures import MAX_COLUMNS, MAX_ROWS, id_grid, tables_chart
from components.core.choices import GUESSES, OTHER, SILENT, Choices
from components.core.failure import Failure
from components.core.failure_views import (
    Asked,
    axes,
    changes,
    factors,
    id_rows,
    nothing_drawn,
    printed,
    tables_asked,
)
from components.core.failures import FAILURES, Outcome
from components.core.kinds import OneOf, Whole
from components.core.link import State
from components.ui.blocks import show, table_of
from components.ui.lab import FRESH
from components.ui.markdown import plain
from components.ui.state import among, bound, change_choices

OFFENDERS_NAMED = 4
MEANINGS = {
    "V": "Vocabulary size: the rows of the token table.",
    "D": "Embedding dimension: how many numbers each row holds.",
    "T": "Tokens in a sequence: the rows of the position table.",
    "B": "Batch size: how many sequences.",
    "ids": "Numbers, rows separated by semicolons, or nested lists.",
}
START = Choices()
SIZES = {name: getattr(START, name) for name in ("lab_V", "lab_D", "lab_T", "lab_B")}


def choose_experiment(state: State) -> Failure:
    """Let the learner choose an experiment; another one starts without guess, run or repair, and with small sizes."""
    names = list(FAILURES)
    numbered = {name: f"{number}. {failure.title}" for number, (name, failure) in enumerate(FAILURES.items(), 1)}

    def chosen(name: str) -> None:
        change_choices(experiment=name, **FRESH, **SIZES)

    tied = bound("experiment", state.choices.experiment, chosen)
    st.selectbox("Experiment", names, format_func=numbered.get, **among(names, tied))
    return FAILURES[state.choices.experiment]


def parameters(failure: Failure, state: State) -> dict:
    """Draw an entry for every parameter of the experiment; return their values, held to what it allows."""
    values, entries = {}, []
    for name, parameter in failure.parameters.items():
        if name == "seed":
            values[name] = state.settings.seed
            continue
        value = getattr(state.choices, f"lab_{name}")
        if isinstance(parameter.kind, Whole):
            value = min(max(value, parameter.kind.low), parameter.kind.high)
        values[name] = value
        entries.append((name, parameter.kind, value))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, kind, value in entries:
            label = f"{kind.label[:1].upper()}{kind.label[1:]}"
            about = MEANINGS.get(name)

            def changed(entered: Any, name: str = name) -> None:
                change_choices(**{f"lab_{name}": entered, "guess": ""})  # the guess was about other numbers

            tied = bound(f"{failure.name}_{name}", value, changed)
            if isinstance(kind, Whole):
                label = f"{label}, {kind.low:,} to {kind.high:,}"
                st.number_input(label, kind.low, kind.high, step=1, width=190, help=about, **tied)
            elif isinstance(kind, OneOf):
                st.selectbox(label, kind.options, width=190, **among(kind.options, tied))
            else:
                width = 396 if name == "ids" else 190
                st.text_input(label, max_chars=kind.longest, width=width, help=about, **tied)
    return values


def guess(state: State) -> None:
    """Ask what will be raised, and run it on demand; once it has run the guess stands."""
    choices = state.choices
    tied = bound("guess", choices.guess or None, lambda name: change_choices(guess=name or ""), default="default")
    st.pills("**Predict first.** What happens when this runs?", GUESSES, wrap=True, disabled=choices.ran, **tied)
    with st.container(horizontal=True):
        st.button("Run it", type="primary", icon=":material/play_arrow:", on_click=change_choices, kwargs={"ran": True})
        if choices.ran:
            st.button("Hide it again", type="tertiary", on_click=change_choices, kwargs=FRESH)


def verdict(guessed: str, outcome: Outcome) -> None:
    """Say whether the guess was right."""
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    if guessed and guessed == (raised if raised in GUESSES else OTHER):
        st.success(f"Your guess, **{guessed}**, is right.", icon=":material/check:")
    elif guessed:
        came = f"it is **{raised}**" if outcome.exception else f"**{raised}**"
        st.info(f"Your guess was **{guessed}**; {came}.", icon=":material/lightbulb:")


def exhibit(outcome: Outcome) -> None:
    """Draw what was raised as an exhibit, plainly not a crash of this app; or what came out where nothing was."""
    run = outcome.run
    with st.container(border=True):
        if run.exception:
            st.markdown(":material/science: **Exhibit:** raised by this code and caught. The app is well.")
            st.code(f"line {run.line}:  {run.failed}\n{run.raised}", language=None, wrap_lines=True)
        else:
            st.markdown(":material/science: **Exhibit:** nothing was raised. The last line gives:")
            st.code(printed(run.result), language=None, wrap_lines=True)


def what_is_wrong(outcome: Outcome) -> None:
    """Say why: the expression that failed, the explanation, and the values that cannot work."""
    failed = f"**Line {outcome.run.line} failed:** `{outcome.failed}`. " if outcome.exception else ""
    st.markdown(failed + plain(outcome.explanation))
    named = outcome.offending[:OFFENDERS_NAMED]
    lines = [f"- {plain(str(offender))}" for offender in named]
    more = len(outcome.offending) - len(named)
    st.markdown("\n".join(lines + ([f"- and {more:,} more"] if more else [])))


def pictures(outcome: Outcome) -> None:
    """Draw the shapes that met, the IDs with the bad ones marked, and the tables with what was asked of them."""
    st.header("Where it is", anchor=False)
    if shapes := axes(outcome):
        places = [f"axis {place}" for place in range(len(shapes[0]) - 1)]
        table_of([dict(zip(("", *places), line, strict=True)) for line in shapes])
    if product := factors(outcome):
        table_of(product)
    rows = id_rows(outcome)
    if has_ids := any(cells for _, cells in rows):
        grid = id_grid([name for name, _ in rows], [cells for _, cells in rows])
        show(grid, f"{grid_in_words(rows)} {drawn_of(rows)}".strip())
    if tables := tables_asked(outcome):
        sizes = ", ".join(f"{asked.table} [{asked.shape[0]:,}, {asked.shape[1]:,}]" for asked in tables)
        show(tables_chart(tables), f"{'; '.join(map(in_words, tables))}. Shapes: {sizes}.")
    if not (shapes or product or has_ids or tables):
        st.caption(nothing_drawn(outcome))


def grid_in_words(rows: list[tuple[str, list[tuple[str, str]]]]) -> str:
    """Return which cells of the grid are red, by row and place, and what the first row holds."""
    bad = [f"place {place} of {name}" for name, cells in rows for place, (_, why) in enumerate(cells) if why]
    name, cells = rows[0]
    holds = f"{name} holds {first_few([value for value, _ in cells])}"
    return f"Red: {first_few(bad)}. {holds}." if bad else f"Nothing here is marked. {holds}."


def first_few(names: list[str]) -> str:
    """Return the first few names in a row, and how many more there are.

    >>> first_few(["1", "2"]), first_few(["1", "2", "3", "4", "5", "6"])
    ('1, 2', '1, 2, 3, 4 and 2 more')
    """
    more = f" and {len(names) - OFFENDERS_NAMED:,} more" if len(names) > OFFENDERS_NAMED else ""
    return f"{', '.join(names[:OFFENDERS_NAMED])}{more}"


def drawn_of(rows: list[tuple[str, list[tuple[str, str]]]]) -> str:
    """Return how much of a large grid is drawn."""
    longest = max(len(cells) for _, cells in rows)
    if len(rows) <= MAX_ROWS and longest <= MAX_COLUMNS:
        return ""
    return f"At most {MAX_ROWS} of {len(rows):,} rows and {MAX_COLUMNS} of {longest:,} places are drawn."


def in_words(asked: Asked) -> str:
    """Return what a table was asked for and does not have."""
    if not asked.rows:
        return f"{asked.table} was not asked"
    missing = [f"{row:,}" for row in asked.rows if not 0 <= row < asked.shape[0]]
    if not missing:
        return f"{asked.table} has every row that it was asked for"
    return f"{asked.table} has no row {first_few(missing)}"


def repair(outcome: Outcome, state: State) -> None:
    """Draw the repair on demand: what it changes, its code, and what it gives, run like the rest."""
    st.header("The repair", anchor=False)
    if not (outcome.exception or outcome.offending):
        st.caption("Nothing is wrong here, so there is nothing to repair.")
        return
    st.button("Repair it", icon=":material/build:", on_click=change_choices, kwargs={"repaired": True})
    if state.choices.repaired:
        st.markdown(plain(outcome.change))
        show_code(outcome.repair)
        st.caption(f"Changed: {', '.join(changes(outcome.code, outcome.repair))}.")
        st.caption("The last line gives")
        st.code(printed(outcome.repaired.result), language=None, wrap_lines=True)


def show_code(code: str) -> None:
    """Draw a program that can be copied and run alone."""
    st.code(code.rstrip(), line_numbers=True, wrap_lines=True)
