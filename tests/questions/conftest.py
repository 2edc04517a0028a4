"""A made-up GPT-2 for the questions on its rows, and texts that stay, so that each is trained on once."""

from collections.abc import Iterator
from functools import cache

import pytest

from components.lessons.training import facts
from tests.gpt2_server import filled_cache


@pytest.fixture(scope="package", autouse=True)
def trained_tables(tmp_path_factory) -> Iterator[None]:
    text_of = facts.checked_text
    cached = cache(lambda ids, settings: text_of([*ids], settings))
    with pytest.MonkeyPatch.context() as patch, filled_cache(tmp_path_factory.mktemp("gpt2")):
        patch.setattr(facts, "checked_text", lambda ids, settings: cached((*ids,), settings))
        yield
