"""Inputs that are small to send and large to compute: each is answered, and the memory is bounded."""

import asyncio
import gzip
import random
import string
import zlib
from base64 import urlsafe_b64encode
from contextlib import asynccontextmanager

import pytest
from streamlit.proto.FileUploader_pb2 import FileUploader

from components.base.limits import MAX_DIM, MAX_TABLE_CELLS, MAX_TEXT_CHARS, MAX_TYPED_IDS, MAX_VOCAB_SIZE
from components.vectors.limits import MAX_UPLOAD_CELLS

from .fuzz import MEGABYTES, PAGES, SECONDS_TO_REPLY, faults
from .page_actions import WITHOUT_TEXT
from .server_processes import Server, running_server
from .websocket_client import Answer, Visitor, finish, visitor

LARGEST_ANSWER = 4_000_000  # bytes
SECONDS_BETWEEN_MEASUREMENTS = 0.01
MEGABYTES_OF_A_TEXT = 100  # limit for a session that has entered megabytes into every field
SEEDS, CLASS = 1_000, 10
RANDOM_WORD = "".join(random.Random(1).choices(string.ascii_letters, k=MAX_TEXT_CHARS))


async def open_text_panel(who: Visitor, page: str, query: str) -> Answer:
    """Open a page by a link, with the panel of the text if it has one."""
    answer = await who.follow(page, query)
    button = next((widget for _, widget in answer.widgets if widget.id.endswith("-panel_text")), None)
    if button and "Your text" not in [widget.label for _, widget in answer.widgets]:
        answer = await who.change((button.id, "trigger_value", True))
    return answer


@asynccontextmanager
async def memory_watched(app: Server):
    """Measure the server's memory all the time; its maximum must be below the limit."""
    highest = app.megabytes

    async def measure() -> None:
        nonlocal highest
        while True:
            highest = max(highest, app.megabytes)
            await asyncio.sleep(SECONDS_BETWEEN_MEASUREMENTS)

    measuring = asyncio.create_task(measure())
    try:
        yield
    finally:
        measuring.cancel()
    assert highest < MEGABYTES


def check(answer: Answer, message: str = "", sessions: int = 1) -> None:
    """Check that an answer is a page, in time, of bounded size, and contains a message."""
    assert faults(answer, "") == []
    assert answer.cpu_seconds < SECONDS_TO_REPLY * sessions or answer.said_early
    assert sum(map(len, answer.raw)) < LARGEST_ANSWER
    assert message.encode() in b"".join(answer.raw)


def visit(app: Server, steps) -> None:
    """Run the steps of one visitor while measuring the memory, and check that another is served afterwards."""

    async def run() -> None:
        async with memory_watched(app), visitor(app) as who:
            await who.open("")
            await steps(who)
        async with visitor(app) as who:
            check(await who.open("lookup", "V=6&D=3&ids=2+3+5+1"), "[6, 3]")

    finish(run())


def deflated(content: bytes, times: int, wbits: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return b"".join(squeeze.compress(content) for _ in range(times)) + squeeze.flush()


@pytest.mark.parametrize("page", PAGES)
def test_largest_table_in_a_link_is_refused_with_its_size(app, page):
    async def steps(who: Visitor) -> None:
        message = "819\\.3 MB" if page not in ("errors", "word2vec", "glossary") else ""
        check(await who.follow(page, f"v=2&V={MAX_VOCAB_SIZE}&D={MAX_DIM}&T=1024&B=64&stride=1"), message)
        check(await who.open(page, f"v=2&V={'9' * 4_000}&D={'9' * 4_000}&T=1e400&B=inf&seed=-{'9' * 400}"))

    visit(app, steps)


def test_large_packed_text_is_unpacked_to_the_limit_only(app):
    bomb = urlsafe_b64encode(deflated(b"a" * 1_000_000, 300, -15)).decode().rstrip("=")

    async def steps(who: Visitor) -> None:
        for page in PAGES:
            message = f"the limit is {MAX_TEXT_CHARS:,}".replace(",", "\\,")
            check(await who.follow(page, f"v=2&packed_text={bomb}"), message)

    visit(app, steps)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (deflated(bytes(1_000_000), 500, 31), "unpacks to more than"),
        (gzip.compress(b"") * 200_000, "parts"),
        (deflated(gzip.compress(bytes(10_000_000)), 90, 31), "another gzip"),
        (b"50000 200\n" + b"\n" * 19_000_000, ""),
        (deflated(b"king " + b"1 " * 499_998 + b"\n", 50, 31), ""),
    ],
    ids=["zeros", "parts", "gzip in gzip", "line ends", "long lines"],
)
def test_file_that_unpacks_to_too_much_is_refused(app, content, message):
    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", "v=2&vectors=upload&view=map")
        check(await who.upload(uploader(page), "bomb.gz", content), message)

    visit(app, steps)


def uploader(page: Answer) -> FileUploader:
    """Return the field for a file of word vectors."""
    (widget,) = (widget for kind, widget in page.widgets if kind == "file_uploader")
    return widget


def test_uploads_of_all_sessions_have_a_limit_and_are_freed_when_one_leaves(app):
    words = MAX_UPLOAD_CELLS // 300
    rows = b"".join(b"w%d " % i + b"\0\0\x80?" * 300 for i in range(words))
    largest = gzip.compress(b"%d 300\n" % words + rows, 1)

    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", "v=2&vectors=upload&view=similarity&seed=7")
        async with visitor(app) as other:
            theirs = await other.follow("word2vec", "v=2&vectors=upload&view=similarity")
            check(await other.upload(uploader(theirs), "first.gz", largest), "33,333 words of your file first")
            check(await who.upload(uploader(page), "mine.gz", largest), "64\\.0 MB is the limit for all together")
        check(await who.upload(uploader(page), "mine.gz", largest), "33,333 words of your file mine")

    visit(app, steps)


def test_a_file_is_read_again_after_the_connection_was_lost_for_a_moment(app):
    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", "v=2&vectors=upload&view=map")
        check(await who.upload(uploader(page), "mine.txt", b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\n"), "3 words of your")
        await who.socket.close()
        async with visitor(app, who.session_id) as again:
            again.page_hash = who.page_hash
            check(await again.change(who.uploaded), "3 words of your")  # as a browser does when it reconnects
            assert again.session_id == who.session_id

    visit(app, steps)


@pytest.mark.parametrize("text", ["a " * 1_000_000, "👩‍👩‍👧" * 300_000], ids=["letters", "families"])
def test_million_typed_tokens_are_cut_on_every_page(app, text):
    async def steps(who: Visitor) -> None:
        before = app.megabytes
        for page in PAGES:
            drawn = await open_text_panel(who, page, "v=2&V=50257&D=16&T=4&B=2&stride=1")
            entries = [widget for kind, widget in drawn.widgets if kind in ("text_area", "text_input")]
            assert page in WITHOUT_TEXT or "Your text" in [widget.label for widget in entries]
            for entry in entries:
                check(await who.change((entry.id, "string_value", text)))
        assert app.megabytes < before + MEGABYTES_OF_A_TEXT

    visit(app, steps)


@pytest.mark.parametrize("word", ["x" * MAX_TEXT_CHARS, RANDOM_WORD], ids=["x", "random"])
@pytest.mark.parametrize("tokenizer", ["gpt2", "words"])
def test_word_of_100_000_characters_is_shortened_on_every_page(app, word, tokenizer):
    async def steps(who: Visitor) -> None:
        drawn = await who.open("tokens")
        entry = next(widget for kind, widget in drawn.widgets if kind == "text_area")
        check(await who.change((entry.id, "string_value", word)))
        for page in PAGES:
            last = f"T=1&B=1&stride=1&shuffle=1&batch={MAX_TEXT_CHARS}"
            for query in ("V=50257&D=16&T=1&B=2", "T=1024&stride=1&B=64&D=16", "T=3", last):
                check(await who.follow(page, f"v=2&tokenizer={tokenizer}&{query}"))

    visit(app, steps)


def test_most_ids_that_can_be_typed_are_answered_on_every_page(app):
    async def steps(who: Visitor) -> None:
        for ids in ("7 " * MAX_TYPED_IDS, "7;" * MAX_TYPED_IDS, "[" * 900, "9" * 900, "7 " * 499):
            for page in PAGES:
                check(await who.follow(page, f"v=2&V=50257&D=16&ids={ids}"))

    visit(app, steps)


def test_thousand_seeds_in_a_row_leave_no_memory_behind(app):
    async def steps(who: Visitor) -> None:
        await who.open("lookup", "V=20000&D=16&seed=0&ids=1+2")
        for seed in range(50):
            check(await who.open("lookup", f"v=2&seed={seed}"))
        before = app.megabytes
        for seed in range(50, SEEDS):
            check(await who.open("lookup", f"v=2&seed={seed}"))
        assert app.megabytes < before + 90  # the cache of all sessions' tables takes 68 MB at most

    visit(app, steps)


def test_change_of_page_does_not_load_pandas():
    """It would take 45 MB; and in another session altair fails while it is half imported."""

    async def turn(app: Server) -> None:
        async with visitor(app) as who:
            for page in ("lookup", "tokens", "home"):
                assert faults(await who.open(page), "") == []

    with running_server() as fresh:
        finish(turn(fresh))
        assert [library.path for library in fresh.process.memory_maps() if "/pandas/" in library.path] == []


def test_ten_largest_tables_at_once_stay_below_the_limit(app):
    async def learner(seed: int) -> None:
        async with visitor(app) as who:
            for page in ("lookup", "one_hot", "positions", "combine"):
                link = f"v=2&V={MAX_TABLE_CELLS // MAX_DIM}&D={MAX_DIM}&T=1&B=64&seed={seed}&ids=1+2+3"
                check(await who.follow(page, link), sessions=CLASS)

    async def together() -> None:
        async with memory_watched(app):
            await asyncio.gather(*map(learner, range(CLASS)))

    finish(together())
