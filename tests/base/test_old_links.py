"""Links of the first version of the app: they still open with the values that it read from them."""

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from components.base.link import V1_DEFAULTS, V1_NAMES, read_query
from components.base.presets import PRESETS
from components.base.settings import Settings
from tests.states import app_state

OLD = json.loads((Path(__file__).parents[1] / "data" / "old_links.json").read_text("utf-8"))
GONE = {"guess", "repaired", "start"}  # answers, open sections and a part of a chart are not in a link any more
LATER = {"token_std": "1", "one_window": "0"}  # choices that came later, as the first version behaved
RENAMED = {"position_column": "column", "init_std": "spread"}  # names of today: those of the first version
OTHER_DEFAULTS = {  # of the first version, and of the second
    **{"t": 0, "d": 0, "token_std": "1", "one_window": False, "train_more": 200},
    **{"sentences": 600, "vector_size": 32, "window": 5, "epochs": 15, "negative": 10, "train_seed": 1},
}


def query_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(link.partition("?")[2], keep_blank_values=True, strict_parsing=True))


@pytest.mark.parametrize("old", OLD["links"], ids=lambda old: old["link"][:40])
def test_read_query_of_an_old_link_gives_the_values_that_it_had(old):
    before = app_state(PRESETS["Scaled"].settings, "another text", present=True, step=3, row=7, near="cat")
    state, problems = read_query(before, query_of(old["link"]))
    assert problems == []
    expected = OLD["defaults"] | old["values"]
    found = [*vars(state.settings).items(), ("present", state.present), ("text", state.text)]
    found += [item for choices in state.lessons.values() for item in vars(choices).items()]
    values = {RENAMED.get(name, name): value for name, value in found}  # with the choices that came later
    assert {name: (values[name], type(values[name])) for name in expected.keys() - GONE} == {
        name: (value, type(value)) for name, value in expected.items() if name not in GONE
    }


def test_old_links_set_every_value_and_defaults_are_frozen():
    assert len(OLD["links"]) >= 25
    assert {name for old in OLD["links"] for name in old["values"]} == OLD["defaults"].keys()
    first = {name: str(int(value) if value in (True, False) else value) for name, value in OLD["defaults"].items()}
    assert V1_NAMES == RENAMED
    assert first | {new: first[old] for new, old in RENAMED.items()} | LATER == V1_DEFAULTS


def test_read_query_without_a_version_takes_the_frozen_defaults(monkeypatch):
    for name, value in {"dim": "5", "wave": "3", "text": "an older sample"}.items():
        monkeypatch.setitem(V1_DEFAULTS, name, value)
    wanted = app_state(Settings(dim=5, position="learned"), "an older sample", row=2, wave=3, **OTHER_DEFAULTS)
    assert read_query(app_state(), {"row": "2"}) == (wanted, [])
    assert read_query(app_state(step=4), {"v": "3", "row": "2"}) == (app_state(row=2), [])


@pytest.mark.parametrize(
    ("query", "choices"),
    [
        ({"learned_by_heart": "1", "colour": "red", "embed": "true", "row": "4"}, {"row": 4} | OTHER_DEFAULTS),
        ({"v": "2", "learned_by_heart": "1", "row": "4"}, {"row": 4} | OTHER_DEFAULTS),
        ({"column": "9"}, {"column": 9, "position_column": 9} | OTHER_DEFAULTS),
        ({"v": "2", "column": "9"}, {"column": 9} | OTHER_DEFAULTS),
        ({"v": "3", "padding_idx": "0"}, {"padding_idx": False}),
    ],
)
def test_read_query_ignores_unknown_names_and_renames_old_ones(query, choices):
    of_v1 = {} if "v" in query else {"settings": Settings(position="learned"), "text": V1_DEFAULTS["text"]}
    assert read_query(app_state(), query) == (app_state(**of_v1, **choices), [])


def test_read_query_of_a_page_address_or_a_broken_text_keeps_what_was_there():
    before = app_state(PRESETS["Scaled"].settings, "another text")
    assert read_query(before, {"embed": "true"}) == (before, [])
    assert read_query(before, {"packed_text": "broken"})[0].text == "another text"
