"""A made-up GPT-2 for the questions on its rows."""

from collections.abc import Iterator

import pytest

from tests.gpt2_server import fill_cache


@pytest.fixture(scope="package", autouse=True)
def trained_tables(tmp_path_factory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path_factory.mktemp("gpt2")))
        fill_cache()
        yield
