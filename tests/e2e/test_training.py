"""The toy model in a browser: keyboard alone, paused, left and reopened, and its map from step to step."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Locator, Page, expect

from .page_actions import at_rest, drawn, follow, in_address, no_traceback, sentence, visit
from .test_keyboard import tab_to

LONG = " ".join(f"w{n * n % 331}" for n in range(560))  # some hundred different words
SLOW = f"tokenizer=words&dim=64&context_length=64&stride=8&batch_size=64&train_more=2000&text={quote_plus(LONG)}"


def bar(page: Page) -> Locator:
    return page.get_by_test_id("stMain").get_by_text(re.compile(r"^Step [\d,]+ of [\d,]+$"))


def button(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("button", name=re.compile(name))


def test_model_is_trained_with_the_keyboard_alone(page, server):
    visit(page, server, "training")
    tab_to(page, "Link to heading")
    tab_to(page, "Train 200 steps")
    page.keyboard.press("Enter")
    expect(bar(page)).to_have_text("Step 200 of 200")
    in_address(page, train_steps="200")
    expect(button(page, "Train 200 steps")).to_be_focused()
    page.keyboard.press("Tab")
    tab_to(page, "Step", most=2)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(bar(page)).to_have_text("Step 201 of 201")
    expect(page.get_by_role("spinbutton", name="Step", exact=True)).to_be_focused()
    sentence(page, "no gradient, unchanged")
    page.get_by_label(re.compile("Tie weights")).focus()
    page.keyboard.press("Space")
    sentence(page, "gradient only through the output layer")
    in_address(page, tied="1", train_steps="201")
    no_traceback(page)


def test_link_shows_the_same_training_in_another_session(page, server, browser):
    visit(page, server, "training", "train_steps=30&seed=5")
    mine = page.get_by_text(re.compile("The loss was")).first.inner_text()
    other = browser.new_page()
    other.goto(page.url)
    drawn(other, "training")
    assert other.get_by_text(re.compile("The loss was")).first.inner_text() == mine
    other.close()


@pytest.fixture
def training(page, server) -> Page:
    """A training that takes a while, just started."""
    visit(page, server, "training", SLOW)
    button(page, "Train 2,000 steps").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(bar(page)).to_have_text(re.compile(r"^Step \d\d+ of 2,000"))
    return page


def test_pause_keeps_the_steps_that_were_trained(training):
    button(training, "Pause").click()
    expect(button(training, r"Train [\d,]+ steps")).to_be_visible()
    at_rest(training)
    done = re.match(r"Step (\d+) of \1$", bar(training).inner_text())
    assert done
    in_address(training, train_steps=done[1])


def test_leaving_the_page_pauses_the_training(training):
    follow(training, "lookup")
    training.wait_for_timeout(1_000)  # a training that went on would have done more steps by then
    follow(training, "training")
    expect(button(training, "Pause")).to_have_count(0)
    done = re.match(r"Step (\d+) of \1$", bar(training).inner_text())
    assert done
    assert 10 <= int(done[1]) < 2_000
    in_address(training, train_steps=done[1])


def test_page_takes_input_while_it_trains(training):
    training.get_by_role("textbox", name=re.compile("Prompt")).fill("w4")
    training.keyboard.press("Enter")
    sentence(training, "After “w4” at position 0")
    button(training, "Pause").click()
    at_rest(training)
    no_traceback(training)


def test_slider_of_the_map_goes_through_the_steps(page, server):
    visit(page, server, "training", "train_steps=20")
    slider = page.locator(".vega-bind input[type=range]")
    expect(slider).to_have_value("20")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(page.locator("[aria-label*='after step 0']").first).to_be_attached()
    expect(page.locator("[aria-label*='after step 20']")).to_have_count(0)
    no_traceback(page)


def test_divergence_has_a_message_and_a_fix(page, server):
    visit(page, server, "training", "train_steps=200&learning_rate=1000000")
    sentence(page, re.compile(r"At step \d+ the loss became infinite"))
    button(page, "Set the learning rate to 0.3").click()
    expect(bar(page)).to_have_text("Step 200 of 200")
    no_traceback(page)
