"""The toy model in a browser: input while it trains, a pause, another page, and its film from step to step."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

LONG = " ".join(f"w{n * n % 331}" for n in range(560))  # some hundred different words
TEXT = "text=She+left+the+bank+for+the+riverbank."
SLOW = "tokenizer=words&dim=64&context_length=64&stride=8&batch_size=64&one_window=0&token_std=1&train_more=2000"


def test_training_takes_input_is_paused_and_is_left(page, server):
    main, train = page.main, re.compile(r"Train [\d,]+ steps")
    pause = main.get_by_role("button", name="Pause")
    bar = main.get_by_text(re.compile(r"^Step [\d,]+ of [\d,]+$"))

    def begin() -> None:
        main.get_by_role("button", name=train).click()
        expect(pause).to_be_visible()
        expect(bar).to_have_text(re.compile(r"^Step [1-9][\d,]+ of [\d,]+$"))

    def trained() -> int:
        """Check that all steps that the figure counts are trained, and in the address; return how many."""
        expect(main.get_by_role("button", name=train)).to_be_visible()
        page.at_rest()
        expect(bar).to_have_count(0)
        steps = re.match(r"After ([\d,]+) steps", page.figure.get_attribute("aria-label"))[1].replace(",", "")
        page.in_address(train_steps=steps)
        return int(steps)

    page.visit(server, "training", f"{SLOW}&text={quote_plus(LONG)}")
    page.open_section("Predictions")
    before = page.below_title(page.answers().first)
    begin()
    assert page.below_title(page.answers().first) == before, "the question moves when a training begins"
    main.get_by_role("textbox", name=re.compile("Prompt")).fill("w4")
    page.keyboard.press("Enter")
    page.sentence("After “w4” at position 0")
    pause.click()
    paused = trained()
    assert 10 <= paused < 2_000
    expect(main.get_by_text("This press trained")).to_have_count(0)  # it has not used up its time
    begin()
    page.follow("lookup")
    page.follow("training")
    expect(pause).to_have_count(0)
    assert paused <= trained() < paused + 2_000


def test_explanation_is_in_view_after_training_for_its_answer(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "training", TEXT)
    page.button("Show me").click()
    page.in_address(train_steps="200")
    expect(page.main.get_by_test_id("stAlert").first).to_be_in_viewport(ratio=1)


def test_training_begins_again_after_a_shared_setting_changes(page, server):
    page.visit(server, "training", f"{TEXT}&train_steps=600")
    page.slider("Seed").press("ArrowRight")
    page.in_address(seed="124", train_steps="600")
    expect(page.figure).to_have_attribute("aria-label", re.compile("^After 600 steps"))


def test_film_steps_by_slider_keys_and_play_without_a_run(page, server):
    sent = page.watch_sent()
    page.emulate_media(reduced_motion="reduce")
    page.visit(server, "training", f"{TEXT}&train_steps=12")
    page.reveal()
    names = page.figure.locator("[data-moved] .chip").all_text_contents()  # in the order of the dots, before them
    shown, slider = page.figure.locator(".readout.lit > .read"), page.main.get_by_role("slider", name="Step")
    path = page.figure.locator("[data-moves]").nth(names.index("She")).locator("path").first

    def points() -> list[str]:
        """Return the points of the path of a row up to the step that is shown."""
        return path.get_attribute("d")[1:].split("L")

    expect(shown).to_have_text("step 12")
    last, before = points(), len(sent)
    slider.focus()
    page.keyboard.press("Home")
    expect(shown).to_have_text("step 0")
    expect(slider).to_have_value("0")
    assert len(points()) == 1 < len(last)
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_text("step 1")
    expect(page.figure.locator("[data-moved] .dot.lit")).to_have_count(4)
    assert points() == last[:3]  # the start, before the step, after it
    page.figure.locator("[data-stop][data-part='7']").hover()
    expect(shown).to_have_text("step 7")
    page.mouse.move(0, 0)
    expect(shown).to_have_text("step 1")
    page.figure.locator("[data-stop][data-part='1']").focus()
    page.keyboard.press("ArrowDown")
    expect(shown).to_have_text("step 2")
    page.button("Play: next").click()
    expect(shown).to_have_text("step 3")
    row = page.figure.locator("[data-moved]").nth(names.index("#"))  # a token that the text never has
    row.locator("circle").last.hover(force=True)
    expect(page.figure.get_by_text("“#”, row 10: in 0 of 12 batches, 0.000 from its start")).to_be_visible()
    assert len(sent) == before
    page.button("Train 1 step").click()
    page.at_rest()
    expect(shown).to_have_text("step 13")
    page.button("Play: next").click()  # at the end: from the start
    expect(shown).to_have_text("step 0")


def test_value_rows_of_a_trained_head_are_as_high_as_its_weights(page, server):
    page.visit(server, "attention")
    rows, weights = page.figure.locator("[data-scales]"), page.figure.locator("[data-kind=weight][data-column] text")
    at_end = weights.all_text_contents()
    page.main.get_by_role("slider", name="Training step").press("Home")
    expect(weights.first).not_to_have_text(at_end[0])
    scales = rows.evaluate_all("all => all.map(({transform: {baseVal: [{matrix}]}}) => [matrix.a, matrix.d])")
    shown = [float(each) for each in weights.all_text_contents()[: len(scales)]]
    assert scales == [pytest.approx([1, weight], abs=0.006) for weight in shown]
