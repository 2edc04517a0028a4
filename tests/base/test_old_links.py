"""Links of the first version of the app: they still open with the values that it read from them."""

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from components.base.link import V1_DEFAULTS, V1_NAMES, AppState, read_query
from components.base.presets import PRESETS
from tests.states import app_state

OLD = json.loads((Path(__file__).parents[1] / "data" / "old_links.json").read_text("utf-8"))
RENAMED = {"position_column": "column"}  # the name of today: the name in a link of the first version


def query_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(link.partition("?")[2], keep_blank_values=True, strict_parsing=True))


def values_by_old_name(state: AppState) -> list[tuple[str, object]]:
    """Return every value of the state with the name that it had in the first version."""
    values = [*vars(state.settings).items(), ("present", state.present), ("text", state.text)]
    for choices in state.lessons.values():
        values += vars(choices).items()
    return [(RENAMED.get(name, name), value) for name, value in values]


@pytest.mark.parametrize("old", OLD["links"], ids=lambda old: old["link"][:40])
def test_old_link_has_the_values_that_it_had(old):
    before = app_state(PRESETS["Scaled"].settings, "another text", present=True, step=3, row=7, near="cat")
    state, problems = read_query(before, query_of(old["link"]))
    assert problems == []
    expected = OLD["defaults"] | old["values"]
    found = values_by_old_name(state)
    assert {name for name, _ in found} == set(expected)
    for name, value in found:
        assert value == expected[name], name
        assert type(value) is type(expected[name]), name


def test_old_links_set_every_value():
    assert len(OLD["links"]) >= 25
    assert {name for old in OLD["links"] for name in old["values"]} == set(OLD["defaults"])


def test_frozen_defaults_are_those_of_the_first_version():
    first = {name: str(int(value) if value in (True, False) else value) for name, value in OLD["defaults"].items()}
    assert V1_NAMES == RENAMED
    assert first | {new: first[old] for new, old in RENAMED.items()} == V1_DEFAULTS


def test_link_without_version_takes_the_frozen_defaults(monkeypatch):
    monkeypatch.setitem(V1_DEFAULTS, "dim", "5")
    monkeypatch.setitem(V1_DEFAULTS, "wave", "3")
    monkeypatch.setitem(V1_DEFAULTS, "text", "an older sample")
    state, problems = read_query(app_state(), {"row": "2"})
    assert problems == []
    assert state == app_state(type(state.settings)(dim=5), "an older sample", row=2, wave=3)


def test_link_with_version_takes_the_defaults_of_today(monkeypatch):
    monkeypatch.setitem(V1_DEFAULTS, "wave", "3")
    assert read_query(app_state(step=4), {"v": "2", "row": "2"}) == (app_state(row=2), [])


@pytest.mark.parametrize("version", [{}, {"v": "2"}])
def test_unknown_names_are_ignored_without_a_notice(version):
    gone = {"learned_by_heart": "1", "colour": "red", "embed": "true"}
    assert read_query(app_state(), version | gone | {"row": "4"}) == (app_state(row=4), [])


def test_old_column_is_that_of_lookup_and_of_positions():
    state, _ = read_query(app_state(), {"column": "9"})
    assert (state.lessons["lookup"].column, state.lessons["positions"].position_column) == (9, 9)
    state, _ = read_query(app_state(), {"v": "2", "column": "9"})
    assert (state.lessons["lookup"].column, state.lessons["positions"].position_column) == (9, 0)


def test_old_link_with_packed_text_does_not_take_the_sample_text():
    packed = next(query_of(old["link"]) for old in OLD["links"] if "packed_text" in old["link"])
    assert "text" not in packed
    state, _ = read_query(app_state(text="x"), {**packed, "packed_text": "broken"})
    assert state.text == "x"
