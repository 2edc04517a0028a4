"""A class in one room on one process: learners wander and come back, vote, and see the result."""

import asyncio
import random
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

import numpy as np

from bench.servers import PAGES, over, verdict, visit_all
from components.base.link import VERSION
from components.rooms.store import RoomStore
from tests.e2e.class_visitor import ASKED, SECRET, Member, member
from tests.e2e.server_processes import Server, running_server

SIZES = (100, 300)
VOTE, REVEAL, ERRORS = 250, {100: 4.0, 300: 7.0}, 0  # ms at the 95th percentile, seconds, failures
TICK, MESSAGES = 5.0, 8  # ms of CPU, and messages of a tick
TICKS = 100
SECONDS_TO_VOTE = 20.0
JOINING_AT_ONCE = 10


@dataclass
class Measured:
    """What the members of a class measured, in milliseconds and seconds."""

    votes: list[float] = field(default_factory=list)
    revealed: list[float] = field(default_factory=list)
    failures: int = 0


async def attend(who: Member, measured: Measured, draw: random.Random, revealed: asyncio.Future) -> None:
    """Explore a lesson and come back, vote once the question is there, and wait for the result."""
    if draw.random() < 0.3:
        own = await who.who.open(draw.choice(PAGES), f"v={VERSION}&room={who.code}")
        measured.failures += len(own.exceptions)
        who.take(await who.who.open("", f"room={who.code}"))
    await who.until("room_vote_1_1_0", SECONDS_TO_VOTE)
    await asyncio.sleep(draw.uniform(0, SECONDS_TO_VOTE / 2))
    answer = await who.vote(draw.randrange(4))
    measured.votes.append(answer.seconds * 1000)
    measured.failures += len(answer.exceptions)
    while not who.shows("Correct answer"):
        await asyncio.sleep(who.seconds_between_looks)
        measured.failures += len((await who.look()).exceptions)
    measured.revealed.append(time.monotonic() - await revealed)


async def run_class(server: Server, store: RoomStore, size: int) -> str:
    """Let a class of this size go through a vote; return a line of the table."""
    await visit_all(server.address)
    code, measured = store.open(SECRET, "lookup", f"v={VERSION}"), Measured()
    revealed = asyncio.get_running_loop().create_future()
    async with AsyncExitStack() as stack:
        members: list[Member] = []
        for start in range(0, size, JOINING_AT_ONCE):
            numbers = range(start, min(size, start + JOINING_AT_ONCE))
            joining = (stack.enter_async_context(member(server.address, code, n)) for n in numbers)
            members += await asyncio.gather(*joining)
        store.ask(code, SECRET, 0, ASKED)
        drawn = random.Random(size)
        work = [asyncio.create_task(attend(each, measured, drawn, revealed)) for each in members]
        until = time.monotonic() + 3 * SECONDS_TO_VOTE
        while store.read(code).answered < size and time.monotonic() < until:
            await asyncio.sleep(0.5)
        store.close(code, SECRET, 1)
        await asyncio.sleep(2 * max(2.0, size / 60))
        store.reveal(code, SECRET, 2)
        revealed.set_result(time.monotonic())
        results = await asyncio.gather(*work, return_exceptions=True)
    measured.failures += sum(isinstance(each, BaseException) for each in results)
    counted = sum(store.counts(code, 1, 4).get(1, []))
    store.end(code, SECRET)
    (median, p95), slowest = np.percentile(measured.votes, [50, 95]), max(measured.revealed, default=float("inf"))
    missing = [over(p95, VOTE, " ms"), over(slowest, REVEAL.get(size, 7.0), " s"), over(measured.failures, ERRORS, "")]
    missing += [f"{size - counted} votes not counted"] if counted < size else []
    return (
        f"| {size} | {median:.0f} ms | {p95:.0f} ms "
        f"| {np.percentile(measured.revealed, 50):.1f} s | {slowest:.1f} s "
        f"| {measured.failures} | {server.peak_megabytes:.0f} MB | {verdict(*missing)} |"
    )


async def measure_tick(server: Server, store: RoomStore) -> str:
    """Return what a tick of a learner costs."""
    code = store.open(SECRET, "lookup", f"v={VERSION}")
    async with member(server, code, 1) as learner:
        answers = [await learner.look() for _ in range(TICKS)]
    store.end(code, SECRET)
    cpu = 1000 * sum(answer.cpu_seconds for answer in answers) / TICKS
    messages = max(len(answer.parts) for answer in answers)
    result = verdict(over(cpu, TICK, " ms"), over(messages, MESSAGES, " messages"))
    return f"A tick: {cpu:.1f} ms of CPU, {messages} messages: {result}."


def measure(sizes: tuple[int, ...] = SIZES) -> None:
    """Print the table, a line for each size of a class."""
    print("| learners | vote, median | 95th percentile | result, median | on all | errors | memory | missing |")
    print("| --- " * 8 + "|")
    for size in sizes:
        with TemporaryDirectory() as folder, running_server(env={"EMBEDDING_LAB_CACHE": folder}) as server:
            store = RoomStore(f"sqlite:///{folder}/rooms.sqlite3")
            print(asyncio.run(run_class(server, store, size)), flush=True)
            if size == sizes[-1]:
                print(f"\n{asyncio.run(measure_tick(server, store))}")
            store.dispose()
