from collections.abc import Iterator

import pytest
import streamlit as st

from components.rooms.store import RoomStore, room_store


@pytest.fixture
def files(monkeypatch) -> dict[str, bytes]:
    """Return the files of the download buttons that are rendered from now on, by name."""
    found, render = {}, st.download_button

    def download_button(label, data, name, **options):
        found[name] = data
        return render(label, data, name, **options)

    monkeypatch.setattr(st, "download_button", download_button)
    return found


@pytest.fixture
def rooms(cache) -> Iterator[RoomStore]:
    """Return a store of the test's own."""
    room_store.cache_clear()
    yield room_store()
    room_store().dispose()
    room_store.cache_clear()
