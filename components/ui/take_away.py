"""What a learner takes along: the lesson as a notebook or script, its tensors, its charts, the text."""

from collections.abc import Callable

import streamlit as st

from components.charts.plot import Plot
from components.core.chart_file import chart_svg
from components.core.checks import PAGES
from components.core.export import as_csv, as_npy, check_size, table_csv
from components.core.link import State
from components.core.notebook import Chapter, as_notebook, as_script
from components.core.tensors import Named
from components.ui.learner import session
from components.ui.lessons import LESSONS
from components.ui.offers import Table, offered
from components.ui.pytorch import snippets_of
from components.ui.share import address_of

THEME_RANGES = {"category": "theme.light.chartCategoricalColors", "diverging": "theme.light.chartDivergingColors"}

MAX_NUMBERS_AT_ONCE = 20_000  # written as CSV in the time that the window takes to open


def chapter(page: str, state: State) -> Chapter:
    """Return a lesson with the programs of the learner's text and settings."""
    return Chapter(LESSONS[page].title, LESSONS[page].purpose, snippets_of(page, state) if page in PAGES else [])


@st.dialog("Take it with you", width="large")
def panel() -> None:
    """Offer everything on this page as files."""
    page, state = session.learner.page, session.learner.state
    programs(page, state)
    st.divider()
    tensors(page)
    if session.charts:
        st.divider()
        charts()
    st.divider()
    download("Your text", lambda: state.text.encode(), "text.txt")


def programs(page: str, state: State) -> None:
    """Offer the lesson, and all lessons, as a notebook and as a script."""
    st.markdown("**As a program** that needs torch, tiktoken and gensim only, and no network")
    here, chapters = address_of(page, state), {name: chapter(name, state) for name in LESSONS}
    whole = [each for each in chapters.values() if each.snippets]

    def offer(title: str, found: list[Chapter], file: str) -> None:
        download(f"{title}, notebook", lambda: as_notebook(found, here).encode(), f"{file}.ipynb")
        download(f"{title}, script", lambda: as_script(found, here).encode(), f"{file}.py")

    with st.container(horizontal=True):
        if chapters[page].snippets:
            offer("This lesson", [chapters[page]], page)
        offer("Whole journey", whole, "journey")


def tensors(page: str) -> None:
    """Offer every tensor of the page as CSV and NPY, and every table as CSV."""
    st.markdown("**As numbers**")
    found = offered()
    if not found:
        st.caption("There are no tensors on this page.")
        return
    name = st.selectbox(
        "Tensor or table", list(found), format_func=lambda n: described(n, found[n]), key=f"take_{page}"
    )
    chosen = found[name]
    if not isinstance(chosen, Named):
        download("CSV", lambda: table_csv(chosen), f"{page}-{name}.csv")
        return
    try:
        check_size(chosen.array.shape)
    except ValueError as error:
        st.info(str(error), icon=":material/block:")
        return
    with st.container(horizontal=True):
        csv_is_slow = chosen.array.size > MAX_NUMBERS_AT_ONCE
        download("CSV", lambda: as_csv(chosen.array, chosen.letters), f"{page}-{name}.csv", slow=csv_is_slow)
        download("NPY, for numpy.load", lambda: as_npy(chosen.array), f"{page}-{name}.npy")


def described(name: str, found: Named | Table) -> str:
    """Return a name with its shape, or how many lines it has."""
    return f"{name} {list(found.array.shape)}" if isinstance(found, Named) else f"{name}, {len(found):,} lines"


def charts() -> None:
    """Offer every chart of the page as SVG; Streamlit's own menu on a chart gives a PNG."""
    st.markdown("**As a picture**")
    plots: list[tuple[str, Plot]] = session.charts
    number = st.selectbox("Chart", range(len(plots)), format_func=lambda n: f"{n + 1}. {plots[n][0][:90]}")
    colors = {name: list(st.get_option(option)) for name, option in THEME_RANGES.items()}
    picture = f"{session.learner.page}-{number + 1}.svg"
    download("SVG", lambda: chart_svg(plots[number][1].to_dict(), colors), picture, slow=True)
    st.caption("For a PNG point at the chart on the page and choose Download as PNG.")


def download(label: str, make: Callable[[], bytes], name: str, slow: bool = False) -> None:
    """Draw a button that hands out a file; one that is `slow` to make is made when it is asked for.

    Streamlit would make any file on a click by itself, but forgets it as soon as two learners have moved anything.
    """
    how = {"icon": ":material/download:", "on_click": "ignore"}
    if not slow:
        st.download_button(label, make(), name, key=f"take_{name}_{label}", **how)
    elif st.button(f"Make the {label}", key=f"make_{name}_{label}", icon=":material/build:"):
        with st.spinner(f"Making {name}"):
            file = make()
        st.download_button(f"Download {name}", file, name, type="primary", key=f"take_{name}_{label}", **how)
