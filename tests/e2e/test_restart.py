"""The server is killed under twenty open pages and started again: each page comes back with what its learner had."""

import random
import re
import string
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from components.ui.reconnect import CAME_BACK

from .learner import (
    LESSONS,
    WITHOUT_TEXT,
    address_query,
    at_rest,
    entry,
    follow,
    in_address,
    main_of,
    no_traceback,
    open_expander,
    text_area,
    type_number,
    type_text,
    upload_words,
    visit,
)
from .machines import running_server

CHOICES = {"windows": "shuffle=1", "lookup": "column=1", "positions": "wave=2", "combine": "step=2", "tokens": "word=2"}
TO_TRAIN = "+".join(f"word{number}" for number in range(250))  # takes some seconds


@pytest.fixture(scope="module")
def classroom(browser) -> Iterator[dict[str, Page]]:
    """Twenty pages as they stand after the restart: one learner on each lesson, and eight with more to lose."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    with running_server() as server:
        pages = {name: context.new_page() for name in (*LESSONS, *DO)}
        for number, lesson in enumerate(LESSONS):
            visit(pages[lesson], server.address, lesson, link_of(number, lesson))
        for name, do in DO.items():
            do(pages[name], server.address)
        assert len(pages) == 20
        server.kill()
        for page in pages.values():
            expect(page.locator("[data-testid=stApp]:not([data-test-connection-state=CONNECTED])")).to_be_attached()
        server.start()
        for page in pages.values():
            expect(main_of(page).get_by_text(CAME_BACK)).to_be_visible(timeout=90_000)
        yield pages
    context.close()


def link_of(number: int, lesson: str) -> str:
    """Return what one learner has on the page: settings, a text and choices that no other learner has."""
    text = f"learner+number+{number}+writes+this+text+and+no+other"
    return f"V={5_000 + number}&seed={number}&text={text}&" + CHOICES.get(lesson, "")


def long_text() -> str:
    """Return a text that no link carries: random letters cannot be compressed."""
    draw = random.Random(7)
    return " ".join("".join(draw.choices(string.ascii_lowercase, k=6)) for _ in range(2_000))


def write_much(page: Page, server: str) -> None:
    visit(page, server, "tokens")
    type_text(page, long_text())
    expect(main_of(page)).to_contain_text("stays in this session")
    at_rest(page)


def write_much_in_a_closed_part(page: Page, server: str) -> None:
    write_much(page, server)
    follow(page, "training")


def write_much_and_leave(page: Page, server: str) -> None:
    write_much(page, server)
    follow(page, "glossary")


def type_on(page: Page, server: str) -> None:
    visit(page, server, "home", "text=handed+over&V=5000")
    text_area(page).fill("typed and not handed over")


def answer(page: Page, server: str) -> None:
    visit(page, server, "lookup")
    open_expander(page, "Predict, then reveal")
    rows = page.get_by_role("radiogroup", name=re.compile("How many rows has the table"))
    rows.get_by_text("50,257", exact=True).click()
    expect(page.get_by_text("Right.", exact=True)).to_be_visible()


def upload_vectors(page: Page, server: str) -> None:
    visit(page, server, "word2vec", "vectors=upload")
    upload_words(page)


def upload_text(page: Page, server: str) -> None:
    visit(page, server, "tokens")
    page.get_by_role("button", name="Upload a text file").click()
    mine = {"name": "mine.txt", "mimeType": "text/plain", "buffer": b"from a file of mine"}
    page.locator("input[type=file]").set_input_files(mine)
    in_address(page, text="from a file of mine")


def train(page: Page, server: str) -> None:
    page.goto(f"{server}/training?train_steps=2000&dim=64&context_length=16&stride=1&batch_size=16&text={TO_TRAIN}")
    expect(main_of(page)).to_contain_text(re.compile(r"Step [1-9][\d,]* of 2,000"), timeout=60_000)


DO = {
    "long": write_much,
    "long, in a closed part": write_much_in_a_closed_part,
    "long, not shown": write_much_and_leave,
    "typing": type_on,
    "answer": answer,
    "vectors": upload_vectors,
    "file": upload_text,
    "in training": train,
}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_page_keeps_text_settings_and_choices(classroom, lesson):
    page, number = classroom[lesson], LESSONS.index(lesson)
    at_rest(page)
    no_traceback(page)
    before = address_query(page)
    for part in link_of(number, lesson).replace("V=", "vocab_size=").rstrip("&").split("&"):
        name, value = part.split("=")
        assert before[name] == value.replace("+", " ")
    if lesson in WITHOUT_TEXT:
        follow(page, "tokens")
    else:
        type_number(page, "D", 24)
        in_address(page, dim="24")
    assert {**address_query(page), "dim": before["dim"]} == before
    expect(entry(page, "V")).to_have_value(str(5_000 + number))


@pytest.mark.parametrize("name", ["long", "long, in a closed part"])
def test_a_text_too_long_for_the_address_comes_back_from_the_browser(classroom, name):
    page = classroom[name]
    expect(main_of(page)).not_to_contain_text("paste it again")
    mentioned = address_query(page)["long_text"]
    if name != "long":
        follow(page, "tokens")
    expect(main_of(page)).to_contain_text("2,000 tokens, 2,000 distinct")
    assert address_query(page)["long_text"] == mentioned


def test_a_long_text_on_a_page_that_does_not_show_it_is_lost_and_that_is_told(classroom):
    expect(main_of(classroom["long, not shown"])).to_contain_text("paste it again")


def test_what_was_typed_and_not_handed_over_arrives_when_the_server_is_back(classroom):
    page = classroom["typing"]
    in_address(page, text="typed and not handed over", vocab_size="5000")
    expect(text_area(page)).to_have_value("typed and not handed over")


def test_an_answer_in_sight_is_counted_again(classroom):
    page = classroom["answer"]
    expect(page.get_by_text("Right.", exact=True)).to_be_visible()
    follow(page, "home")
    expect(main_of(page)).to_contain_text("1 prediction, 1 right at the first try")


def test_a_training_goes_on_to_the_same_step(classroom):
    expect(main_of(classroom["in training"])).to_contain_text("Step 2,000 of 2,000", timeout=120_000)


def test_a_file_of_word_vectors_is_gone_and_can_be_uploaded_again(classroom):
    page = classroom["vectors"]
    expect(main_of(page)).to_contain_text("No file yet")
    expect(main_of(page)).not_to_contain_text("mine.txt")
    upload_words(page)


def test_a_text_file_that_was_uploaded_leaves_its_text(classroom):
    in_address(classroom["file"], text="from a file of mine")
    expect(text_area(classroom["file"])).to_have_value("from a file of mine")
