"""Messages that come faster than the answers: what is entered is kept, on a server with much to do.

A client without a browser sends what a browser sends that has not received the last answer yet: the address from
before, widgets that are gone by now with the value they showed, and the next entry at any moment.
"""

import asyncio
from itertools import chain
from random import Random
from urllib.parse import parse_qs

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from .websocket_client import Answer, Visitor, finish, visitor

SESSIONS, ROUNDS = 12, 15
PAUSES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)  # seconds between an entry and what follows it
FOLLOWING = ("text", "a button that changes nothing", "another page")


def widget_ids(who: Visitor) -> dict[str, str]:
    """Return the ID of each widget of the last answer, by its key without the version, or its label."""
    return {key_of(widget.id) or getattr(widget, "label", ""): widget.id for _, widget in who.last.widgets}


def key_of(widget_id: str) -> str:
    """Return the name in the key of a widget, without its version.

    >>> key_of("$$ID-0a1b-row_vocab_size.2")
    'row_vocab_size'
    """
    key = widget_id.rsplit("-", 1)[-1]
    return "" if key == "None" else key.split(".")[0]


def addresses(answer: Answer) -> list[str]:
    """Return the addresses that the browser is to show."""
    return [part.page_info_changed.query_string for part in answer.parts if part.HasField("page_info_changed")]


async def open_page(who: Visitor, page: str, panel: str = "") -> str:
    """Open a page, and a panel of its row of controls; return its address."""
    address = addresses(await who.open(page))[-1]
    if panel:
        await who.change((widget_ids(who)[panel], "trigger_value", True))
    return address


def leaving(who: Visitor, page: str, *entries: tuple[str, str, object], query: str = "") -> BackMsg:
    """Return the message of a click on the link to a page."""
    message = who.changing(*entries, query=query)
    pages = next(part.navigation.app_pages for part in who.last.parts if part.HasField("navigation"))
    message.rerun_script.page_script_hash = next(each.page_script_hash for each in pages if each.url_pathname == page)
    return message


async def last_address(who: Visitor, text: str) -> dict[str, str]:
    """Read until a run has ended that showed this; return the last address that was written."""
    found, page = [], b""
    while text.encode() not in page:
        answer = await who.listen()
        found += addresses(answer)
        page = b"".join(answer.raw)
    return {name: values[0] for name, values in parse_qs(found[-1], keep_blank_values=True).items()}


async def lost(app, seed: int, following: str) -> list[str]:
    """Enter a number and do something else a moment later, again and again; return which entries were lost."""
    draw, found = Random(seed), []
    async with visitor(app) as who:
        old = await open_page(who, "windows", "panel_text")
        ids = widget_ids(who)
        for turn in range(ROUNDS):
            number, pause = 3 + draw.randrange(60) * ROUNDS + turn, draw.choice(PAUSES)
            wanted = {"context_length": str(number)}
            entry = (ids["row_context_length"], "int_value", number)
            await who.socket.send(who.changing(entry, query=old).SerializeToString())
            await asyncio.sleep(pause)
            if following == "another page":  # a browser leaves out the address
                message = leaving(who, "tokens", entry)
                shown = "Tokens · Embedding Lab"
            elif following == "text":
                wanted["text"] = f"round {turn} of session {seed}"
                message = who.changing(entry, (ids["text"], "string_value", wanted["text"]), query=old)
                shown = wanted["text"]
            else:
                message = who.changing(entry, (ids["open_share"], "trigger_value", True), query=old)
                shown = "The lesson **Windows** with your settings"
            await who.socket.send(message.SerializeToString())
            address = await last_address(who, shown)
            if not wanted.items() <= address.items():
                found.append(f"{wanted}, {following} after {pause} s: {address}")
            if following == "another page":
                old = await open_page(who, "windows")
                ids = widget_ids(who)
    return found


@pytest.mark.parametrize("following", FOLLOWING)
def test_a_number_entered_just_before_something_else_is_kept(app, following):
    async def all_at_once():
        return await asyncio.gather(*(lost(app, seed, following) for seed in range(SESSIONS)))

    assert list(chain.from_iterable(finish(all_at_once()))) == []


def test_a_slider_of_before_takes_nothing_back_but_can_be_moved_back(app):
    async def steps() -> list[str]:
        async with visitor(app) as who:
            old = await open_page(who, "lookup", "panel_settings")
            ids = widget_ids(who)
            slider, preset = (ids["row_vocab_size"], "string_array_value", ["50,257"]), (ids["preset"], "string_value")
            typed, share = (ids["exact_vocab_size"], "int_value", 3_000), (ids["open_share"], "trigger_value", True)
            found = addresses(await who.say(who.changing(typed, slider, (*preset, "My text"), query=old)))
            new_slider, address = widget_ids(who)["row_vocab_size"], found[-1]
            assert new_slider != ids["row_vocab_size"]
            found += addresses(await who.say(who.changing(typed, slider, (*preset, "My text"), share, query=address)))
            assert found[-1] == address
            back = who.changing(typed, (new_slider, "string_array_value", ["50,257"]), query=address)
            found += addresses(await who.say(back))
            return [parse_qs(each)["vocab_size"][0] for each in found]

    assert finish(steps()) == ["3000", "50257"]


@pytest.mark.parametrize(
    ("messages", "vocab_size"),
    [
        ([(50_257, "5,000"), (50_257, "10,000"), (5_000, "20,000")], "20000"),
        ([(3_000, "50,257"), (6_000, "50,257"), (6_000, "2,000")], "6000"),
        ([(3_000, "50,257"), (3_000, "50,257")], "3000"),
    ],
    ids=["a slider is dragged", "a number is typed twice", "the same message again"],
)
def test_what_a_widget_of_before_shows_takes_nothing_back(app, messages, vocab_size):
    """Each message has the control that is not used as the answer before the last one showed it."""

    async def steps() -> str:
        async with visitor(app) as who:
            query = await open_page(who, "lookup", "panel_settings")
            ids = [widget_ids(who)]
            for number, stop in messages:
                late = ids[max(0, len(ids) - 2)]
                shown = [
                    (late["row_vocab_size"], "string_array_value", [stop]),
                    (late["exact_vocab_size"], "int_value", number),
                ]
                query = (addresses(await who.say(who.changing(*shown, query=query))) or [query])[-1]
                ids.append(widget_ids(who))
            return parse_qs(query)["vocab_size"][0]

    assert finish(steps()) == vocab_size


def test_the_address_goes_back_if_the_browser_does_not_show_the_new_one_yet(app):
    async def steps() -> list[str]:
        async with visitor(app) as who:
            found = [await open_page(who, "combine")]
            step = widget_ids(who)["combine_step"]
            for name in ("token", "ids"):
                found += addresses(await who.say(who.changing((step, "string_array_value", [name]), query=found[0])))
            return found

    at_first, forward, back = finish(steps())
    assert "step=1" in forward
    assert back == at_first


@pytest.mark.parametrize("pause", PAUSES)
def test_a_number_that_comes_after_the_tap_that_ended_it_is_kept(app, pause):
    """From a browser whose learner taps quickly: first the link, then the entry, with the page and address before.

    The page then stays, since the last message names it: an accepted loss.
    """

    async def steps() -> dict[str, str]:
        async with visitor(app) as who:
            old = await open_page(who, "windows")
            number = (widget_ids(who)["row_context_length"], "int_value", 7)
            await who.socket.send(leaving(who, "tokens").SerializeToString())
            await asyncio.sleep(pause)
            await who.socket.send(leaving(who, "windows", number, query=old).SerializeToString())
            address = await last_address(who, "Windows · Embedding Lab")
            with pytest.raises(TimeoutError):  # nothing follows: it stays so
                async with asyncio.timeout(0.5):
                    await who.listen()
            return address

    assert finish(steps())["context_length"] == "7"
