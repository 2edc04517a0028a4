"""Links that earlier versions of the app wrote, kept as they were: they still open, with the same numbers."""

from urllib.parse import parse_qsl

import pytest

from components.core.choices import Choices
from components.core.link import State, read_query
from components.core.settings import Settings

BEFORE = State(Settings(vocab_size=9, dim=2, seed=4), Choices(ids="1 2", step=3), "another text")
FULL = "context_length=4&stride=4&batch_size=2&tokenizer=gpt2&position=learned&layout=interleaved&scale=0"
OLD = {
    f"vocab_size=6&dim=3&seed=123&{FULL}&ids=2+3+5+1&text=hello": State(
        Settings(vocab_size=6, dim=3), Choices(ids="2 3 5 1"), "hello"
    ),
    f"vocab_size=50257&dim=16&seed=7&{FULL}&step=2&b=1&t=3&d=5&text=a+caf%C3%A9": State(
        Settings(seed=7), Choices(step=2, b=1, t=3, d=5), "a café"
    ),
    f"vocab_size=50257&dim=16&seed=123&{FULL}&experiment=own&lab_V=5&lab_ids=0+9&ran=1&text=x": State(
        choices=Choices(experiment="own", lab_V=5, lab_ids="0 9", ran=True), text="x"
    ),
    f"vocab_size=50257&dim=16&seed=123&{FULL}&vectors=news&view=neighbours&near=australia&text=x": State(
        choices=Choices(vectors="news", view="neighbours", near="australia"), text="x"
    ),
}


@pytest.mark.parametrize("query", OLD)
def test_a_link_of_an_earlier_version_opens_as_it_was_meant(query):
    assert read_query(BEFORE, dict(parse_qsl(query))) == (OLD[query], [])


def test_a_link_with_letters_changes_what_it_names_and_leaves_the_rest():
    state, problems = read_query(BEFORE, {"V": "12", "T": "3", "B": "1"})
    assert problems == []
    assert state.settings == Settings(vocab_size=12, dim=2, seed=4, context_length=3, batch_size=1)
    assert (state.choices, state.text) == (BEFORE.choices, BEFORE.text)


def test_parameters_that_are_no_longer_known_are_passed_over():
    assert read_query(BEFORE, {"colour": "red", "embed": "true"}) == (BEFORE, [])
