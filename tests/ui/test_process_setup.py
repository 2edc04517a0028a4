import gc
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep
from unittest.mock import Mock
from weakref import ref

import pytest
import streamlit as st

from components.ui import process_setup
from components.ui.process_setup import MAX_TRACEBACK_CHARS, BoundedRecord, bounded_traceback


def test_log_record_quotes_an_error_indented_and_bounded():
    try:
        raise ValueError(f"line\n2026 forged\x1b{'x' * 1_000_000}")
    except ValueError as error:
        found = BoundedRecord("name", logging.ERROR, __file__, 1, "of\n%s", ("y" * 9_999,), (ValueError, error, None))
    first, *others = logging.Formatter("%(message)s").format(found).splitlines()
    assert first.startswith("of⏎yyy")
    assert len(first) < 2_100
    assert all(line.startswith("  ") and line.isprintable() for line in others)
    assert sum(map(len, others)) < MAX_TRACEBACK_CHARS + 500


def test_error_that_streamlit_raises_is_logged_in_one_line():
    with pytest.raises(st.errors.StreamlitAPIException) as found:
        st.columns("x")
    assert re.fullmatch(r"  \S+: Invalid `spec` type.* at layouts.py:\d+ < .*", bounded_traceback(found.value))
    with pytest.raises(TypeError) as found:
        len(5)
    assert "Traceback" in bounded_traceback(found.value)


def test_imports_begin_soon_after_the_first_page(monkeypatch):
    begun = Event()
    monkeypatch.setattr(process_setup, "import_all", begun.set)
    monkeypatch.setattr(process_setup, "WARM_UP_SECONDS", 0.0)
    process_setup.configure_process.__wrapped__()
    assert begun.wait(60)


def test_sessions_of_the_first_seconds_are_collected_later(monkeypatch):
    class Session:
        def __init__(self) -> None:
            self.itself = self

    session, later = Session(), []
    left = ref(session)
    monkeypatch.setattr(process_setup, "import_part", Mock())
    monkeypatch.setattr(process_setup, "call_later", lambda seconds, function: later.append(function))
    process_setup.import_all()
    del session
    later.pop()()
    gc.unfreeze()
    assert left() is None
    assert later  # and so on


def test_process_is_configured_once_by_first_runs_at_once(monkeypatch):
    begun = []
    monkeypatch.setattr(process_setup, "configure_malloc", lambda: sleep(0.1))
    monkeypatch.setattr(process_setup, "call_later", lambda *what: begun.append(what))
    process_setup.configure_process.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: process_setup.configure_process(), range(4)))
    assert len(begun) == 1
