"""Learners in haste: what is entered stays, however soon the next click comes, on a server with much to do."""

import asyncio
import re
from itertools import chain
from random import Random

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from .visitor import Answer, Visitor, finish, visitor

SESSIONS, ROUNDS = 12, 15
PAUSES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)  # seconds between an entry and what follows it
OLD_ADDRESS = "vocab_size=1000&dim=16"  # of a browser that has heard of nothing since
TABLE = re.compile(rb"Token table: ([0-9,]+)")
NEXT = {
    "text": ("Your text", "string_value", "round {} of this", "text=round+{}+of+this"),
    "a button that changes nothing": ("Share", "trigger_value", True, "with your settings"),
}


async def until(who: Visitor, told: str) -> bytes:
    """Read until a run has come to its end that says this; return all that it said."""
    while told.encode() not in (page := b"".join((await who.listen()).raw)):
        pass
    return page


def addresses(answer: Answer) -> list[str]:
    """Return the addresses that the browser was told to show."""
    return [part.page_info_changed.query_string for part in answer.parts if part.HasField("page_info_changed")]


async def lost(app, seed: int, following: str) -> list[str]:
    """Enter a number and do something else a moment later, again and again; return which numbers are not there then."""
    draw, found = Random(seed), []
    async with visitor(app) as who:
        ids = {getattr(widget, "label", ""): widget.id for _, widget in (await who.open("")).widgets}
        for turn in range(ROUNDS):
            number, pause = draw.randrange(2_000, 9_000), draw.choice(PAUSES)
            entry = [(ids["V, exact"], "int_value", number)]
            if following in NEXT:  # a browser says besides what its other controls show: the slider, as it was drawn
                entry.append((ids["V"], "string_array_value", ["50,257"]))
                entry.append((ids["Your text"], "string_value", NEXT["text"][2].format(turn)))
            await who.socket.send(who.changing(*entry, query=OLD_ADDRESS).SerializeToString())
            await asyncio.sleep(pause)
            if following == "another page":  # a browser leaves out all that stands on the page that is left
                leaving = BackMsg()
                leaving.rerun_script.page_name, leaving.rerun_script.query_string = "tokens", OLD_ADDRESS
                await who.socket.send(leaving.SerializeToString())
                page = await until(who, "Tokens · Embedding Lab")
                await who.open("")
            else:
                label, field, value, told = NEXT[following]
                more = value.format(turn + 1) if isinstance(value, str) else value
                both = who.changing(*entry, (ids[label], field, more), query=OLD_ADDRESS)
                await who.socket.send(both.SerializeToString())
                page = await until(who, told.format(turn + 1))
            shown = TABLE.findall(page)[-1].decode()
            if shown != f"{number:,}":
                found.append(f"{number:,}, {following} after {pause} s: {shown}")
    return found


@pytest.mark.parametrize("following", [*NEXT, "another page"])
def test_a_number_entered_just_before_something_else_is_kept(app, following):
    async def all_at_once():
        return await asyncio.gather(*(lost(app, seed, following) for seed in range(SESSIONS)))

    assert list(chain.from_iterable(finish(all_at_once()))) == []


def test_a_slider_that_is_not_drawn_anew_yet_takes_nothing_back_but_can_be_moved_back(app):
    """The browser has heard of the address by then, though not of the slider."""

    async def steps() -> list[bytes]:
        async with visitor(app) as who:
            ids = {getattr(widget, "label", ""): widget.id for _, widget in (await who.open("")).widgets}
            slider, preset = (ids["V"], "string_array_value", ["50,257"]), (ids["Preset"], "string_value", "My text")
            typed, share = (ids["V, exact"], "int_value", 3_000), (ids["Share"], "trigger_value", True)
            await who.change((ids["V, exact"], "int_value", 50_257), slider, preset)
            answer = await who.change(typed, slider, preset)
            heard = addresses(answer)[-1]
            drawn = (ids["Preset"], "string_value", "Own settings")
            answers = [
                await who.say(who.changing(typed, slider, *more, query=heard)) for more in ([preset, share], [drawn])
            ]
            return [TABLE.findall(b"".join(answer.raw))[-1] for answer in [answer, *answers]]

    assert finish(steps()) == [b"3,000", b"3,000", b"50,257"]


@pytest.mark.parametrize(
    ("messages", "V"),
    [
        ([(50_257, "50,257", "a"), (50_257, "5,000", "a"), (50_257, "10,000", "a"), (5_000, "20,000", "a")], b"20,000"),
        ([(50_257, "50,257", "a"), (3_000, "50,257", "a"), (6_000, "50,257", "a"), (6_000, "2,000", "b")], b"6,000"),
        ([(50_257, "50,257", "a"), (3_000, "50,257", "a"), (3_000, "50,257", "a")], b"3,000"),
    ],
    ids=["a slider is dragged", "a number is typed twice", "the browser reconnects"],
)
def test_what_is_drawn_one_answer_late_takes_nothing_back(app, messages, V):
    async def steps() -> bytes:
        async with visitor(app) as who:
            ids = {getattr(widget, "label", ""): widget.id for _, widget in (await who.open("")).widgets}
            for number, stop, text in messages:
                shown = [
                    (ids["V"], "string_array_value", [stop]),
                    (ids["V, exact"], "int_value", number),
                    (ids["Your text"], "string_value", text),
                ]
                answer = await who.say(who.changing(*shown, query=OLD_ADDRESS))
            return TABLE.findall(b"".join(answer.raw))[-1]

    assert finish(steps()) == V


@pytest.mark.parametrize(
    ("page", "button", "told"), [("combine", "Step on", "step=4"), ("training", "One step", "Step 4 of 4")]
)
def test_presses_that_wait_together_all_count(app, page, button, told):
    """As with the arrow keys, on a server that is slower than the learner."""

    async def steps() -> None:
        async with visitor(app) as who:
            ids = {getattr(widget, "label", ""): widget.id for _, widget in (await who.open(page)).widgets}
            press = who.changing((ids[button], "trigger_value", True)).SerializeToString()
            for _ in range(4):
                await who.socket.send(press)
            await until(who, told)

    finish(steps())


def test_the_address_goes_back_as_well_where_the_browser_has_not_heard_of_it_yet(app):
    async def steps() -> list[str]:
        async with visitor(app) as who:
            answers = [await who.open("combine")]
            ids = {getattr(widget, "label", ""): widget.id for _, widget in answers[0].widgets}
            for button in ("Step on", "Step back"):
                press = who.changing((ids[button], "trigger_value", True), query=addresses(answers[0])[-1])
                answers.append(await who.say(press))
            return [address for answer in answers for address in addresses(answer)]

    at_first, forward, back = finish(steps())
    assert "step=1" in forward
    assert back == at_first


@pytest.mark.parametrize("pause", PAUSES)
def test_a_number_that_comes_after_the_tap_that_ended_it_is_kept_and_the_page_changed(app, pause):
    """From a browser whose learner taps quickly: the change of page first, then the entry of the page that is left."""

    async def steps() -> None:
        async with visitor(app) as who:
            opened = await who.open("lookup", OLD_ADDRESS)
            ids = {getattr(widget, "label", ""): widget.id for _, widget in opened.widgets}
            pages = next(part.navigation.app_pages for part in opened.parts if part.HasField("navigation"))
            hashes = {page.url_pathname: page.page_script_hash for page in pages}
            leaving = who.changing(query=OLD_ADDRESS)
            leaving.rerun_script.page_script_hash = hashes["tokens"]
            entry = who.changing((ids["V, exact"], "int_value", 3_000), query=OLD_ADDRESS)
            await who.socket.send(leaving.SerializeToString())
            await asyncio.sleep(pause)
            await who.socket.send(entry.SerializeToString())
            while "3,000" not in TABLE.findall(await until(who, "Tokens · Embedding Lab"))[-1].decode():
                pass
            with pytest.raises(TimeoutError):  # nothing follows: it stays there
                async with asyncio.timeout(0.5):
                    await who.listen()

    finish(steps())
