"""Hostile visitors of a real server: each is answered in time, gets its page back, and nothing of the others."""

import asyncio
import gzip
import json
import pickle
import random
import re
import string
from contextlib import AsyncExitStack
from itertools import cycle, islice
from urllib.parse import quote_plus, urlencode
from xml.etree.ElementTree import ParseError, fromstring

import pytest
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.base.field_types import field_types_of
from components.base.learner_text import clean_text
from components.base.limits import (
    MAX_DIM,
    MAX_LINE_CHARS,
    MAX_TABLE_CELLS,
    MAX_TEXT_CHARS,
    MAX_TYPED_IDS,
    MAX_VOCAB_SIZE,
)
from components.base.link import VERSION, AppState, pack, to_query
from components.base.settings import Settings
from components.entry import LESSONS
from components.failures.catalogue import FAILURES
from components.lessons.word2vec.choices import VIEWS
from components.ui.text_entry import first_words
from components.ui.waiting import WAITS

from .server_processes import Server
from .websocket_client import Answer, Visitor, finish, visitor

PAGES = [lesson.url_path for lesson in LESSONS.values()]
SECONDS_TO_REPLY = 2.0  # of CPU time, so that other programs do not count
MEGABYTES = 490  # of the 690 that a small server guarantees, without the 200 that files of libraries need
LARGEST_ANSWER = 4_000_000  # bytes
MEGABYTES_OF_A_TEXT = 100  # limit for a session that has entered megabytes into every field
CLASS = 10
RANDOM_WORD = "".join(random.Random(1).choices(string.ascii_letters, k=MAX_TEXT_CHARS))
UPLOAD = f"v={VERSION}&vectors=upload&view=map"
# Each would be rendered as something else, or loaded, if a page interpreted it as Markdown or HTML.
CANARIES = ("](http://canary", ":red[canary", "$canary$", "**canary**", "`canary`", "~~canary~~")
CANARIES += (":material/canary", "<img src=canary")
OBEYED = "![c](http://canary/c) :red[canary] $canary$ **canary** `canary` ~~canary~~ :material/canary: <img src=canary>"
MARKDOWN = re.compile(r"^\s*(?:body|label|help|captions?|options|content|text): (.*)$", re.MULTILINE)
# As protobuf writes them, also within JSON; with more backslashes it is an escape of Python. No page has these itself.
REORDERING = re.compile(r"\\342\\200\\256|\\342\\201\\246|(?<!\\)\\\\u(?:202e|2066)")
ENTERED = ("text_area", "text_input", "code")
AS_TYPED = ("text", "selectbox", "slider", "html")  # elements whose text, or whose options, are no Markdown
# One text with markup of all kinds, characters that are not seen or reverse the text, and what programs interpret.
POISON = f"\u202e\u2066x\x01\uffff\0 <script>alert(1)</script> | {OBEYED} |\n# {OBEYED}\n> {OBEYED}\n```\n{OBEYED}"
POISON += " <|endoftext|><pad><unk> \x1b[31m\u2028 &lt;b&gt; \\frac{1}{0} $$\\input{/etc/passwd}$$ %s%n '; -- 👩‍👩‍👧"
TEXTS = (
    POISON,
    "**canary** $canary$ \u202e",
    "",
    "word " * 700,
    "9" * 5_000,
    "-1 2 3; [[1], [[2]]]" + "1;" * 400,
    "a: b\n[b] [b]\na - a + a = a",
)
WHOLES = (0, -1, 2, 7, 2**31, 2**53, 2**63 - 1, -(2**63))
FLOATS = (1e-320, 1e308, -1e308, 0.1, float("nan"), float("inf"))
# The same in words, as short as a word may be.
WORDS = ("\u202e**canary**", "$canary$:red[canary]", "`canary`~~canary~~", "\x01a\uffff|<b>", "king", "queen", "man")
VECTORS = "".join(f"{word} {n} {n * n % 7} 1\n" for n, word in enumerate(WORDS, 1)).encode()
FILES = {
    "../../etc/\u202e$canary$ **canary**.txt": VECTORS,
    "x" * 300: gzip.compress(bytes(3_000_000)),
    "a'b<b>.gz": gzip.compress(VECTORS)[:-5],
    "pickle": pickle.dumps({"hostile": 1}),
    "empty": b"",
    "no UTF-8": b"1000000000 1000\n\xff" * 50,
}
# Parameters with which a page has more widgets, so that there is more to attack.
WORD, ALL_WORDS = quote_plus(WORDS[0]), quote_plus(" ".join(WORDS))
IN_UPLOAD = f"near={WORD}&words={ALL_WORDS}&word_a={WORD}&word_b={quote_plus(WORDS[1])}&word_c={quote_plus(WORDS[2])}"
DOORS = {
    "attention": [f"head=order&fruits={ALL_WORDS}", f"pairs={WORD}+king,{quote_plus(WORDS[1])}+man", "head=text"],
    "errors": [f"experiment={name}&lab_word={WORD}&lab_key={WORD}&lab_text={WORD}" for name in FAILURES],
    "glossary": [f"term={WORD}", f"search={WORD}"],
    "word2vec": [
        *(f"vectors=grammar&view={view}" for view in VIEWS),
        *(f"vectors=upload&view={view}&{IN_UPLOAD}" for view in VIEWS),
        *(f"vectors=text&scene={scene}&{IN_UPLOAD}" for scene in ("step", "film", "analogy")),
    ],
    "training": [f"train_steps=9&T=2&tokenizer=words&prompt={WORD}", "train_steps=3&tied=1&position=none"],
}
SIZES = ["V=60&D=8&T=3&B=2&tokenizer=words&position=sinusoidal", f"V=9&D=3&ids={WORD}", "V=9&D=3&ids=8+9&scale=1"]


def faults(answer: Answer, sessions: int = 1) -> list[str]:
    """Return what is wrong with an answer, for any input, if this many sessions are served at once."""
    wrong = [f"exception: {message[:60]}" for message in answer.exceptions]
    wrong += ["a traceback on the page"] if b"Traceback (most recent" in b"".join(answer.raw) else []
    has_progress = any(kind == "progress" for kind, _ in answer.elements)
    wrong += ["late"] if answer.cpu_seconds > SECONDS_TO_REPLY * sessions and not has_progress else []
    for kind, element in answer.elements:
        words = str(element)
        if kind not in AS_TYPED:
            wrong += [f"{kind} obeys {each}" for found in MARKDOWN.findall(words) for each in CANARIES if each in found]
        if kind not in ENTERED and REORDERING.search(words):
            wrong.append(f"{kind} has a character that changes the direction of others")
        if (kind == "html" or getattr(element, "allow_html", False)) and re.search("<(img src=c|script>a)", words):
            wrong.append(f"{kind} has markup of a visitor")
        if kind == "bidi_component" and element.component_name == "figure":
            try:
                tags = {each.tag.rpartition("}")[2] for each in fromstring(json.loads(element.bytes)["svg"]).iter()}
                wrong += ["a figure has markup of a visitor"] if tags & {"script", "img"} else []
            except ParseError as error:
                wrong.append(f"a figure that is no XML: {error}")
    return wrong


def check(answer: Answer, message: str = "", sessions: int = 1) -> None:
    """Check that an answer is a page, in time, of bounded size, and contains a message."""
    assert faults(answer, sessions) == []
    assert sum(map(len, answer.raw)) < LARGEST_ANSWER
    assert message.encode() in b"".join(answer.raw)


def answered(app: Server, steps) -> None:
    """Run the steps of one visitor, and check the memory and that another is served afterwards."""

    async def run() -> None:
        async with visitor(app) as who:
            await who.open("")
            await steps(who)
        async with visitor(app) as newcomer:
            check(await newcomer.open("lookup"))

    finish(run())
    assert app.peak_megabytes < MEGABYTES


class Hostile:
    """A visitor that enters the next of the hostile values into everything."""

    def __init__(self, who: Visitor, marker: str, of_others: str, doors: int | None) -> None:
        self.who, self.marker, self.of_others, self.doors, self.wrong = who, marker, of_others, doors, []
        self.texts, self.wholes, self.floats, self.files = map(cycle, (TEXTS, WHOLES, FLOATS, FILES.items()))

    async def judge(self, done: str, doing) -> None:
        """Wait for an answer and record what is wrong with it."""
        answer = await doing
        found = faults(answer, 2) + ["the words of another session"] * (self.of_others.encode() in b"".join(answer.raw))
        self.wrong += [f"{fault} after {done[:300]}" for fault in found]

    def value_of(self, kind: str, widget: Message) -> tuple[str, object] | None:
        """Return a field of the protocol and a hostile value that a browser could send for this widget."""
        match kind:
            case "text_input" | "text_area":
                return "string_value", next(self.texts)
            case "number_input":
                numbers = self.floats if widget.data_type == widget.FLOAT else self.wholes
                return "double_value", float(next(numbers))
            case "slider" if not widget.options:
                return "double_array_value", [next(self.floats)]
            case "slider" | "button_group":
                return "string_array_value", [next(self.texts)]

    async def enter_everywhere(self) -> None:
        """Enter a value into each widget of the page, in its fragment, as a browser does."""
        parts = [part.delta for part in self.who.last.parts]
        fragments = {
            str(getattr(part.new_element, str(part.new_element.WhichOneof("type")), "")): part.fragment_id
            for part in parts
        }
        for kind, widget in self.who.last.widgets:
            if kind == "file_uploader":
                for name, content in (next(self.files), ("words.txt", VECTORS)):
                    await self.judge(f"the file {name!r}", self.who.upload(widget, name, content))
            elif value := self.value_of(kind, widget):
                message = self.who.changing((widget.id, *value))
                message.rerun_script.fragment_id = fragments.get(str(widget), "")
                await self.judge(f"{value} in {widget.id}", self.who.send(message))

    async def visit(self, page: str) -> None:
        """Open a page with many widgets and enter values into them, then links that name each of its parameters."""
        for door, panel in zip(DOORS.get(page, SIZES)[: self.doors], cycle(("panel_text", "panel_settings"))):
            link = f"v={VERSION}&text={self.marker}+{quote_plus(POISON)}&{door}"
            await self.judge(f"/{page}?{link}", self.who.follow(page, link))
            if any(each.id.endswith(panel) for _, each in self.who.last.widgets):
                await self.judge(panel, self.who.press(panel))
            await self.enter_everywhere()
        own = [*field_types_of(LESSONS[page or "home"].choices), *field_types_of(Settings), "packed_text", "unknown"]
        names = iter(own)
        while several := [*islice(names, 6)]:
            link = "&".join(f"{name}=%00%ff%ed%a0%80{quote_plus(next(self.texts))}" for name in several)
            await self.judge(f"/{page}?{link}", self.who.open(page, f"v={VERSION}&{link}"))


@pytest.fixture(scope="module", autouse=True)
def warm(app: Server) -> None:
    """Open every page once: the first sessions wait for imports."""

    async def open_all() -> None:
        async with visitor(app) as who:
            for page in PAGES:
                await who.open(page)

    finish(open_all())


def test_hostile_inputs_are_answered_in_time_without_leaks(app):
    written = len(app.log())

    async def one(marker: str, of_others: str, pages: list[str], doors: int | None = None) -> list[str]:
        async with visitor(app) as who:
            hostile = Hostile(who, marker, of_others, doors)
            for page in pages:
                await hostile.visit(page)
            return hostile.wrong

    async def both() -> list[list[str]]:
        return await asyncio.gather(one("zqonezq", "zqtwozq", PAGES), one("zqtwozq", "zqonezq", PAGES[::-1], doors=1))

    assert finish(both()) == [[], []], app.log()[written:][:20_000]
    assert not [line for line in app.log()[written:].splitlines() if re.search("Traceback|Uncaught|Error", line)]
    assert app.peak_megabytes < MEGABYTES


NEVER_SENT = (5, None, [], [1], "x", {}, {"lesson": [1]}, {"nonsense": 1}, {"row": [1], "position": 10**30})


def test_bad_messages_show_no_traceback_nor_fill_or_forge_log(app):
    written = len(app.log())

    async def send() -> None:
        for kind, name, value in (
            ("number_input", "json_value", "{{{"),
            ("slider", "bool_value", True),
            ("button_group", "string_value", "x"),
        ):
            async with visitor(app) as sender:
                await sender.open("tokens")
                page = await sender.press("panel_settings")
                answer = await sender.change((page.widget(kind).id, name, value))
            assert all(each.startswith("This app has encountered an error.") for each in answer.exceptions)
            assert b"Traceback" not in b"".join(answer.raw)
        for value in NEVER_SENT:
            async with visitor(app) as sender:
                page = await sender.open("windows")
                for key, name in (("figure_windows", "chosen"), ("kept_score", "stored"), ("kept_score", "stored")):
                    events = f"$$STREAMLIT_INTERNAL_KEY_{page.widget(key).id}__events"  # also when it has left
                    sent = json.dumps([{"event": name, "value": value}])
                    check(await sender.change((events, "json_trigger_value", sent)))
        async with visitor(app) as sender:
            await sender.open("tokens")
            message = BackMsg()
            message.backend_operation_request.session_id = sender.session_id
            message.backend_operation_request.request_id = f"{'x' * 1_000_000}\nforged\x1b[31m"
            await sender.send(message)
            message = sender.changing()
            message.rerun_script.fragment_id = f"{'x' * 99}\nforged{'x' * 1_000_000}"
            await sender.socket.send(message.SerializeToString())  # without an answer
            await sender.open("tokens")

    finish(send())
    lines = app.log()[written:].splitlines()
    assert all(len(line) < 3_000 and line.isprintable() and not line.startswith("forged") for line in lines), lines
    assert any("forged" in line for line in lines), lines
    assert "Traceback" not in app.log()[written:]


def test_trainings_of_a_class_take_turns_and_delay_nobody_else(app):
    async def answered_meanwhile() -> int:
        async with AsyncExitStack() as sessions:
            bystander, *learners = [await sessions.enter_async_context(visitor(app)) for _ in range(1 + CLASS)]
            links = [f"v={VERSION}&train_seed={n}&vectors=news&scene=analogy" for n in range(CLASS)]
            trained = asyncio.gather(*(who.follow("word2vec", link) for who, link in zip(learners, links, strict=True)))
            answers = 0
            while not trained.done():
                assert faults(await bystander.open("lookup", f"seed={answers}")) == []
                answers += not trained.done()
            waited = [any(WAITS.encode() in raw for raw in answer.raw) for answer in await trained]
            assert [answer.exceptions for answer in await trained] == [[]] * CLASS
            assert any(waited)
            return answers

    assert finish(answered_meanwhile()) > CLASS


# Inputs that are small to send and large to compute


def test_links_at_and_beyond_limits_are_answered_on_every_page(app):
    bomb = pack("a" * 10_000_000)
    limit = f"the limit is {MAX_TEXT_CHARS:,}".replace(",", "\\,")
    sizes = f"V={MAX_VOCAB_SIZE}&D={MAX_DIM}&T=1024&B=64&stride=1"

    async def steps(who: Visitor) -> None:
        for page in PAGES:
            message = "819\\.3 MB" if page not in ("errors", "word2vec", "glossary") else ""
            check(await who.follow(page, f"v={VERSION}&{sizes}"), message)
            check(await who.open(page, f"v={VERSION}&V={'9' * 4_000}&D={'9' * 4_000}&T=1e400&B=inf&seed=-{'9' * 400}"))
            check(await who.open(page, f"v={VERSION}&{sizes}&packed_text={bomb}"), limit)
            check(await who.open(page, f"v={VERSION}&V=50257&D=16&ids={'7;' * MAX_TYPED_IDS}"))

    answered(app, steps)


def test_file_is_read_again_after_a_moment_without_connection(app):
    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", UPLOAD)
        check(await who.upload(page.widget("file_uploader"), "mine.txt", b"king 1 0\nman 1 1\n"), "2 words of your")
        await who.socket.close()
        async with visitor(app, who.session_id) as again:
            again.page_hash = who.page_hash
            check(await again.change(who.uploaded), "2 words of your")  # as a browser does when it reconnects
            assert again.session_id == who.session_id

    answered(app, steps)


@pytest.mark.parametrize("text", ["👩‍👩‍👧 " * 300_000, RANDOM_WORD], ids=["families", "word"])
def test_longest_texts_are_cut_on_every_page(app, text):
    async def steps(who: Visitor) -> None:
        before = app.megabytes
        await who.open("tokens")
        page = await who.press("panel_text")
        for kind, entry in page.widgets:
            if kind in ("text_area", "text_input"):
                check(await who.change((entry.id, "string_value", text)))
        state = AppState({}, text=clean_text(text)[0])
        own = urlencode(to_query(state))  # the text itself, or its key
        typed = f"ids={quote_plus(text[:MAX_LINE_CHARS])}&batch={MAX_TEXT_CHARS}"
        for lesson in LESSONS.values():
            link = f"{own}&{typed}&tokenizer=words&V=50257&T=3&B=1&stride=1&head=text"
            check(await who.follow(lesson.url_path, link))
            check(await who.open(lesson.url_path, f"{own}&head=text&tokenizer=gpt2&V=50257&D=16&T=1024&B=64&stride=1"))
            assert not lesson.takes_text or who.last.widget("panel_text").label == first_words(state)
        assert app.megabytes < before + MEGABYTES_OF_A_TEXT

    answered(app, steps)


def test_ten_largest_tables_at_once_stay_below_the_limit(app):
    async def learner(seed: int) -> None:
        async with visitor(app) as who:
            for page in ("lookup", "one_hot", "positions", "combine"):
                link = f"v={VERSION}&V={MAX_TABLE_CELLS // MAX_DIM}&D={MAX_DIM}&T=1&B=64&seed={seed}&ids=1+2+3"
                check(await who.follow(page, link), sessions=CLASS)

    async def together() -> None:
        await asyncio.gather(*map(learner, range(CLASS)))

    finish(together())
    assert app.peak_megabytes < MEGABYTES
