"""What each lesson shows, as approved: its controls, charts and sentences, the text and the sizes of its figure.

A file in the folder approved has each line once, in the order in which it is first seen in several states, masked and
answered. Lines that differ in their numbers alone are one, besides those of charts and those of another table; the
number of lines in a state is of all of them. Of decimals only their number is compared, and nothing of a rounding
error, a word's rank from 100 on or the number of threads, because they differ between machines: other tests compare
numbers.
"""

import json
import re
from pathlib import Path

import pytest

from components.base.export import NamedArray
from components.base.field_types import field_types_of
from components.base.link import AppState, read_query, to_query
from components.base.settings import Settings
from components.entry import LESSONS
from components.ui.download_registry import registered
from tests.app_driver import PANELS, AppDriver, words_of
from tests.approved import compare
from tests.figures.drawn import chosen, root_of
from tests.gpt2_server import filled_cache
from tests.states import CHOICES, app_state
from tests.varied_states import MODES, OF_THEIR_OWN, SHARED, long_state

DECIMALS = re.compile(r"(?<![\w./])(\d+\.)(\d+(?:e[+−-]?\d+)?)")
SET_ELSEWHERE = {"home_column", "near_token", "gpt2_head", "sentence", "row"}  # with GPT-2's rows, or by a press
APPROVED = Path(__file__).with_name("approved")
LARGE = app_state(  # every size with a thousands separator
    Settings(2_000, 1_024, context_length=1_024, batch_size=1, tokenizer="words", position="learned"),
    "red cat red dog " * 600,
)
FULL_LINE = app_state(text="She left the bank")  # as many tokens as the context length
GPT2 = Settings(table="gpt2", position="learned", dim=64, context_length=16)


@pytest.fixture(scope="module")
def whole_gpt2(tmp_path_factory):
    with filled_cache(tmp_path_factory.mktemp("gpt2")):
        yield


def states_of(lesson: str) -> list[AppState]:
    """Return the states in which a lesson is shown: large ones, small ones, and with GPT-2's rows if it has them."""
    modes = MODES.get(lesson, [{}])
    heads = [{"head": "text"}, {"head": "gpt2"}] if lesson == "attention" else [{}]
    states = [*map(long_state, modes)]
    if {} in modes:
        states += [*([] if lesson in OF_THEIR_OWN else [*SHARED.values(), LARGE, FULL_LINE]), app_state(present=True)]
    if LESSONS[lesson].trained:
        states += [app_state(GPT2, "She left the bank for the riverbank. " * 4, **mode) for mode in heads]
    return states


def without_decimals(line: str) -> str:
    """Return the line with # for the digits that differ between machines."""
    line = re.sub(r"\d+\.\d+e-\d+", "#", line)
    line = re.sub(r"(\(rank |rank \*\*)[\d,]{3,}", r"\1###", line)  # of a trained vector
    line = DECIMALS.sub(lambda found: found[1] + "#" * min(len(found[2]), 8), line)
    return re.sub(r"\d+ threads?", "… threads", line)


def sentences(app: AppDriver) -> list[str]:
    """Return the lines of the page and of the code in it, and the sentences of its figure's text."""
    figure, lines = app.learner.outputs.figure, "\n".join([app.words, *app.code()]).splitlines()
    lines += re.split(r"(?<=\.) ", figure.reading if figure else "")
    return [line.strip() for line in lines if line.strip()]


def files(app: AppDriver) -> list[str]:
    """Return the names of the arrays and tables that can be downloaded, with their axes or columns."""
    made = registered(app.learner)
    arrays = {name: each for name, each in made.items() if isinstance(each, NamedArray)}
    widths = {each.array.shape[each.axes.index("d")] for each in arrays.values() if "d" in each.axes}
    assert len(widths) <= 1 + (app.learner.page == "attention")  # whose head has at most 64 of D columns
    lines = [f"array: {name} [{', '.join(each.axes)}]" for name, each in arrays.items()]
    return lines + [f"table: {name} [{', '.join(each[0])}]" for name, each in made.items() if name not in arrays]


def charts(app: AppDriver) -> list[str]:
    """Return the specifications of the charts, without their data."""
    specs = [json.loads(each.spec) for each in app.charts()]
    common = ("$schema", "autosize", "params")
    return [f"chart: {json.dumps({name: each for name, each in spec.items() if name not in common})}" for spec in specs]


def drawn(app: AppDriver) -> str:
    """Return the sizes of the figure, on a phone too, and the number of its elements."""
    if not (figure := app.learner.outputs.figure):
        return "no figure"
    sizes = [" x ".join(map(str, each)) for each in ((figure.width, figure.height), figure.narrow)]
    return f"figure {sizes[0]}, narrow {sizes[1]}, {len(list(root_of(figure).iter()))} elements"


def choices_on(app: AppDriver) -> set[str]:
    """Return the names of the choices that a control sets or the figure; parameters of an experiment have `lab_`."""
    own = f"{getattr(app.state.choices, 'experiment', app.learner.page)}_"
    keys = [str(getattr(each, "key", None)).partition(".")[0] for each in app.elements()]
    found = {*keys} | {("lab_" if app.learner.page == "errors" else "") + key.removeprefix(own) for key in keys}
    if figure := app.learner.outputs.figure:
        found |= {name for each in chosen(figure) for name in each} | {figure.slider and figure.slider.choice}
    return found


@pytest.mark.parametrize("lesson", CHOICES)
def test_lesson_shows_what_is_approved(lesson, whole_gpt2, tmp_path):
    seen, found = {}, set()
    for number, state in enumerate(states_of(lesson)):
        app = AppDriver().open(lesson, **to_query(state))
        for masked in (True, False):
            app.open_sections(masked)
            found |= choices_on(app)
            lines = [*app.controls(), *charts(app), *files(app), *sentences(app)]
            for noticed in re.findall("What to notice. (.*)", app.words):
                assert len(re.findall(r"[.?!](?= [“A-Z]|$)", noticed)) <= 3, noticed
            for line in lines:
                cut = without_decimals(line)
                key = cut if line.startswith("chart") else re.sub(r"\d+", "#", cut)
                if cut not in seen.values():
                    seen.setdefault((state.settings.table, key), cut)
            state_name = f"state {number}, {'masked' if masked else 'answered'}"
            seen[number, masked] = f"== {state_name}: {len(lines)} lines, {drawn(app)}"
    if lesson == "lookup":  # and what every page has
        app = AppDriver().open(lesson)
        for label in ("Share", "Download", "Help", "Class", *PANELS):
            app = app.open_panel(label) if label in PANELS else app.press(label)
            words = re.sub("(?m)^<p><strong>.*", "", "\n".join(map(words_of, app.dialogs())))  # no term
            seen |= {line: line for line in [*app.controls(), *words.splitlines()] if line.strip()}
    shown = AppDriver().open(lesson).elements()
    row = [each.label for each in shown if str(getattr(each, "key", "")).startswith("row_")]
    compare(APPROVED / f"{lesson}.txt", [f"row: {' | '.join(row) or 'none'}", *seen.values()], tmp_path)
    assert {*field_types_of(CHOICES[lesson])} <= found | SET_ELSEWHERE


def test_offers_of_gpt2s_files_are_approved(gpt2, tmp_path):
    states = {"lookup": {}, "combine": {"position": "learned"}, "attention": {"head": "gpt2"}}
    apps = [AppDriver().open(lesson, table="gpt2", **more).open_sections() for lesson, more in states.items()]
    offers = [line for app in apps for line in sentences(app) if " MB" in line]
    compare(APPROVED / "offers_of_gpt2.txt", offers, tmp_path)
    assert not apps[-1].widgets("attention_gpt2_head")  # no head can be chosen before they are here


def test_values_of_a_link_are_refused_as_approved(tmp_path):
    kinds = [(own(), kind) for own in (Settings, *CHOICES.values()) for kind in field_types_of(own).items()]
    read = [kind.read("x" * 200_000 + "\x00", getattr(own, name))[1] for own, (name, kind) in kinds]
    read += read_query(app_state(), {"v": "1", "long_text": "key of another text"})[1]
    compare(APPROVED / "values_of_a_link.txt", read, tmp_path)
