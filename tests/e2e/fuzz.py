"""Thousands of hostile inputs from several sessions: each gets its page back, and nothing of the others.

python -m tests.e2e.fuzz --inputs 20000 --sessions 4 --seed 1

A reply is late if the server used more than SECONDS_TO_REPLY of CPU time for each session that was waiting at the same
time: other programs on the machine do not count, nor that the sessions wait for each other.
"""

import argparse
import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .hostile_inputs import CANARIES, PARAMETERS, TEXTS, door, file, query, value_of
from .page_actions import LESSONS, path_of
from .server_processes import Server, running_server
from .websocket_client import Answer, Visitor, visitor

SECONDS_TO_REPLY = 2.0
MEGABYTES = 690  # what a small server guarantees
SECONDS_TO_WARM_UP = 4.0
PAGES = [path_of(lesson) for lesson in LESSONS]
MOVES_ON_A_PAGE = 20
PAGES_IN_A_SESSION = 5  # then a new one: on a session's first run every link is read, of any version
KEY = re.compile(r"\$\$[\w-]*?-[0-9a-f]{32}-(?P<key>.+?)(_[0-9a-f]{8})?(\.\d+)?$")
MARKER = re.compile(rb"zq[0-9a-f]{12}qz")
OBEYS_HTML = ("html", "iframe", "component_instance", "bidi_component")
MARKDOWN = ("body", "label", "help", "caption", "captions", "options", "content", "text")
AS_TYPED = ("new_element.selectbox.options", "new_element.slider.options", "new_element.text.body")


@dataclass
class Found:
    """The results: how many inputs of which sort, what is wrong, and how long the replies took."""

    inputs: Counter = field(default_factory=Counter)
    tried: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    replies: list[tuple[float, float, bool, str]] = field(default_factory=list)
    recognised: int = 0  # answers that contain the session's own marker
    fragments: int = 0  # inputs that reran a fragment only
    asking: set = field(default_factory=set)  # the sessions that wait for an answer


def markdown_in(part: Message, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string of an element that is rendered as Markdown, with its path in the message."""
    for descriptor, value in part.ListFields():
        inner = f"{path}.{descriptor.name}".lstrip(".")
        if descriptor.type == FieldDescriptor.TYPE_MESSAGE:
            for each in value if descriptor.is_repeated else [value]:
                if descriptor.message_type.name not in ("ArrowData", "ArrowNamedDataSet"):
                    yield from markdown_in(each, inner)
        elif descriptor.type == FieldDescriptor.TYPE_STRING and descriptor.name in MARKDOWN and inner not in AS_TYPED:
            yield from ((inner, each) for each in (value if descriptor.is_repeated else [value]))


def control_of(kind: str, widget: Message) -> str:
    """Return the name of a control: its key without version, or its label; both may contain what was entered.

    >>> from streamlit.proto.Button_pb2 import Button
    >>> control_of("button", Button(id=f"$$ID-{'0' * 32}-panel_text", label="The river bank is steep."))
    'panel_text button'
    """
    keyed = KEY.match(widget.id)
    name = keyed["key"] if keyed and keyed["key"] != "None" else getattr(widget, "label", "").split(",")[0]
    return f"{re.sub('_[0-9a-f-]{36}$', '', name)} {kind}"


def faults(answer: Answer, marker: str) -> list[str]:
    """Return what is wrong with an answer, for any input."""
    wrong = [f"exception: {message[:60]}" for message in answer.exceptions]
    everything = b"\n".join([*answer.raw, answer.file])
    if b"Traceback (most recent" in everything:
        wrong.append("a traceback on the page")
    if others := set(MARKER.findall(everything)) - {marker.encode()}:
        wrong.append(f"the words of another session: {others}")
    for part, raw in zip(answer.parts, answer.raw, strict=True):
        if b"canary" not in raw and not (marker and marker.encode() in raw):
            continue
        element = part.delta.new_element
        kind = element.WhichOneof("type")
        if kind in OBEYS_HTML or (kind == "markdown" and element.markdown.allow_html):
            wrong.append(f"HTML with a visitor's words: {kind}")
        obeyed = ((path, canary) for path, words in markdown_in(part.delta) for canary in CANARIES if canary in words)
        wrong += [f"{path} obeys {canary}" for path, canary in obeyed]
    return wrong


class Hostile:
    """A visitor, one session after another, with a marker of its own in all inputs."""

    def __init__(self, app: Server, found: Found, seed: int) -> None:
        self.app, self.found, self.draw = app, found, random.Random(seed)
        self.marker = f"zq{self.draw.randbytes(6).hex()}qz"
        self.page = PAGES[seed % len(PAGES)]
        self.done = "nothing"
        self.most = 0  # sessions that waited at the same time as this one
        self.controls: dict[str, tuple[str, Message, str]] = {}  # of the page: kind, widget, fragment
        self.stale: list[tuple[str, Message, str]] = []  # those of the page before

    def least_tried(self, things: list, name=str) -> object:
        """Return one of those that all sessions together have tried least often."""
        tried = self.found.tried
        least = min(tried[self.page, name(thing)] for thing in things)
        chosen = self.draw.choice([thing for thing in things if tried[self.page, name(thing)] == least])
        tried[self.page, name(chosen)] += 1
        return chosen

    async def judge(self, sort: str, done: str, doing) -> Answer:
        """Wait for an answer and record what is wrong with it."""
        self.done, self.most = done, 0
        self.found.asking.add(self)
        for each in self.found.asking:
            each.most = max(each.most, len(self.found.asking))
        try:
            answer = await doing
        finally:
            self.found.asking.remove(self)
        self.found.inputs[sort] += 1
        self.found.replies.append(
            (answer.cpu_seconds, answer.seconds, answer.said_early, f"/{self.page}: {done[:200]}")
        )
        self.found.recognised += any(self.marker.encode() in raw for raw in answer.raw)
        self.update_controls(answer)
        wrong = faults(answer, self.marker)
        if answer.cpu_seconds > SECONDS_TO_REPLY * self.most and not answer.said_early:
            wrong.append(f"{answer.cpu_seconds:.1f} s of CPU time for a reply")
        self.found.wrong += [f"/{self.page}: {fault} after {done[:300]}" for fault in wrong]
        return answer

    def update_controls(self, answer: Answer) -> None:
        """Keep what can be changed on the page; the run of a fragment replaces the controls of that fragment."""
        if not answer.parts or answer.parts[-1].WhichOneof("type") != "script_finished":
            return
        kinds = [part.WhichOneof("type") for part in answer.parts]
        began = max((number for number, kind in enumerate(kinds) if kind == "new_session"), default=0)
        rendered = [part for part in answer.parts[began:] if part.WhichOneof("type") == "delta"]
        if answer.parts[-1].script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
            again = {part.delta.fragment_id for part in rendered}
            self.controls = {key: each for key, each in self.controls.items() if each[2] not in again}
        else:
            self.controls = {}
        for part in rendered:
            for kind, widget in Answer([part]).widgets:
                self.controls[widget.id] = (kind, widget, part.delta.fragment_id)

    async def move(self, who: Visitor) -> None:
        """Send one hostile input."""
        draw, dice = self.draw, self.draw.random()
        controls = list(self.controls.values())
        uploads = [widget for kind, widget, _ in controls if kind == "file_uploader"]
        downloads = [widget for kind, widget, _ in controls if kind == "download_button"]
        if dice < 0.27 or not controls:
            names = [self.least_tried(list(PARAMETERS)) for _ in range(draw.choice((1, 1, 2, 4)))]
            link = query(draw, names, self.marker)
            await self.judge("link", f"the link {link!r}", who.open(self.page, link))
        elif uploads and dice < 0.5:
            name, content = file(draw, self.marker)
            doing = who.upload(uploads[0], name, content)
            await self.judge("upload", f"the file {name!r} {content[:99]!r}", doing)
        elif downloads and dice < 0.7:
            button = self.draw.choice(downloads)
            await self.judge("download", f"the download {button.label}", who.download(button))
        elif dice < 0.32:
            message = BackMsg()
            message.rerun_script.page_name = draw.choice(("nowhere", "../app", "pages/tokens.py", *TEXTS))
            message.rerun_script.page_script_hash = draw.choice(("", who.page_hash, "f" * 32, self.marker))
            message.rerun_script.query_string = draw.choice(("", *TEXTS))
            await self.judge("page", f"the page {message.rerun_script!s}", who.say(message))
        else:
            await self.enter(who, self.stale if self.stale and dice > 0.97 else controls)

    async def enter(self, who: Visitor, controls: list[tuple[str, Message, str]]) -> None:
        """Change one widget, or a few at once; as in a browser, the rerun is that of the last one's fragment."""
        changes, last = [], ""
        for _ in range(self.draw.choice((1, 1, 1, 3))):
            kind, widget, fragment = self.least_tried(controls, lambda each: control_of(each[0], each[1]))
            if made := value_of(self.draw, kind, widget, self.marker):
                changes.append((widget.id, *made))
                last = fragment
        if changes:
            message = who.changing(*changes)
            message.rerun_script.fragment_id = last
            self.found.fragments += bool(last)
            done = f"the entries {[(each[0][-30:], *each[1:]) for each in changes]}"
            await self.judge("entry", done, who.say(message))

    async def visit(self, inputs: int) -> None:
        """Go from page to page until all sessions together have sent so many inputs."""
        while self.found.inputs.total() < inputs:
            self.controls, self.stale = {}, []
            async with visitor(self.app) as who:
                for number in range(PAGES_IN_A_SESSION):
                    await self.visit_page(who, inputs, first=number == 0)

    async def visit_page(self, who: Visitor, inputs: int, first: bool) -> None:
        """Open a page by a link, in most cases one that shows more of it, and send inputs to it."""
        # Without their fragments: the server ignores a message for a fragment that is not on the page.
        self.stale = [(kind, widget, "") for kind, widget, _ in self.controls.values()]
        self.page = self.least_tried(PAGES)
        link = f"text={self.marker}+and+more+of+the+river&{door(self.draw, self.page)}"
        if first and self.draw.random() < 0.5:
            link = query(self.draw, [self.least_tried(list(PARAMETERS)) for _ in range(4)], self.marker)
        opening = who.open(self.page, link) if first else who.follow(self.page, link)
        await self.judge("page", f"opening /{self.page}?{link}", opening)
        for _ in range(MOVES_ON_A_PAGE):
            if self.found.inputs.total() >= inputs:
                return
            await self.move(who)


async def attack(app: Server, inputs: int, sessions: int, seed: int) -> Found:
    """Send so many inputs from several sessions at once; return the results."""
    found = Found()
    visits = [Hostile(app, found, seed * 1_000 + number) for number in range(sessions)]
    results = await asyncio.gather(*(each.visit(inputs) for each in visits), return_exceptions=True)
    for each, result in zip(visits, results, strict=True):
        if isinstance(result, BaseException):
            found.wrong.append(f"/{each.page}: {result!r} after {each.done[:300]}")
    return found


async def warm(app: Server) -> None:
    """Open every page once, and wait until the server has loaded what it loads in the background."""
    async with visitor(app) as who:
        for page in PAGES:
            await who.open(page)
        await asyncio.sleep(SECONDS_TO_WARM_UP)


def main() -> None:
    """Attack a server started for this, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("inputs", 3_000), ("sessions", 4), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    with running_server() as app:
        asyncio.run(warm(app))
        before, start = app.megabytes, time.perf_counter()
        found = asyncio.run(attack(app, asked.inputs, asked.sessions, asked.seed))
        for reply in sorted(found.replies)[-12:]:
            print(reply)
        seconds = sorted(seconds for _, seconds, _, _ in found.replies)
        print(f"{found.inputs.total():,} inputs in {time.perf_counter() - start:.0f} s: {dict(found.inputs)}")
        print(f"{found.fragments:,} of them reran a fragment only")
        print(f"replies: median {seconds[len(seconds) // 2]:.3f} s, longest {seconds[-1]:.3f} s")
        print(f"memory: {before:.0f} MB before, {app.megabytes:.0f} MB after")
        print(f"log: {app.log()[-3_000:]}")
    for fault, times in Counter(found.wrong).most_common():
        print(f"{times} x {fault}")


if __name__ == "__main__":
    main()
