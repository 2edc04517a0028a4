import pytest
import streamlit as st


@pytest.fixture
def files(monkeypatch) -> dict[str, bytes]:
    """Return the files of the download buttons that are rendered from now on, by name."""
    found, render = {}, st.download_button

    def download_button(label, data, name, **options):
        found[name] = data
        return render(label, data, name, **options)

    monkeypatch.setattr(st, "download_button", download_button)
    return found
