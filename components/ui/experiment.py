"""One experiment that goes wrong: its parameters, the guess, the exhibit, what was wrong, and the repair."""

import streamlit as st

from components.charts.failures import id_grid, tables_chart
from components.core.choices import GUESSES, SILENT
from components.core.failure import Failure
from components.core.failure_views import Asked, axes, changed_lines, id_rows, printed, tables_asked
from components.core.failures import FAILURES, Outcome
from components.core.kinds import OneOf, Whole
from components.core.link import State
from components.ui.blocks import show, table_of
from components.ui.markdown import plain
from components.ui.state import bound, change_choices

OFFENDERS_NAMED = 4
LETTERS = {"V": "V, rows of the token table", "D": "D, numbers in a row", "T": "T, rows of the position table"}


def choose_experiment(state: State) -> Failure:
    """Let the learner choose an experiment; another one starts without guess, run or repair."""
    names = list(FAILURES)
    numbered = {name: f"{number}. {failure.title}" for number, (name, failure) in enumerate(FAILURES.items(), 1)}

    def chosen(name: str) -> None:
        change_choices(experiment=name, guess="", ran=False, repaired=False)

    tied = bound("experiment", state.choices.experiment, chosen)
    tied["index"] = names.index(tied.pop("value"))
    st.selectbox("Experiment", names, format_func=numbered.get, **tied)
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
            label = LETTERS.get(name, f"{kind.label[:1].upper()}{kind.label[1:]}")
            tied = bound(f"{failure.name}_{name}", value, change_choices, f"lab_{name}")
            if isinstance(kind, Whole):
                st.number_input(label, kind.low, kind.high, step=1, width=190, **tied)
            elif isinstance(kind, OneOf):
                tied["index"] = kind.options.index(tied.pop("value"))
                st.selectbox(label, kind.options, width=190, **tied)
            else:
                about = "Numbers, rows separated by semicolons, or nested lists." if name == "ids" else None
                width = 396 if name == "ids" else 190
                st.text_input(label, max_chars=kind.longest, width=width, help=about, **tied)
    return values


def guess(state: State) -> None:
    """Ask what will be raised, and run it on demand."""
    tied = bound("guess", state.choices.guess or None, lambda name: change_choices(guess=name or ""), default="default")
    st.pills("**Predict first.** What does the last line do?", GUESSES, wrap=True, **tied)
    with st.container(horizontal=True):
        st.button("Run it", type="primary", icon=":material/play_arrow:", on_click=change_choices, kwargs={"ran": True})
        if state.choices.ran:
            again = {"ran": False, "repaired": False, "guess": ""}
            st.button("Hide it again", type="tertiary", on_click=change_choices, kwargs=again)


def verdict(guessed: str, outcome: Outcome) -> None:
    """Say whether the guess was right."""
    raised = outcome.exception.__name__ if outcome.exception else SILENT
    if guessed == raised:
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
    """Draw why: the explanation, the values that cannot work, the IDs and the tables."""
    st.subheader("What is wrong" if outcome.exception or outcome.offending else "What happened", anchor=False)
    failed = f"**Failed:** `{outcome.failed}`, line {outcome.run.line}. " if outcome.exception else ""
    st.markdown(failed + plain(outcome.explanation))
    named = outcome.offending[:OFFENDERS_NAMED]
    lines = [f"- {plain(str(offender))}" for offender in named]
    more = len(outcome.offending) - len(named)
    st.markdown("\n".join(lines + ([f"- and {more:,} more"] if more else [])))
    if shapes := axes(outcome):
        places = [f"axis {place}" for place in range(len(shapes[0]) - 1)]
        table_of([dict(zip(("", *places), line, strict=True)) for line in shapes])
    rows = id_rows(outcome)
    if any(cells for _, cells in rows):
        bad = [f"{value} in {name}" for name, cells in rows for value, why in cells if why]
        total = sum(len(cells) for _, cells in rows)
        reading = f"{total:,} in {len(rows):,} row{'s' if len(rows) > 1 else ''}; {len(bad):,} cannot work (red)"
        show(
            id_grid([name for name, _ in rows], [cells for _, cells in rows]),
            f"{reading}{': ' + ', '.join(bad[:OFFENDERS_NAMED]) if bad else ''}.",
        )
    if tables := tables_asked(outcome):
        show(tables_chart(tables), "; ".join(map(in_words, tables)) + ".")


def in_words(asked: Asked) -> str:
    """Return what a table was asked for and does not have."""
    missing = [f"{row:,}" for row in asked.rows if not 0 <= row < asked.shape[0]]
    if not missing:
        return f"{asked.table} has every row that it was asked for"
    more = f" and {len(missing) - OFFENDERS_NAMED:,} more" if len(missing) > OFFENDERS_NAMED else ""
    return f"{asked.table} has no row {', '.join(missing[:OFFENDERS_NAMED])}{more}"


def repair(outcome: Outcome, state: State) -> None:
    """Draw the repair on demand: what it changes, its code, and what it gives, run like the rest."""
    st.subheader("The repair", anchor=False)
    st.button("Repair it", icon=":material/build:", on_click=change_choices, kwargs={"repaired": True})
    if state.choices.repaired:
        st.markdown(plain(outcome.change))
        show_code(outcome.repair)
        changed = [f"line {number}" for number in changed_lines(outcome.code, outcome.repair)]
        st.caption(f"Changed: {', '.join(changed)}.")
        st.caption("The last line gives")
        st.code(printed(outcome.repaired.result), language=None, wrap_lines=True)


def show_code(code: str) -> None:
    """Draw a program that can be copied and run alone."""
    st.code(code.rstrip(), line_numbers=True, wrap_lines=True)
