"""Download: the lesson as a notebook or script, its tensors, its charts, the text."""

from collections.abc import Callable
from functools import cache, partial

import streamlit as st

from components.base.export import NamedArray, as_csv, as_npy, check_size, table_csv
from components.base.text_format import pluralize
from components.charts.svg_file import chart_svg
from components.programs.handout import Handout
from components.programs.notebook import as_notebook
from components.ui.blocks import show_error
from components.ui.code_view import handout_of, name_sections
from components.ui.download_registry import Table, registered
from components.ui.session import LearnerSession
from components.ui.share_dialog import address_of
from components.ui.trained_table import state_in_use

THEME_RANGES = {"category": "theme.light.chartCategoricalColors", "diverging": "theme.light.chartDivergingColors"}

THIS, ALL = "This lesson", "All lessons"
LEFT_OUT = "Their pages show what they need first, or their programs need a network."
MAX_NUMBERS_AT_ONCE = 20_000  # written as CSV in the time that the dialog takes to open


@st.dialog("Download", width="medium")
def show(learner: LearnerSession) -> None:
    offer_programs(learner)
    offer_tensors(learner)
    if learner.outputs.figure or learner.outputs.charts:
        offer_pictures(learner)
    st.markdown("**Text**")
    download("Your text", learner.state.text.encode, "text.txt")


def offer_programs(learner: LearnerSession) -> None:
    """Offer the lesson, or all lessons, as a notebook and as a script; on request with IDs instead of a tokenizer."""
    lesson = learner.lesson
    st.markdown(f"**Code{' of all lessons' * (not lesson.has_program)}**, which runs without this app")
    unlabeled = {"required": True, "label_visibility": "collapsed"}
    scope = ALL
    if lesson.has_program:
        scope = st.segmented_control("Code of", [THIS, ALL], default=THIS, key=f"take_code_{lesson.name}", **unlabeled)
    lessons = [each for each in learner.lessons.values() if each.has_program] if scope == ALL else [lesson]
    states = [state_in_use(each, learner.state.lesson(each.name)) for each in lessons]

    @cache
    def handouts(offline: bool) -> list[Handout | None]:
        found = []
        for each, state in zip(lessons, states, strict=True):
            opened = learner.open_sections.get(each.name, ())
            found.append(handout_of(each.page, state, address_of(learner, each.name), offline, opened=opened))
        return found

    label = "Without network: token IDs instead of a tokenizer"
    replaceable = scope == ALL or ((own := handouts(False)[0]) and own.has_tokenizer and not states[0].settings.trained)
    offline = replaceable and st.toggle(label, key="take_offline")

    @cache
    def program() -> str:
        found = handouts(offline)
        texts = [each.text for each in found if each]
        if scope == ALL and len(texts) < len(lessons):
            titles = ", ".join(lesson.title for lesson, each in zip(lessons, found, strict=True) if each is None)
            texts.insert(0, f"# %% [markdown]\n# Left out: {titles}. {LEFT_OUT}\n")
        return "\n".join(texts)

    if scope == THIS and not program():
        st.caption("No code for this lesson with these settings: the page shows what it needs first.")
        return
    name = ("all-lessons" if scope == ALL else lesson.name) + "-offline" * offline
    with st.container(horizontal=True):
        for kind, suffix, write in (("notebook", "ipynb", as_notebook), ("script", "py", str)):
            encode = partial(lambda write: write(program()).encode(errors="backslashreplace"), write)
            label = kind if scope == ALL else kind.capitalize()
            download(label, encode, f"{name}.{suffix}", prepare_first=scope == ALL)
    if scope == THIS:
        name_sections(handouts(offline)[0])


def offer_tensors(learner: LearnerSession) -> None:
    """Offer every tensor of the page as CSV and NPY, and every table as CSV."""
    st.markdown("**Data**")
    page, found = learner.page, registered(learner)
    if not found:
        st.caption("There are no tensors on this page.")
        return
    labels = {name: described(name, each) for name, each in found.items()}
    name = st.selectbox("Tensor or table", list(found), format_func=labels.get, key=f"take_{page}")
    chosen = found[name]
    if not isinstance(chosen, NamedArray):
        download("CSV", lambda: table_csv(chosen), f"{page}-{name}.csv")
        return
    try:
        check_size(chosen.array.shape)
    except ValueError as error:
        st.info(str(error), icon=":material/block:")
        return
    with st.container(horizontal=True):
        slow_csv = chosen.array.size > MAX_NUMBERS_AT_ONCE
        download("CSV", lambda: as_csv(chosen.array, chosen.axes), f"{page}-{name}.csv", prepare_first=slow_csv)
        download("NPY, for numpy.load", lambda: as_npy(chosen.array), f"{page}-{name}.npy")


def described(name: str, found: NamedArray | Table) -> str:
    if isinstance(found, NamedArray):
        return f"{name} {list(found.array.shape)}"
    return f"{name}, {pluralize(len(found), 'line')}"


def offer_pictures(learner: LearnerSession) -> None:
    """Offer the figure and every chart of the page as SVG; Streamlit's own menu on a chart gives a PNG."""
    figure, charts = learner.outputs.figure, learner.outputs.charts
    parts = ["Figure"] * bool(figure) + ["Charts"] * bool(charts)
    st.markdown(f"**{' and '.join(parts).capitalize()}**")
    if figure:
        download("Figure, SVG", lambda: figure.file(learner.lesson.title), f"{learner.page}.svg")
    if not charts:
        return
    number = st.selectbox("Chart", range(len(charts)), format_func=lambda n: f"{n + 1}. {charts[n][0][:90]}")
    colors = {name: list(st.get_option(option)) for name, option in THEME_RANGES.items()}
    picture = f"{learner.page}-{number + 1}.svg"
    download("SVG", lambda: chart_svg(charts[number][1].to_dict(), colors), picture, prepare_first=True)
    st.caption("For a PNG point at the chart on the page and choose Download as PNG.")


def download(label: str, make: Callable[[], bytes], name: str, prepare_first: bool = False) -> None:
    """Render a download button; with `prepare_first` the file is made on a click, and then there is a button for it.

    Streamlit can make a file on a click by itself, but discards it as soon as two learners have changed anything.
    """
    how = {"icon": ":material/download:", "on_click": "ignore"}
    if not prepare_first:
        st.download_button(label, make(), name, key=f"take_{name}_{label}", **how)
    elif st.button(f"Prepare {label}", key=f"make_{name}_{label}", icon=":material/build:"):
        try:
            with st.spinner(f"Making {name}"):
                file = make()
        except RuntimeError as error:
            show_error(str(error))
            return
        st.download_button(f"Download {name}", file, name, type="primary", key=f"take_{name}_{label}", **how)
