"""What the tests of the core share: valid settings, choices and states for hypothesis, and files beside the project."""

import json
from pathlib import Path

import pytest
from hypothesis import settings as profile
from hypothesis import strategies as st

from components.core.choices import Choices
from components.core.kinds import Flag, Kind, Line, Number, OneOf, Whole, kinds_of
from components.core.limits import MAX_BATCH_CELLS, MAX_TABLE_CELLS
from components.core.link import State
from components.core.settings import Settings
from tests.missing import missing

profile.register_profile("core", deadline=None)
profile.load_profile("core")


def valid_values(kind: Kind) -> st.SearchStrategy:
    match kind:
        case Whole(_, low, high):
            return st.integers(low, high)
        case Number(_, low, high):
            return st.floats(low, high)
        case OneOf(_, options):
            return st.sampled_from(options)
        case Flag():
            return st.booleans()
        case Line():
            return st.text(max_size=20)


@st.composite
def valid_settings(draw: st.DrawFn) -> Settings:
    values = {name: draw(valid_values(kind)) for name, kind in kinds_of(Settings).items()}
    values["vocab_size"] = min(values["vocab_size"], MAX_TABLE_CELLS // values["dim"])
    values["batch_size"] = min(
        values["batch_size"], max(1, MAX_BATCH_CELLS // values["dim"] // values["context_length"])
    )
    return Settings(**values)


st.register_type_strategy(Settings, valid_settings())
st.register_type_strategy(Choices, st.builds(Choices, **{n: valid_values(k) for n, k in kinds_of(Choices).items()}))
st.register_type_strategy(State, st.builds(State, st.from_type(Settings), st.from_type(Choices), st.text()))


def beside_the_project(name: str) -> str:
    """Return a text of the folder `shared` beside the project; without it the test skips, or fails in CI."""
    path = Path(__file__).parents[3] / "shared" / name
    if not path.exists():
        reason = f"{path} is missing: it is not part of this project"
        missing(reason)
    return path.read_bytes().decode("utf-8")


@pytest.fixture(scope="session")
def golden() -> dict:
    return json.loads(beside_the_project("golden.json"))


@pytest.fixture(scope="session")
def story() -> str:
    return beside_the_project("data/the-verdict.txt")
