"""The app in one session of AppTest, read back as words, tables and charts.

AppTest renders the whole page after every change, also after one that reruns a fragment alone in the browser.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow as pa
import torch
from streamlit.testing.v1 import AppTest
from torch import nn

from components.base.link import AppState, State, to_query
from components.base.settings import SYMBOLS
from components.entry import LESSONS
from components.ui.session import LearnerSession

APP = Path(__file__).parents[1] / "app.py"
PAGES = list(LESSONS)
CODE, QUESTIONS = "The code", "Check your understanding"  # sections of most lessons
COLORS = ("blue", "gray", "green", "orange", "red", "violet")
DIRECTIVES = {"small", *COLORS, *(f"{color}-background" for color in COLORS)}  # of Streamlit's Markdown
CONTROL = "input|area|button|box|slider|toggle|upload|page_link|progress"  # types of elements
FRAME = ("open_", "panel_", "row_", "present")  # of every page
PANELS = {"text": "text$|setting_ids$", "settings": "all_|exact_|preset$"}  # names of the widgets in each panel


class AllBut(frozenset):
    """Contains every label but these."""

    def __contains__(self, label: object) -> bool:
        return not super().__contains__(label)


class AppDriver:
    """The app in one session; `open` visits a page, by a link if a query is given."""

    def __init__(self) -> None:
        self.at = AppTest.from_file(APP, default_timeout=120)

    def open(self, page: str = "home", **query: object) -> "AppDriver":
        """Open a page; a query opens a link to it, which in a session that has begun is completed by its state."""
        begun = "learner" in self.at.session_state
        self.at.query_params = {name: str(value) for name, value in query.items()}
        if begun and query:
            named = {SYMBOLS.get(name, name): str(value) for name, value in query.items()}
            self.at.query_params = to_query(self.app_state) | named
        if begun or page != "home":
            self.at.switch_page(LESSONS[page].path)
        self.run()
        assert self.learner.page == page
        return self

    def run(self) -> "AppDriver":
        """Render the page once more, with what was entered."""
        self.older = dict(self.at.query_params)
        if "learner" in self.at.session_state:
            self.learner.run.in_parts = False  # else a fragment would be rendered alone
        self.at.run()
        assert not self.at.exception, [error.message for error in self.at.exception]
        assert not [each.proto for each in self.elements() if getattr(each.proto, "label", "-") == ""]
        assert not re.search(r"(?m)\bNone( [A-Z]|$)", self.words)  # a sentence that a function did not return
        bodies = "\n".join(each.proto.body for each in self.elements() if hasattr(each.proto, "body"))
        assert {*re.findall(r":([a-z-]+)\[", bodies)} <= DIRECTIVES
        return self

    def set(self, **values: object) -> "AppDriver":
        """Enter a value into each widget, by name: one after the other, in a panel that is opened if necessary."""
        for name, value in values.items():
            for panel, fields in PANELS.items():
                if re.match(fields, name):
                    self.open_panel(panel)
            self.widget(name).set_value(value)
            self.run()
        return self

    def open_panel(self, panel: str) -> "AppDriver":
        """Open a panel of the row of controls, "text" or "settings", unless it is open."""
        if self.learner.panel != panel:
            self.widget(f"panel_{panel}").click()
            self.run()
        return self

    def open_section(self, label: str) -> "AppDriver":
        """Open a section, which is built only when open, unless the page has no sections at all."""
        for row in self.widgets(f"sections_{self.learner.page}"):
            row.select(label)
        return self.run()

    def open_sections(self, masked: bool = False) -> "AppDriver":
        """Open the lesson's own sections, after what the figure masks is shown."""
        if not masked:
            for label in {"Show me", "Run"} & {*self.labels()}:
                self.button(label).click()
                self.at.query_params = self.older
        # In the run that shows it, which may offer more sections.
        opened = [value for row in self.widgets(f"sections_{self.learner.page}") for value in row.value]
        self.learner.open_sections[self.learner.page] = AllBut({CODE, QUESTIONS}.difference(opened))
        return self.run()

    def sections(self) -> list[str]:
        return [label for row in self.widgets(f"sections_{self.learner.page}") for label in row.options]

    def answers(self) -> list[Any]:
        """Return for each question on the page its answers, of which one can be chosen."""
        return [each for each in self.at.main.get("button_group") if str(each.key).startswith("check_")]

    def widget(self, name: str) -> Any:
        (widget,) = self.widgets(name)
        return widget

    def widgets(self, name: str) -> list[Any]:
        """Return the widgets with this name, one or none; their key may have a version behind the name."""
        key = re.compile(rf"{re.escape(name)}(\.\d+)?")
        return [each for each in self.elements() if key.fullmatch(str(getattr(each, "key", None)))]

    def press(self, label: str) -> "AppDriver":
        """Press a button, while the browser still has the address of the run before."""
        self.button(label).click()
        self.at.query_params = self.older
        return self.run()

    def button(self, label: str) -> Any:
        """Return the button whose label begins so."""
        found = [button for button in self.at.button if button.label.startswith(label)]
        assert len(found) == 1, f"{self.learner.page} has {len(found)} buttons {label!r}"
        return found[0]

    def labels(self) -> list[str]:
        """Return the labels of all buttons, those of downloads included."""
        return [button.label for button in (*self.at.button, *self.at.get("download_button"))]

    def follow(self, label: str, page: str) -> "AppDriver":
        """Press a button that leads to another page; AppTest itself would stay on the page before."""
        self.press(label)
        assert self.learner.page == page
        self.at.switch_page(LESSONS[page].path)
        return self.run()

    def elements(self) -> list[Any]:
        """Return the elements of the page and of the dialog that is open, if any."""
        return [*self.at.main, *(element for dialog in self.dialogs() for element in dialog)]

    def dialogs(self) -> list[Any]:
        return list(self.at.get("dialog"))

    @property
    def learner(self) -> LearnerSession:
        """What the session stores of its learner."""
        return self.at.session_state["learner"]

    @property
    def app_state(self) -> AppState:
        return self.learner.state

    @property
    def state(self) -> State:
        return self.app_state.lesson(self.learner.page)

    @property
    def is_masked(self) -> bool:
        """Whether the figure hides the answer to its question."""
        return 'class="masked"' in str(self.learner.outputs.figure.drawing)

    @property
    def words(self) -> str:
        """All text of the page as a reader sees it."""
        return words_of(self.at.main)

    def controls(self) -> list[str]:
        """Return all words of the controls and of progress, besides questions; those of every page on Lookup alone."""
        found, skip = [], ("check_", "show_check_", "sections_", *FRAME * (self.learner.page != "lookup"))
        for each in self.elements():
            key, words = str(getattr(each, "key", "")).partition(".")[0], [*words_in(each.proto)]
            if each.type == "bidi_component" and not key.startswith(("kept_score", "scroll_to")):
                words = [key]
            elif key.startswith(skip) or not re.search(CONTROL, each.type):
                continue
            found.append(f"{each.type}: {' | '.join(filter(None, words))}")
        return [each for each in found if "background[" not in each]  # tokens of the text

    def warnings(self) -> list[str]:
        """Return every sentence of the yellow boxes; a box may contain several, line by line."""
        return [line.strip() for warning in self.at.warning for line in as_read(warning.value).splitlines()]

    def errors(self) -> list[str]:
        return [as_read(error.value) for error in self.at.error]

    def code(self) -> list[str]:
        return [code.value for code in self.at.code]

    def tables(self) -> list[list[dict[str, str]]]:
        bodies = [markdown.value for markdown in self.at.main.markdown if markdown.value.startswith("|")]
        return [table_rows(body) for body in bodies]

    def charts(self) -> list[Any]:
        return [chart.proto for chart in self.at.get("vega_lite_chart")]

    def drawn(self, column: str) -> list[list[dict]]:
        """Return those data sets of the charts that have a column of this name."""
        return [data.to_pylist() for chart in self.charts() for data in data_of(chart) if column in data.column_names]

    def cells(self, number: int = 0) -> dict[str, float]:
        """Return the cells of one heatmap by name."""
        return {row["cell"]: row["value"] for row in self.drawn("cell")[number]}

    def numbers(self, number: int = 0) -> list[float]:
        """Return the cells of one heatmap row by row."""
        return [row["value"] for row in self.drawn("cell")[number]]


def words_in(proto: Any) -> Iterator[str]:
    """Yield the words and numbers in a widget, besides names and values, and those of its options."""
    for field, value in proto.ListFields() if proto else ():
        for each in value if field.is_repeated else [value]:
            if field.name == "options" and field.message_type:
                yield each.content
            elif not field.message_type and not re.search("id$|hash$|url|default|format|value|type", field.name):
                yield field.name if each is True else f"{each:g}" if isinstance(each, float) else f"{each}"


def data_of(chart: Any) -> list[pa.Table]:
    """Return the data sets of a chart, which have a column for each field that it shows."""
    data = [pa.ipc.open_stream(each.data.data).read_all() for each in chart.datasets]
    assert {*re.findall(r'"field": ?"(.*?)"', chart.spec)} <= {name for each in data for name in each.column_names}
    return data


def words_of(elements: Any) -> str:
    """Return the text of elements as a reader sees it."""
    return "\n".join(as_read(each.proto.body) for each in elements if hasattr(each.proto, "body"))


def as_read(body: str) -> str:
    """Return Markdown without its escapes, and sentences without their HTML."""
    body = re.sub(r"(?<=[,=])\u00a0|\u00a0(?=\\?=)", " ", body)
    if body.startswith("<div>"):
        return unescape(re.sub("<[^>]*>", "", body))
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", body)


def table_rows(body: str) -> list[dict[str, str]]:
    lines = [[as_read(cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in body.splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def torch_tables(V: int, D: int, seed: int, T: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both tables as torch initializes them: token embeddings after the seed, learned positions next."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return nn.Embedding(V, D).weight.detach(), nn.Embedding(T, D).weight.detach()
