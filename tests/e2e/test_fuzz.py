"""Hostile visitors of a real server: each is answered in time and gets nothing of the others."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .fuzz import MEGABYTES, PAGES, SECONDS_TO_REPLY, Hostile, attack, faults
from .hostile_inputs import PARAMETERS
from .server_processes import Server
from .websocket_client import Visitor, finish, visitor

INPUTS, SESSIONS = 3_000, 4
REDACTED = "This app has encountered an error."
NUMBER, SLIDER, CHOICE, TEXT, BUTTON = "number_input", "slider", "selectbox", "text_area", "button"
WRONG_TYPES = [
    (NUMBER, "double_value", float("nan")),
    (NUMBER, "double_value", float("inf")),
    (NUMBER, "string_value", "x"),
    (NUMBER, "json_value", "{{{"),
    (SLIDER, "bool_value", True),
    (CHOICE, "string_value", "not among the options"),
    (CHOICE, "int_value", 7),
    ("radio", "string_value", "not among the answers"),
    ("radio", "int_value", 99),
    ("file_uploader", "string_value", "x"),
    (TEXT, "bool_value", True),
    (TEXT, "double_array_value", [1.0, 2.0]),
    (TEXT, "bytes_value", b"\xff\xfe"),
    (BUTTON, "json_trigger_value", "{{{"),
]
NO_MESSAGES = [b"\xff\xff", bytes(1_000), BackMsg(clear_cache=True).SerializeToString()[:1], "a line of text"]


def complaints(log: str) -> list[str]:
    """Return the lines of the server's log about errors."""
    return [line for line in log.splitlines() if "Traceback" in line or "Uncaught" in line or "Error" in line]


async def check_new_session(app: Server) -> None:
    """Open a page in a new session, and check that it is complete."""
    async with visitor(app) as who:
        answer = await who.open("lookup", "V=50257&D=16&text=zq0123456789abqz+by+the+river")
        assert faults(answer, "zq0123456789abqz") == []
        assert len(answer.widgets) > 10


def test_hostile_inputs_are_answered_in_time_without_leaks(app):
    written = len(app.log())
    found = finish(attack(app, INPUTS, SESSIONS, seed=1))
    assert found.wrong == [], app.log()[written:][:6_000]
    assert found.inputs.total() >= INPUTS
    assert {name for page in PAGES for name in PARAMETERS if found.tried[page, name]} == set(PARAMETERS)
    assert found.recognised > INPUTS / 3
    assert found.fragments > INPUTS / 10
    assert complaints(app.log()[written:]) == []
    assert app.megabytes < MEGABYTES


def test_text_of_another_session_is_a_fault(app):
    async def borrowed() -> list[str]:
        async with visitor(app) as who:
            answer = await who.open("tokens", "tokenizer=words&text=zq0123456789abqz")
            return faults(answer, "zqba9876543210qz")

    assert "the words of another session" in "".join(finish(borrowed()))


async def open_settings(who: Visitor) -> None:
    """Open the panel with all settings."""
    button = next(widget for _, widget in who.last.widgets if widget.id.endswith("-panel_settings"))
    await who.change((button.id, "trigger_value", True))


@pytest.mark.parametrize(("kind", "name", "value"), WRONG_TYPES)
def test_invalid_widget_value_gets_one_sentence(app, kind, name, value):
    async def send() -> None:
        async with visitor(app) as bystander, visitor(app) as sender:
            await bystander.open("tokens")
            page = await sender.open("tokens")
            if kind not in dict(page.widgets):
                await open_settings(sender)
            widget = next(widget for each, widget in sender.last.widgets if each == kind)
            answer = await sender.change((widget.id, name, value))
            assert all(message.startswith(REDACTED) for message in answer.exceptions)
            assert b"Traceback" not in b"".join(answer.raw)
            assert faults(await bystander.open("tokens", "text=still+here"), "") == []

    finish(send())
    finish(check_new_session(app))


@pytest.mark.parametrize("data", NO_MESSAGES, ids=range(len(NO_MESSAGES)))
def test_invalid_message_closes_only_its_own_connection(app, data):
    async def send() -> None:
        async with visitor(app) as bystander, visitor(app) as sender:
            await bystander.open("tokens")
            await sender.open("tokens")
            await sender.socket.send(data)
            await asyncio.wait_for(sender.socket.wait_closed(), SECONDS_TO_REPLY * 5)
            assert faults(await bystander.open("tokens", "text=still+here"), "") == []

    finish(send())
    finish(check_new_session(app))


def test_flood_from_one_session_delays_no_other(app):
    async def flood() -> tuple[float, bool]:
        async with visitor(app) as bystander, visitor(app) as sender:
            await bystander.open("tokens")
            await sender.open("glossary")
            last = sender.page_hash
            message = BackMsg()
            for number in range(1_000):
                message.rerun_script.page_name = PAGES[number % len(PAGES)]
                message.rerun_script.query_string = f"seed={number}"
                await sender.socket.send(message.SerializeToString())
            answer = await bystander.open("lookup")
            assert faults(answer, "") == []
            message.rerun_script.page_name, message.rerun_script.query_string = "glossary", ""
            await sender.socket.send(message.SerializeToString())
            page, ended = "", False
            async with asyncio.timeout(SECONDS_TO_REPLY * 10):
                while not (ended and page == last):
                    part = ForwardMsg.FromString(await sender.socket.recv())
                    page = part.navigation.page_script_hash or page
                    ended = part.WhichOneof("type") == "script_finished"
            return answer.cpu_seconds, ended

    seconds, ended = finish(flood())
    assert ended
    assert seconds < SECONDS_TO_REPLY * 2  # of CPU time for two sessions, so that other programs do not count


def test_downloaded_file_is_that_of_its_own_session(app):
    async def downloaded_by(who, text: str) -> bytes:
        page = await who.open("tokens", f"text={text}")
        button = next(widget for _, widget in page.widgets if widget.id.endswith("-open_download"))
        dialog = await who.change((button.id, "trigger_value", True))
        files = [widget for kind, widget in dialog.widgets if kind == "download_button"]
        return (await who.download(next(file for file in files if file.label == "Your text"))).file

    async def ask() -> None:
        async with visitor(app) as owner, visitor(app) as other:
            assert await downloaded_by(owner, "zq0123456789abqz") == b"zq0123456789abqz"
            assert await downloaded_by(other, "another") == b"another"

    finish(ask())


def test_markers_of_hostile_visitors_differ(app):
    assert len({Hostile(app, None, seed).marker for seed in range(100)}) == 100
