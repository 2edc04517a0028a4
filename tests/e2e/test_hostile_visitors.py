"""Hostile visitors of a real server: each is answered in time, gets its page back, and nothing of the others."""

import asyncio
import gzip
import json
import pickle
import random
import re
import string
from collections import Counter
from contextlib import AsyncExitStack
from itertools import cycle
from statistics import mean, median
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
from components.base.link import VERSION, AppState, to_query
from components.base.packed_text import pack
from components.base.settings import SYMBOLS, Settings
from components.entry import LESSONS
from components.failures.catalogue import FAILURES
from components.lessons.word2vec.choices import VIEWS
from components.ui.text_entry import first_words
from components.ui.waiting import WAITS

from .server_processes import Server
from .websocket_client import Answer, Visitor, finish, visitor

PAGES = [lesson.url_path for lesson in LESSONS.values()]
SESSIONS, MOVES = 4, 5  # sessions at once; each opens every page, for so many inputs
SECONDS_TO_REPLY = 2.0  # of CPU time, so that other programs do not count
MEGABYTES = 690  # what a small server guarantees
OWN_CHOICES = [name for lesson in LESSONS.values() for name in field_types_of(lesson.choices)]
PARAMETERS = [*dict.fromkeys((*field_types_of(Settings), *OWN_CHOICES, *SYMBOLS, "v", "present"))]
PARAMETERS += ["text", "packed_text", "long_text"]
MARKER = re.compile(rb"zq[0-9a-f]{12}qz")
MARKED = "zq0123456789abqz"
LARGEST_ANSWER = 4_000_000  # bytes
MEGABYTES_OF_A_TEXT = 100  # limit for a session that has entered megabytes into every field
CLASS = 10
TRAINED_AT_ONCE = 20
RANDOM_WORD = "".join(random.Random(1).choices(string.ascii_letters, k=MAX_TEXT_CHARS))
UPLOAD = f"v={VERSION}&vectors=upload&view=map"
# Each would be rendered as something else, or loaded, if a page interpreted it as Markdown or HTML.
CANARIES = ("](http://canary.invalid", ":red[canary", "$canary$", "**canary**", "`canary`", "<img src=canary")
OBEYED = "![c](http://canary.invalid/c.png) :red[canary] $canary$ **canary** `canary` <img src=canary>"
MARKDOWN = re.compile(r"^\s*(?:body|label|help|captions?|options|content|text): (.*)$", re.MULTILINE)
# As protobuf writes them, also within JSON; with more backslashes it is an escape of Python. No page has these itself.
REORDERING = re.compile(r"\\342\\200\\256|\\342\\201\\246|(?<!\\)\\\\u(?:202e|2066)")
ENTERED = ("text_area", "text_input", "code")
AS_TYPED = ("text", "selectbox", "slider")  # elements whose text, or whose options, are not rendered as Markdown
TEXTS = (
    "",
    "a\0\x01\x07\x1b[31m\x7f\x85b\r\n\t\u2028",
    "\u202e\u2066right to left\u2069 שלום مرحبا e\u0301 \ufeff\uffff\U0010ffff 👩‍👩‍👧‍👦",
    f"| {OBEYED} |\n| --- |\n# {OBEYED}\n> {OBEYED}\n```\n{OBEYED}",
    "<script>alert(1)</script><svg/onload=alert(2)> &lt;b&gt; %3Cscript%3E \\frac{1}{0} $$\\input{/etc/passwd}$$",
    "../../../../etc/passwd %s%n {0} {x!r} ${jndi:ldap://x} {{7*7}} '; --",
    "<|endoftext|><|im_start|> <pad> <unk> NaN Infinity None ١٢٣ ²",
    "word " * 700,
)
NUMBERS = ("0", "-1", "+7", "1e400", "NaN", "inf", "0x10", "1_000", "6.5", "٣", "9" * 5_000, str(2**63), str(-(2**64)))
ROWS = ("1 2; 3", "[" * 900, "1;" * 400, "-1 2 3", "1.5 2", "9999999999999 1", "[[1, 2], [3, 4]]", "[[1], [[2]]]")
GRAMMARS = ("a", ": :", "a: b\n[b]", "[b]", "a: b\n[b] [b] [b]\na - a + a = a", "a: " + "f " * 900)
WHOLES = (0, -1, 2, 7, 2**31, 2**53, 2**63 - 1, -(2**63))
FLOATS = (0.0, 1e-320, 1e308, -1e308, 0.1, float("nan"), float("inf"))
FILES = ("words.txt", "../../etc/passwd", "x" * 300, "a'b<b>.gz", "$canary$ **canary**.txt")
# Parameters with which a page has more widgets, so that there is more to attack.
DOORS = {
    "errors": [f"experiment={name}&ran=1" for name in FAILURES],
    "word2vec": [*(f"vectors=grammar&view={view}" for view in VIEWS), *["vectors=upload&view=map"] * 4],
    "training": ["train_steps=9&optimizer=adamw", "train_steps=3&tied=1&position=none", "train_steps=0"],
}
SIZES = ["V=50257&D=16&T=4&B=2&tokenizer=gpt2&ids=", "V=60&D=8&T=3&B=2&tokenizer=words&ids=&position=sinusoidal"]
SIZES += ["V=9&D=3&ids=1+2;3+4&position=learned", "V=9&D=3&ids=8+9&scale=1&position=none"]


def faults(answer: Answer, marker: str = "", sessions: int = 1) -> list[str]:
    """Return what is wrong with an answer, for any input, if so many sessions are served at once."""
    everything = b"\n".join(answer.raw)
    wrong = [f"exception: {message[:60]}" for message in answer.exceptions]
    wrong += [f"the words of another session: {each}" for each in {*MARKER.findall(everything)} - {marker.encode()}]
    wrong += ["a traceback on the page"] if b"Traceback (most recent" in everything else []
    wrong += ["late"] if answer.cpu_seconds > SECONDS_TO_REPLY * sessions and not answer.has_progress else []
    for kind, element in answer.elements:
        words = str(element)
        if kind not in AS_TYPED:
            wrong += [f"{kind} obeys {each}" for found in MARKDOWN.findall(words) for each in CANARIES if each in found]
        if kind not in ENTERED and REORDERING.search(words):
            wrong.append(f"{kind} has a character that changes the direction of others")
        if getattr(element, "allow_html", False) or kind in ("html", "iframe"):
            wrong += ["HTML with a visitor's words"] if "canary" in words or MARKER.search(words.encode()) else []
        if kind == "bidi_component" and element.component_name == "figure":  # in which words are escaped
            wrong += ["markup of a visitor in a figure"] if re.search("<img src=canary|<script>alert", words) else []
            try:
                fromstring(json.loads(element.bytes)["svg"])
            except ParseError as error:
                wrong.append(f"a figure that is no XML: {error}")
    return wrong


class Hostile:
    """A visitor with a marker of its own in all inputs."""

    def __init__(self, who: Visitor, seed: int) -> None:
        self.who, self.wrong, self.sent = who, [], Counter()
        self.draw = random.Random(seed)
        self.choose = self.draw.choice
        self.marker = f"zq{self.draw.randbytes(6).hex()}qz"
        self.names = cycle(self.draw.sample(PARAMETERS, len(PARAMETERS)))

    def text(self) -> str:
        noise = "".join(map(chr, self.choose((range(32), range(0xD800)))[:: self.draw.randrange(1, 999)]))
        made = self.choose((noise, self.choose(NUMBERS + ROWS + GRAMMARS), *self.draw.sample(TEXTS, 4)))
        return self.choose((made, f"{self.marker} {made}", f"{made}{self.marker}"))

    def packed(self) -> str:
        """Return a compressed text for a link: a short one or megabytes, whole, cut or with more behind it."""
        made = pack(self.choose((self.marker * 9, " " * 2_000_000)))
        return self.choose((made, made[:-3], made + made))

    def query(self, count: int) -> str:
        """Return the next parameters of a link, in most cases with the version."""
        pairs = [f"v={VERSION}"] if self.draw.random() < 0.9 else []
        for name in (next(self.names) for _ in range(count)):
            value = self.packed() if name == "packed_text" else self.choose((self.choose(NUMBERS), self.text()))
            pairs.append(f"{name}={self.choose((quote_plus(value), f'%00%ff%ed%a0%80{quote_plus(value)}'))}")
        return "&".join(pairs + self.choose(([], pairs[:1], ["x=1", "=", "&&", ";", f"%zz={self.marker}"])))

    def value_of(self, kind: str, widget: Message) -> tuple[str, object] | None:
        """Return a field of the protocol and a hostile value that a browser could send for this widget."""
        options = [getattr(each, "content", each) for each in getattr(widget, "options", ())]
        if kind in ("text_input", "text_area"):
            return "string_value", self.text()
        if kind == "number_input":
            floats = FLOATS if widget.data_type == widget.FLOAT else ()
            return "double_value", float(self.choose((*WHOLES, *floats, self.draw.randrange(300))))
        if kind == "slider" and not options:
            return "double_array_value", [self.choose((*WHOLES, *FLOATS[:5], widget.max))]
        if kind in ("slider", "button_group"):
            return "string_array_value", self.choose(([self.choose(options)], [self.text()], [], options[:3]))
        if kind in ("selectbox", "radio"):
            return "string_value", self.choose(options or [""])
        return {"checkbox": ("bool_value", True), "button": ("trigger_value", True)}.get(kind)

    def file(self) -> tuple[str, bytes]:
        """Return the name and the content of a file."""
        rows = f"{self.marker} 0.5 1\nqueen 0.25 -1\nking 1 1\n".encode()
        packed = [gzip.compress(rows), gzip.compress(bytes(3_000_000)), gzip.compress(rows)[:-5]]
        broken = [pickle.dumps({self.marker: 1}), b"1000000000 1000\n\xff" * 50, b""]
        return self.choose((*FILES, self.marker)), self.choose((rows, *packed, *broken))

    async def judge(self, sort: str, done: str, doing) -> None:
        """Wait for an answer and record what is wrong with it."""
        answer = await doing
        self.sent[sort] += 1
        self.wrong += [f"{fault} after {done[:300]}" for fault in faults(answer, self.marker, SESSIONS)]

    async def move(self, page: str) -> None:
        """Send one hostile input: a link, a file, a page that is none, or the values of a few widgets."""
        widgets, dice = self.who.last.widgets, self.draw.random()
        uploads = [each for kind, each in widgets if kind == "file_uploader"]
        if dice < 0.05:
            message = BackMsg()
            message.rerun_script.page_name = self.choose(("nowhere", "../app", "pages/tokens.py", *TEXTS))
            message.rerun_script.page_script_hash = self.choose(("", "f" * 32, self.marker))
            await self.judge("page", f"the page {message.rerun_script!s}", self.who.say(message))
        elif dice < 0.25 or not widgets:
            link = self.query(5)
            await self.judge("link", f"the link {link!r}", self.who.open(page, link))
        elif self.draw.random() < 0.6 and uploads:
            name, content = self.file()
            await self.judge("file", f"the file {name!r} {content[:99]!r}", self.who.upload(uploads[0], name, content))
        else:
            entered = self.draw.choices(widgets, k=self.choose((1, 1, 3)))
            made = [(each.id, *value) for kind, each in entered if (value := self.value_of(kind, each))]
            message, parts = self.who.changing(*made), self.who.last.parts
            began = max((n for n, part in enumerate(parts) if part.HasField("new_session")), default=0)
            # Streamlit does not answer if a fragment is gone; a browser sends that of the widget.
            fragments = sorted({part.delta.fragment_id for part in parts[began:]} - {""})
            message.rerun_script.fragment_id = self.choose(("", *fragments))
            sort = "fragment" if message.rerun_script.fragment_id else "entry"
            await self.judge(sort, f"the entries {made}", self.who.say(message))

    async def visit(self) -> None:
        """Open every page by a link, in an order of its own, and send inputs to it."""
        for page in self.draw.sample(PAGES, len(PAGES)):
            door = f"text={self.marker}+and+more+of+the+river&v={VERSION}&{self.draw.choice(DOORS.get(page, SIZES))}"
            await self.judge("door", f"/{page}?{door}", self.who.follow(page, door))
            for _ in range(MOVES):
                await self.move(page)


def complaints(log: str) -> list[str]:
    """Return the lines of the server's log about errors."""
    return [line for line in log.splitlines() if "Traceback" in line or "Uncaught" in line or "Error" in line]


async def check_new_session(app: Server) -> None:
    """Open a page in a new session, and check that it is complete."""
    async with visitor(app) as who:
        answer = await who.open("lookup", f"V=50257&D=16&text={MARKED}+by+the+river")
        assert faults(answer, MARKED) == []
        assert "the words of another session" in faults(answer)[0]
        assert len(answer.widgets) > 10


@pytest.fixture(scope="module", autouse=True)
def warm(app: Server) -> None:
    """Open every page once: the first sessions wait for imports."""

    async def open_all() -> None:
        async with visitor(app) as who:
            for page in PAGES:
                await who.open(page)

    finish(open_all())


def test_hostile_inputs_are_answered_in_time_without_leaks(app):
    async def one(number: int) -> Hostile:
        async with visitor(app) as who:
            visit = Hostile(who, number)
            # on a session's first run every link is read, also one without a version
            await visit.judge("link", "a first link", who.open("", visit.query(9)))
            await visit.visit()
            return visit

    async def all_at_once() -> list[Hostile]:
        return await asyncio.gather(*map(one, range(SESSIONS)))

    finish(check_new_session(app))
    written = len(app.log())
    visits = finish(all_at_once())
    assert [fault for each in visits for fault in each.wrong] == [], app.log()[written:][:20_000]
    sent = sum((each.sent for each in visits), Counter())
    assert sent["link"] * 5 > len(PARAMETERS)
    for sort, fewest in {"entry": 50, "fragment": 50, "file": 5, "page": 2}.items():
        assert sent[sort] > fewest, sent
    assert complaints(app.log()[written:]) == []
    assert app.peak_megabytes < MEGABYTES


INVALID = [
    ("number_input", "double_value", float("nan")),
    ("number_input", "json_value", "{{{"),
    ("slider", "bool_value", True),
    ("selectbox", "string_value", "not among the options"),
    ("file_uploader", "string_value", "x"),
    ("text_area", "bytes_value", b"\xff\xfe"),
    ("text_area", "int_value", 7),
    ("button_group", "string_value", "x"),
]
NEVER_SENT = (5, None, [], [1], "x", {}, {"lesson": [1]}, {"nonsense": 1}, {"row": [1], "position": 10**30})


def test_invalid_message_disturbs_only_its_own_session(app):
    written = len(app.log())

    async def send() -> None:
        async with visitor(app) as bystander:
            await bystander.open("tokens")
            for kind, name, value in INVALID:
                async with visitor(app) as sender:
                    page = await sender.open("tokens")
                    panel = "panel_text" if kind in ("file_uploader", "text_area") else "panel_settings"
                    page = page if kind in dict(page.widgets) else await sender.press(panel)
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
            for noise in (b"\xff\xff", bytes(1_000), "a line of text"):
                async with visitor(app) as sender:
                    await sender.socket.send(noise)
                    await asyncio.wait_for(sender.socket.wait_closed(), 30)
            assert faults(await bystander.open("tokens", "text=still+here")) == []

    finish(send())
    finish(check_new_session(app))
    assert "Traceback" not in app.log()[written:]


def test_log_of_what_a_browser_sends_is_bounded_and_cannot_be_forged(app):
    written = len(app.log())

    async def send() -> None:
        async with visitor(app) as who:
            await who.open("tokens")
            for size in (20_000, 1_000_000):
                message = BackMsg()
                message.backend_operation_request.session_id = who.session_id
                message.backend_operation_request.request_id = f"{'x' * size}\nforged\x1b[31m"
                await who.say(message)
                message = who.changing()
                message.rerun_script.fragment_id = f"{'x' * 99}\nforged{'x' * size}"
                await who.socket.send(message.SerializeToString())  # without an answer
            await who.open("tokens")

    finish(send())
    lines = app.log()[written:].splitlines()
    assert len(lines) == 4
    assert all(line[:4].isdigit() and len(line) < 3_000 and line.isprintable() for line in lines), lines


def test_flood_from_one_session_delays_no_other(app):
    async def flood() -> float:
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
            assert faults(answer) == []
            message.rerun_script.page_name, message.rerun_script.query_string = "glossary", ""
            await sender.say(message)
            while sender.page_hash != last:
                await sender.listen()
            return answer.cpu_seconds

    assert finish(flood()) < SECONDS_TO_REPLY * 2


def test_downloaded_file_is_that_of_its_own_session(app):
    async def text_of(who: Visitor, text: str) -> bytes:
        await who.open("tokens", f"text={text}")
        dialog = await who.press("open_download")
        files = [widget for kind, widget in dialog.widgets if kind == "download_button"]
        return await who.download(next(file for file in files if file.label == "Your text"))

    async def both() -> list[bytes]:
        async with visitor(app) as owner, visitor(app) as other:
            return [await text_of(owner, "mine"), await text_of(other, "another")]

    assert finish(both()) == [b"mine", b"another"]


def test_characters_that_are_not_seen_are_shown_as_codes(app):
    a, b, c, unknown = (quote_plus(f"\u202e{letter}\u2066\x01\uffff") for letter in "abcd")
    trained = f"vectors=text&text={a}+{b}+{c}.+{a}+{c}"
    links = {
        "attention": [f"head=order&fruits={a}+{b}+{c}", f"head=meaning&pairs={a}+{b},{c}+{unknown}", f"pairs={a}"],
        "errors": [f"experiment={name}&ran=1&lab_word={a}&lab_key={a}&lab_text={a}" for name in FAILURES],
        "glossary": [f"term={a}"],
        "tokens": [f"text={a}+{b}", f"ids={a}", f"seed={a}&tokenizer={b}&room={c}"],
        "training": [f"tokenizer=words&text={a}+{b}+{a}+{c}+{a}&T=2&train_steps=2&prompt={unknown}"],
        "word2vec": [
            f"{trained}&scene={scene}&word_a={unknown}&near={unknown}" for scene in ("step", "film", "analogy")
        ],
    }

    async def steps(who: Visitor) -> None:
        for page, queries in links.items():
            for query in queries:
                check(await who.follow(page, f"v={VERSION}&{query}"))
        vectors = "".join(f"\u202e{letter}\u2066x {n} {n * n % 7} 1\n" for n, letter in enumerate("abcdefgh", 1))
        for view in VIEWS:
            words = f"near={a}&words={a}+{b}+{c}&word_a={a}&word_b={b}&word_c={unknown}"
            page = await who.follow("word2vec", f"v={VERSION}&vectors=upload&view={view}&{words}")
            check(await who.upload(page.widget("file_uploader"), "\u202etxt.gz", vectors.encode()))

    answered(app, steps)


@pytest.mark.parametrize("lesson", ["word2vec", "attention"])
def test_trainings_of_a_class_delay_nobody_else(app, lesson):
    async def slowdown() -> float:
        async with AsyncExitStack() as sessions:
            bystander, *learners = [
                await sessions.enter_async_context(visitor(app)) for _ in range(1 + TRAINED_AT_ONCE)
            ]
            for each in (bystander, *learners):
                await each.open(lesson)

            async def seconds(seed: int) -> float:
                answer = await bystander.open("lookup", f"seed={seed}")
                assert faults(answer) == []
                return answer.seconds

            quiet = [await seconds(seed) for seed in range(5)]
            links = [f"v={VERSION}&train_seed={n}&seed={n}&vectors=news&scene=analogy" for n in range(TRAINED_AT_ONCE)]
            trained = asyncio.gather(*map(Visitor.open, learners, cycle([lesson]), links))
            busy = [await seconds(9)]
            while not trained.done():
                busy.append(await seconds(10 + len(busy)))
                await asyncio.sleep(0.05)
            answers = await trained
            assert [each.exceptions for each in answers] == [[]] * TRAINED_AT_ONCE
            assert any(WAITS.encode() in b"".join(each.raw) for each in answers)
            return mean(busy) / median(quiet)

    assert finish(slowdown()) < 10


# Inputs that are small to send and large to compute


def check(answer: Answer, message: str = "", sessions: int = 1) -> None:
    """Check that an answer is a page, in time, of bounded size, and contains a message."""
    assert faults(answer, sessions=sessions) == []
    assert sum(map(len, answer.raw)) < LARGEST_ANSWER
    assert message.encode() in b"".join(answer.raw)


def answered(app: Server, steps) -> None:
    """Run the steps of one visitor, and check the memory and that another is served afterwards."""

    async def run() -> None:
        async with visitor(app) as who:
            await who.open("")
            await steps(who)

    finish(run())
    finish(check_new_session(app))
    assert app.peak_megabytes < MEGABYTES


def test_links_at_and_beyond_every_limit_are_answered_on_every_page(app):
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


def test_file_is_read_again_after_the_connection_was_lost_for_a_moment(app):
    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", UPLOAD)
        check(await who.upload(page.widget("file_uploader"), "mine.txt", b"king 1 0\nman 1 1\n"), "2 words of your")
        await who.socket.close()
        async with visitor(app, who.session_id) as again:
            again.page_hash = who.page_hash
            check(await again.change(who.uploaded), "2 words of your")  # as a browser does when it reconnects
            assert again.session_id == who.session_id

    answered(app, steps)


@pytest.mark.parametrize("text", ["a " * 1_000_000, "👩‍👩‍👧" * 300_000, RANDOM_WORD], ids=["words", "families", "word"])
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
            link = f"{own}&{typed}&tokenizer=words&V=50257&T=3&B=1&stride=1"
            check(await who.follow(lesson.url_path, link))
            check(await who.open(lesson.url_path, f"{own}&tokenizer=gpt2&V=50257&D=16&T=1024&B=64&stride=1"))
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
