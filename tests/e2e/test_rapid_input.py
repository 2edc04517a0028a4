"""Messages that come faster than the answers: no entry is lost, on a busy server.

A client without a browser sends what a browser sends that has not received the last answer yet: the address from
before, widgets that are gone by now with the value they showed, and the next entry at any moment.
"""

import asyncio
from random import Random
from urllib.parse import parse_qs

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from .server_processes import Server
from .websocket_client import Change, Visitor, addresses, finish, visitor

SESSIONS = 4
PAUSES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)  # seconds between an entry and what follows it


def widget_ids(who: Visitor) -> dict[str, str]:
    """Return the ID of each widget of the last answer, by its key without the version."""
    return {widget.id.rsplit("-", 1)[-1].split(".")[0]: widget.id for _, widget in who.last.widgets}


def of_its_part(who: Visitor, entry: Change, *others: Change, query: str) -> BackMsg:
    """Return the message of an entry, which asks for a run of the part of the page with its widget."""
    message = who.changing(entry, *others, query=query)
    part = next(part for part in who.last.parts if entry[0] in str(part.delta.new_element))
    message.rerun_script.fragment_id = part.delta.fragment_id
    return message


async def lost(app: Server, seed: int, following: str) -> list[str]:
    """Enter a number and do something else a moment later, again and again; return which entries were lost."""
    found = []
    async with visitor(app) as who:
        for turn, pause in enumerate(Random(seed).sample(PAUSES, len(PAUSES))):
            old = addresses(await who.open("windows"))[-1]
            if turn == 0:
                await who.press("panel_text")
            ids, number = widget_ids(who), str(5 + seed * len(PAUSES) + turn)
            entry, wanted = (ids["row_context_length"], "double_value", float(number)), {"context_length": [number]}
            if following == "text":
                shown = f"round {turn} of session {seed}"
                wanted["text"] = [shown]
                message = who.changing(entry, (ids["text"], "string_value", shown), query=old)
            else:
                pages = next(part.navigation.app_pages for part in who.last.parts if part.HasField("navigation"))
                message, shown = who.changing(entry), "Tokens · Embedding Lab"  # a browser leaves out the address
                tokens = next(page.page_script_hash for page in pages if page.url_pathname == "tokens")
                message.rerun_script.page_script_hash = tokens
            await who.socket.send(who.changing(entry, query=old).SerializeToString())
            await asyncio.sleep(pause)
            await who.socket.send(message.SerializeToString())
            raw, last = b"", ""
            while shown.encode() not in raw:
                answer = await who.receive()
                raw, last = b"".join(answer.raw), (addresses(answer) or [last])[-1]
            if not wanted.items() <= parse_qs(last).items():
                found.append(f"{wanted}, {following} after {pause} s: {last}")
    return found


@pytest.mark.parametrize(
    ("page", "name", "option", "above", "address"),
    [
        ("", "home_preset", "Small vocabulary", "panel_settings", "vocab_size=12&"),
        ("attention", "attention_head", "Your text", "panel_text", "&head=text"),
    ],
)
def test_entry_that_changes_the_row_above_renders_no_frame(app, page, name, option, above, address):
    async def steps() -> None:
        async with visitor(app) as who:
            opened = await who.open(page)
            entry = (widget_ids(who)[name], "string_array_value", [option])
            answer = await who.send(of_its_part(who, entry, query=addresses(opened)[-1]))
            assert {above, name} <= widget_ids(who).keys()
            assert "open_help" not in widget_ids(who)
            assert address in addresses(answer)[-1]

    finish(steps())


def test_figure_is_sent_whole_though_the_browser_names_its_copy(app):
    """The browser removes a copy at the end of a run; then it would wait for a figure that it is referred to."""

    async def steps() -> None:
        async with visitor(app) as who:
            opened = await who.open("tokens")
            again = who.changing(query=addresses(opened)[-1])
            again.rerun_script.cached_message_hashes.extend(part.hash for part in opened.parts)
            answer = await who.send(again)
            assert "figure_tokens" in str(answer.widgets)
            assert "ref_hash" not in [part.WhichOneof("type") for part in answer.parts]

    finish(steps())


@pytest.mark.parametrize("following", ["text", "another page"])
def test_number_entered_just_before_something_else_is_kept(app, following):
    async def all_at_once() -> list[list[str]]:
        return await asyncio.gather(*(lost(app, seed, following) for seed in range(SESSIONS)))

    assert [entry for entries in finish(all_at_once()) for entry in entries] == []


def test_text_entered_before_a_quick_tap_on_a_link_is_kept(app):
    """A browser then sends the text with the new page, and after that the page and the address from before."""

    async def steps() -> list[str]:
        async with visitor(app) as who:
            old = addresses(await who.open("windows"))[-1]
            await who.press("panel_text")
            pages = next(part.navigation.app_pages for part in who.last.parts if part.HasField("navigation"))
            before = who.changing(query=old)
            entry = who.changing((widget_ids(who)["text"], "string_value", "typed"))
            entry.rerun_script.page_script_hash = next(
                page.page_script_hash for page in pages if page.url_pathname == "tokens"
            )
            await who.send(entry)
            return parse_qs(addresses(await who.send(before))[-1])["text"]

    assert finish(steps()) == ["typed"]


@pytest.mark.parametrize("pressed", ["Exit", "Help", "Previous"])
@pytest.mark.parametrize(
    ("page", "before", "opened", "name"),
    [("lookup", "Windows", ["open_controls", "panel_text"], "text"), ("errors", "Attention", [], "unknown_word_word")],
    ids=["shared control", "own control"],
)
def test_press_in_one_message_with_an_entry_below_it_is_not_lost(app, page, before, opened, name, pressed):
    """A busy browser sends both as a run of the part of the page that has the control."""

    async def steps() -> set[str]:
        async with visitor(app) as who:
            query = addresses(await who.open(page, "present=1&experiment=unknown_word"))[-1]
            for key in opened:
                await who.press(key)
            entry = (widget_ids(who)[name], "string_value", "typed")
            button = next(each for kind, each in who.last.widgets if kind == "button" and each.label == pressed)
            answer = await who.send(of_its_part(who, entry, (button.id, "trigger_value", True), query=query))
            assert "typed" in addresses(await who.open(page))[-1]
            dialogs = {f"dialog {each.title}" for kind, each in answer.elements if kind == "dialog"}
            tabs = {part.page_config_changed.title for part in answer.parts}
            return {each.label for kind, each in answer.elements if kind == "button"} | dialogs | tabs

    shown = {"Exit": "Present", "Help": "dialog Help", "Previous": f"{before} · Embedding Lab"}[pressed]
    assert shown in finish(steps())


@pytest.mark.parametrize(
    ("messages", "vocab_size"),
    [
        ([(50_257, "5,000"), (50_257, "10,000"), (5_000, "20,000")], "20000"),
        ([(3_000, "50,257"), (6_000, "50,257"), (6_000, "2,000")], "6000"),
        ([(3_000, "50,257"), (3_000, "50,257")], "3000"),
    ],
    ids=["a slider is dragged", "a number is typed twice", "the same message again"],
)
def test_value_of_a_widget_of_before_takes_nothing_back(app, messages, vocab_size):
    """In each message the unused control has the value of the answer before the last one."""

    async def steps() -> list[str]:
        async with visitor(app) as who:
            query = addresses(await who.open("lookup"))[-1]
            await who.press("panel_settings")
            ids = [widget_ids(who)]
            for number, stop in messages:
                late = ids[max(0, len(ids) - 2)]
                shown = [
                    (late["row_vocab_size"], "string_array_value", [stop]),
                    (late["exact_vocab_size"], "double_value", number),
                ]
                query = (addresses(await who.send(who.changing(*shown, query=query))) or [query])[-1]
                ids.append(widget_ids(who))
            return parse_qs(query)["vocab_size"]

    assert finish(steps()) == [vocab_size]
