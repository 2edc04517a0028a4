"""A member of a class without a browser: it joins a room, polls it as often as a browser, and votes."""

import asyncio
import json
from contextlib import asynccontextmanager

from components.base.link import VERSION
from components.rooms.room import Asked
from tests.e2e.server_processes import Server
from tests.e2e.websocket_client import Answer, Change, Visitor, visitor

SECRET = "secret of the host"
ASKED = Asked("lookup", "shape", f"v={VERSION}", 4)


class Member:
    """A learner in a room, and the last whole page that was sent to it."""

    def __init__(self, who: Visitor, code: str, number: int) -> None:
        self.who, self.code, self.number = who, code, number
        self.page = Answer()
        self.seconds_between_looks = 2.0
        self.status_fragment = ""

    async def join(self) -> None:
        """Open the link as a browser does, and give the voter's number as its script does."""
        self.take(await self.who.open("", f"room={self.code}"))
        (mount,) = (each.id for _, each in self.page.widgets if each.id.endswith("-room_browser"))
        kept = {"code": self.code, "voter": f"{self.number:032x}", "claim": ""}
        trigger = f"$$STREAMLIT_INTERNAL_KEY_{mount}__events"
        await self.send((trigger, "json_trigger_value", json.dumps([{"event": "kept", "value": kept}])))

    async def look(self) -> Answer:
        """Run the live fragment, as the browser's timer does."""
        return await self.send(fragment=self.status_fragment)

    async def vote(self, option: int) -> Answer:
        """Press an option of the question on the page."""
        part = next(each for each in self.page.parts if f"-room_vote_{self.asked}_{option}" in str(each.delta)[:2_000])
        button = part.delta.new_element.button.id
        return await self.send((button, "trigger_value", True), fragment=part.delta.fragment_id)

    @property
    def asked(self) -> str:
        """Number and round of the question on the page, or ""."""
        ids = [each.id for kind, each in self.page.widgets if kind == "button" and "-room_vote_" in each.id]
        return ids[0].partition("-room_vote_")[2].rpartition("_")[0] if ids else ""

    def shows(self, text: str) -> bool:
        return any(text.encode() in raw for raw in self.page.raw)

    async def send(self, *changes: Change, fragment: str = "") -> Answer:
        message = self.who.changing(*changes, query=f"room={self.code}")
        message.rerun_script.fragment_id = fragment
        return self.take(await self.who.send(message))

    def take(self, answer: Answer) -> Answer:
        """Store an answer if it is a whole page."""
        timers = [part.auto_rerun for part in answer.parts if part.WhichOneof("type") == "auto_rerun"]
        if timers:
            live = min(timers, key=lambda timer: timer.interval)
            self.page, self.seconds_between_looks, self.status_fragment = answer, live.interval, live.fragment_id
        return answer

    async def until(self, text: str, seconds: float = 30.0) -> None:
        """Look at the room until the page shows a text. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not self.shows(text):
                await asyncio.sleep(self.seconds_between_looks)
                await self.look()


@asynccontextmanager
async def member(at: Server | str, code: str, number: int):
    async with visitor(at) as who:
        found = Member(who, code, number)
        await found.join()
        yield found
