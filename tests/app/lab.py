"""What the tests of the pages share: the app as a learner meets it, read back as plain words, tables and charts."""

import json
import re
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import torch
from callbacks import callbacks_run_to_their_end
from streamlit.runtime.scriptrunner import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner
from torch import nn

from components.core.link import State
from components.ui.learner import Learner
from components.ui.lessons import LESSONS
from components.ui.messages import keep_messages

APP = Path(__file__).parents[2] / "app.py"
PAGES = list(LESSONS)
WITH_SETTINGS = [page for page in PAGES if page not in ("errors", "word2vec", "glossary")]

keep_messages()  # before a test puts a guard around what it replaces


class Lab:
    """The app in one session; `open` visits a page, by a link with parameters where some are given.

    AppTest hands the first run of another page the widgets of the page before, which a browser does not: a test that
    reads a widget after a change of page runs the page once more.
    """

    def __init__(self) -> None:
        self.at = AppTest.from_file(APP, default_timeout=30)

    def open(self, page: str = "home", **query: object) -> "Lab":
        self.at.query_params.update({name: str(value) for name, value in query.items()})
        self.at.switch_page("app.py" if page == "home" else f"pages/{page}.py")
        return self.run(by_address=True)

    def run(self, by_address: bool = False) -> "Lab":
        """Run the page once more: for what was entered, or because the browser has gone to its address."""
        arrives = partial(RerunData, is_history_navigation=by_address)
        with patch.object(local_script_runner, "RerunData", arrives), callbacks_run_to_their_end():
            self.at.run()
        assert not self.at.exception, [error.message for error in self.at.exception]
        return self

    def set(self, **values: object) -> "Lab":
        """Enter a value into each widget, by key, as a learner does: one after the other."""
        for key, value in values.items():
            self.widget(key).set_value(value)
            self.run()
        return self

    def widget(self, key: str):
        key = f"text_{self.learner.page}" if key == "text" else key
        (widget,) = [element for element in self.elements() if getattr(element, "key", None) == key]
        return widget

    def press(self, label: str) -> "Lab":
        (button,) = [button for button in self.at.button if button.label == label]
        button.click()
        return self.run()

    def follow(self, label: str, page: str) -> "Lab":
        """Press a button that leads to another page; AppTest itself would stay, so the page is opened once more."""
        self.press(label)
        assert self.learner.page == page
        return self.open(page)

    def elements(self) -> list:
        return [*self.at.main, *self.at.sidebar]

    @property
    def learner(self) -> Learner:
        return self.at.session_state.learner

    @property
    def state(self) -> State:
        return self.learner.state

    @property
    def words(self) -> str:
        """Everything the page itself says, as a reader sees it: without the backslashes of Markdown."""
        return "\n".join(map(as_read, (e.proto.body for e in self.at.main if hasattr(e.proto, "body"))))

    def warnings(self) -> list[str]:
        """Return every sentence of the yellow boxes; a box may hold several, line by line."""
        return [line.strip() for warning in self.at.warning for line in as_read(warning.value).splitlines()]

    def errors(self) -> list[str]:
        return [as_read(error.value) for error in self.at.error]

    def tables(self) -> list[list[dict[str, str]]]:
        """Return the tables of the page as rows of words."""
        bodies = [markdown.value for markdown in self.at.main.markdown if markdown.value.startswith("|")]
        return [table_rows(body) for body in bodies]

    def drawn(self, column: str) -> list[list[dict]]:
        """Return the data that the charts hold, set by set, where it has a column of this name."""
        sets = [pa.ipc.open_stream(s.data.data).read_all() for c in self.charts() for s in c.datasets]
        return [data.to_pylist() for data in sets if column in data.column_names]

    def cells(self, number: int = 0) -> dict[str, float]:
        """Return the cells of one heatmap by name."""
        return {row["cell"]: row["value"] for row in self.drawn("cell")[number]}

    def charts(self) -> list:
        return [chart.proto for chart in self.at.get("vega_lite_chart")]

    def specs(self) -> list[dict]:
        return [json.loads(chart.spec) for chart in self.charts()]


def as_read(body: str) -> str:
    """Return Markdown without the backslashes that keep it from being obeyed."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", body)


def table_rows(body: str) -> list[dict[str, str]]:
    """Return the rows of a table written in Markdown."""
    lines = [[as_read(cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in body.splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def torch_tables(V: int, D: int, seed: int, T: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both tables as torch itself draws them: the token table after the seed, the learned positions next."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return nn.Embedding(V, D).weight.detach(), nn.Embedding(T, D).weight.detach()


def printed(number: float) -> str:
    """Return a number as the pages print it."""
    return f"{number:.4f}"
