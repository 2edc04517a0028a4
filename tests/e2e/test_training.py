"""The toy model in a browser: by the keyboard alone, paused, left and found again, and its map from step to step."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Locator, Page, expect

from .learner import at_rest, drawn, follow, in_address, no_traceback, sentence, visit
from .test_keyboard import tab_to

LONG = " ".join(f"w{n * n % 331}" for n in range(560))  # some hundred different words
SLOW = f"tokenizer=words&dim=64&context_length=64&stride=8&batch_size=64&train_more=2000&text={quote_plus(LONG)}"


def bar(page: Page) -> Locator:
    return page.get_by_test_id("stMain").get_by_text(re.compile(r"^Step [\d,]+ of [\d,]+$"))


def button(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=re.compile(name))


def test_a_model_is_trained_with_the_keyboard_alone(page, server):
    visit(page, server, "training")
    tab_to(page, "Link to heading")
    tab_to(page, "Train 200 steps")
    page.keyboard.press("Enter")
    expect(bar(page)).to_have_text("Step 200 of 200")
    in_address(page, train_steps="200")
    expect(button(page, "Train 200 steps")).to_be_focused()
    tab_to(page, "One step")
    page.keyboard.press("Enter")
    expect(bar(page)).to_have_text("Step 201 of 201")
    sentence(page, "no gradient, did not move")
    page.get_by_label(re.compile("Tied")).focus()
    page.keyboard.press("Space")
    sentence(page, "reached through the output layer alone")
    in_address(page, tied="1", train_steps="201")
    no_traceback(page)


def test_a_link_shows_the_same_training_to_somebody_else(page, server, browser):
    visit(page, server, "training", "train_steps=30&seed=5")
    mine = page.get_by_text(re.compile("The loss was")).first.inner_text()
    other = browser.new_page()
    other.goto(page.url)
    drawn(other, "training")
    assert other.get_by_text(re.compile("The loss was")).first.inner_text() == mine
    other.close()


@pytest.fixture
def training(page, server) -> Page:
    """A training that takes a while, just begun."""
    visit(page, server, "training", SLOW)
    button(page, "Train 2,000 steps").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(bar(page)).to_have_text(re.compile(r"^Step \d\d+ of 2,000"))
    return page


def test_pause_keeps_what_was_reached(training):
    button(training, "Pause").click()
    expect(button(training, "Train ")).to_have_count(2)
    at_rest(training)
    done = re.match(r"Step (\d+) of \1$", bar(training).inner_text())
    assert done
    in_address(training, train_steps=done[1])


def test_leaving_the_page_pauses_and_the_state_comes_back(training):
    follow(training, "lookup")
    training.wait_for_timeout(1_000)  # in which a training that went on would be seen to have moved
    follow(training, "training")
    expect(button(training, "Pause")).to_have_count(0)
    done = re.match(r"Step (\d+) of \1$", bar(training).inner_text())
    assert done
    assert 10 <= int(done[1]) < 2_000
    in_address(training, train_steps=done[1])


def test_the_page_listens_while_it_trains(training):
    training.get_by_role("textbox", name=re.compile("Prompt")).fill("w4")
    training.keyboard.press("Enter")
    sentence(training, "After “w4” at place 0")
    button(training, "Pause").click()
    at_rest(training)
    no_traceback(training)


def test_the_slider_of_the_map_goes_through_the_steps(page, server):
    visit(page, server, "training", "train_steps=20")
    slider = page.locator(".vega-bind input[type=range]")
    expect(slider).to_have_value("20")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(page.locator("[aria-label*='after step 0']").first).to_be_attached()
    expect(page.locator("[aria-label*='after step 20']")).to_have_count(0)
    no_traceback(page)


def test_a_learning_rate_far_too_high_is_said_in_words(page, server):
    visit(page, server, "training", "train_steps=200&learning_rate=1000000")
    sentence(page, re.compile(r"At step \d+ the loss became infinite"))
    button(page, "Set the learning rate to 0.3").click()
    expect(bar(page)).to_have_text("Step 200 of 200")
    no_traceback(page)
