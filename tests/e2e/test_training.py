"""The toy model in a browser: input while it trains, a pause, another page, and its map from step to step."""

import re
from urllib.parse import quote_plus

from playwright.sync_api import expect

LONG = " ".join(f"w{n * n % 331}" for n in range(560))  # some hundred different words
SLOW = f"tokenizer=words&dim=64&context_length=64&stride=8&batch_size=64&train_more=2000&text={quote_plus(LONG)}"


def test_training_takes_input_is_paused_and_is_left(page, server):
    main, train = page.main, re.compile(r"Train [\d,]+ steps")
    pause = main.get_by_role("button", name="Pause")
    bar = main.get_by_text(re.compile(r"^Step [\d,]+ of [\d,]+$"))

    def begin() -> None:
        main.get_by_role("button", name=train).click()
        expect(pause).to_be_visible()
        expect(bar).to_have_text(re.compile(r"^Step [1-9][\d,]+ of [\d,]+$"))

    def trained() -> int:
        """Check that all steps that the page counts are trained, and in the address; return how many."""
        expect(main.get_by_role("button", name=train)).to_be_visible()
        page.at_rest()
        steps = re.fullmatch(r"Step ([\d,]+) of \1", bar.inner_text())[1].replace(",", "")
        page.in_address(train_steps=steps)
        return int(steps)

    page.visit(server, "training", SLOW)
    begin()
    main.get_by_role("textbox", name=re.compile("Prompt")).fill("w4")
    page.keyboard.press("Enter")
    page.sentence("After “w4” at position 0")
    pause.click()
    paused = trained()
    assert 10 <= paused < 2_000
    begin()
    page.follow("lookup")
    page.follow("training")
    expect(pause).to_have_count(0)
    assert paused <= trained() < paused + 2_000
    page.no_traceback()


def test_map_of_a_training_goes_through_the_steps_with_reduced_motion(page, server):
    page.emulate_media(reduced_motion="reduce")
    page.visit(server, "training", "train_steps=20")
    slider = page.locator(".vega-bind input[type=range]")
    expect(slider).to_have_value("20")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(page.locator("[aria-label*='after step 0']").first).to_be_attached()
    expect(page.locator("[aria-label*='after step 20']")).to_have_count(0)
    page.no_traceback()
