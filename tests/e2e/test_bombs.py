"""What is small to send and large to compute: each gets its answer or a sentence, and the memory stays bounded."""

import asyncio
import gzip
import random
import string
import zlib
from base64 import urlsafe_b64encode
from contextlib import asynccontextmanager

import pytest

from components.core.limits import MAX_DIM, MAX_TABLE_CELLS, MAX_TEXT_CHARS, MAX_TYPED_IDS, MAX_VOCAB_SIZE

from .fuzz import MEGABYTES, PAGES, SECONDS_TO_REPLY, faults
from .machines import Server
from .visitor import Answer, Visitor, finish, visitor

MEGABYTES_AT_ONCE = 800  # where ten runs hold a table of 67 MB each in the same moment
LARGEST_ANSWER = 4_000_000  # bytes
SECONDS_BETWEEN_LOOKS = 0.01
MEGABYTES_OF_A_TEXT = 100  # at most, of a session that has entered one of megabytes wherever it could
SEEDS, CLASS = 1_000, 10
RANDOM_WORD = "".join(random.Random(1).choices(string.ascii_letters, k=MAX_TEXT_CHARS))


@asynccontextmanager
async def memory_watched(app: Server, most: float = MEGABYTES):
    """Look at the server's memory all the time; at the end its highest must be within the bound."""
    highest = app.megabytes

    async def look() -> None:
        nonlocal highest
        while True:
            highest = max(highest, app.megabytes)
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()
    assert highest < most


def check(answer: Answer, sentence: str = "", askers: int = 1) -> None:
    """Check that an answer is a page, in time, of bounded size, with a sentence in it."""
    assert faults(answer, "") == []
    assert answer.cpu_seconds < SECONDS_TO_REPLY * askers or answer.said_early
    assert sum(map(len, answer.raw)) < LARGEST_ANSWER
    assert sentence.encode() in b"".join(answer.raw)


def visit(app: Server, steps) -> None:
    """Run the steps of one visitor with an eye on the memory, and check that another is served afterwards."""

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
def test_the_largest_table_of_all_in_a_link_is_refused_with_its_size(app, page):
    async def steps(who: Visitor) -> None:
        sentence = "819\\.3 MB" if page not in ("errors", "word2vec", "glossary") else ""
        check(await who.follow(page, f"V={MAX_VOCAB_SIZE}&D={MAX_DIM}&T=1024&B=64&stride=1"), sentence)
        check(await who.open(page, f"V={'9' * 4_000}&D={'9' * 4_000}&T=1e400&B=inf&seed=-{'9' * 400}"))

    visit(app, steps)


def test_a_packed_text_of_hundreds_of_megabytes_is_unpacked_to_the_limit_only(app):
    bomb = urlsafe_b64encode(deflated(b"a" * 1_000_000, 300, -15)).decode().rstrip("=")

    async def steps(who: Visitor) -> None:
        for page in PAGES:
            sentence = f"the limit is {MAX_TEXT_CHARS:,}".replace(",", "\\,")
            check(await who.follow(page, f"packed_text={bomb}"), sentence)

    visit(app, steps)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (deflated(bytes(1_000_000), 500, 31), "unpacks to more than"),
        (gzip.compress(b"") * 200_000, "parts"),
        (deflated(gzip.compress(bytes(10_000_000)), 90, 31), "another gzip"),
        (b"50000 200\n" + b"\n" * 19_000_000, ""),
        (deflated(b"king " + b"1 " * 499_998 + b"\n", 50, 31), ""),
    ],
    ids=["zeros", "parts", "gzip in gzip", "line ends", "long lines"],
)
def test_a_file_of_vectors_that_unpacks_to_hundreds_of_megabytes_is_refused_in_a_sentence(app, content, sentence):
    async def steps(who: Visitor) -> None:
        page = await who.follow("word2vec", "vectors=upload&view=map")
        (widget,) = (widget for kind, widget in page.widgets if kind == "file_uploader")
        check(await who.upload(widget, "bomb.gz", content), sentence)

    visit(app, steps)


@pytest.mark.parametrize("text", ["a " * 1_000_000, "👩‍👩‍👧" * 300_000], ids=["letters", "families"])
def test_a_million_tokens_typed_are_cut_with_a_sentence_and_every_page_goes_on(app, text):
    async def steps(who: Visitor) -> None:
        before = app.megabytes
        for page in PAGES:
            drawn = await who.follow(page, "V=50257&D=16&T=4&B=2&stride=1")
            entries = [widget for kind, widget in drawn.widgets if kind in ("text_area", "text_input")]
            for entry in entries:
                check(await who.change((entry.id, "string_value", text)))
        assert app.megabytes < before + MEGABYTES_OF_A_TEXT

    visit(app, steps)


@pytest.mark.parametrize("word", ["x" * MAX_TEXT_CHARS, RANDOM_WORD], ids=["x", "random"])
@pytest.mark.parametrize("tokenizer", ["gpt2", "words"])
def test_a_word_of_100_000_characters_is_shown_on_every_page_in_little(app, word, tokenizer):
    async def steps(who: Visitor) -> None:
        drawn = await who.open("tokens")
        entry = next(widget for kind, widget in drawn.widgets if kind == "text_area")
        check(await who.change((entry.id, "string_value", word)))
        for page in PAGES:
            last = f"T=1&B=1&stride=1&shuffle=1&batch={MAX_TEXT_CHARS}"
            for query in ("V=50257&D=16&T=1&B=2", "T=1024&stride=1&B=64&D=16", "T=3", last):
                check(await who.follow(page, f"tokenizer={tokenizer}&{query}"))

    visit(app, steps)


def test_as_many_ids_as_can_be_typed_are_answered_on_every_page(app):
    async def steps(who: Visitor) -> None:
        for ids in ("7 " * MAX_TYPED_IDS, "7;" * MAX_TYPED_IDS, "[" * 900, "9" * 900, "7 " * 499):
            for page in PAGES:
                check(await who.follow(page, f"V=50257&D=16&ids={ids}"))

    visit(app, steps)


def test_a_thousand_seeds_in_a_row_leave_nothing_behind(app):
    async def steps(who: Visitor) -> None:
        await who.open("lookup", "V=20000&D=16&seed=0&ids=1+2")
        for seed in range(50):
            check(await who.open("lookup", f"seed={seed}"))
        before = app.megabytes
        for seed in range(50, SEEDS):
            check(await who.open("lookup", f"seed={seed}"))
        assert app.megabytes < before + 90  # the tables kept for all sessions take 68 MB at most

    visit(app, steps)


def test_ten_sessions_that_draw_the_largest_table_at_once_stay_within_a_bound(app):
    async def learner(seed: int) -> None:
        async with visitor(app) as who:
            for page in ("lookup", "one_hot", "positions", "combine"):
                link = f"V={MAX_TABLE_CELLS // MAX_DIM}&D={MAX_DIM}&T=1&B=64&seed={seed}&ids=1+2+3"
                check(await who.follow(page, link), askers=CLASS)

    async def together() -> None:
        async with memory_watched(app, MEGABYTES_AT_ONCE):
            await asyncio.gather(*map(learner, range(CLASS)))

    finish(together())
