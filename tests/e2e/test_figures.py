"""The figure of a lesson in a browser: what it lights by pointer, keys and Play, and what keeps the focus."""

import re

from playwright.sync_api import expect

from .page_actions import ALL, LessonPage

LIT = ".chip.lit:not(.narrow-only)"
FILL = "each => getComputedStyle(each).fill"
TEXT = "text=She+left+the+bank+for+the+riverbank."
HEIGHTS = """async main => {  // of the box of a new figure: at once, and after the time to render it
    const box = document.createElement('div')
    box.className = 'st-key-figure_new'
    main.append(box)
    const before = box.offsetHeight
    await Promise.all(box.getAnimations().map(each => each.finished))
    return [before, box.offsetHeight]
}"""
PRESS_TWICE = """stop => {
    stop.focus()
    const up = () => new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true, composed: true})
    const press = () => stop.getRootNode().activeElement.dispatchEvent(up())
    press()
    setTimeout(press, 100)  // not at once: the browser would send both choices in one request
}"""


def lit_chips(page: LessonPage) -> list[str]:
    return page.figure.locator(LIT).all_text_contents()


def numbers(page: LessonPage) -> list[str]:
    return [each for each in page.figure.locator(".cell text:visible").all_text_contents() if each]


def test_space_of_a_new_figure_is_reserved_before_it_is_rendered(page, server):
    page.visit(server)
    before, after = page.main.evaluate(HEIGHTS)
    assert abs(before - page.figure.bounding_box()["height"]) < 100
    assert after == 0


def test_room_for_a_figure_ends_when_it_is_drawn(page, server):
    page.visit(server, query="ids=5")
    page.add_style_tag(content="[class*=st-key-figure_] { animation-duration: 600s !important }")
    page.follow("lookup")
    box = page.main.locator(".st-key-figure_lookup").bounding_box()
    assert box["height"] - page.figure.bounding_box()["height"] < 20  # one row is lower than what is reserved


def test_pointer_and_keys_light_parts_without_a_run(page, server):
    sent = page.watch_sent()
    page.visit(server, "lookup", TEXT)
    assert lit_chips(page) == ["␣the", "␣the"]
    before = len(sent)
    chip = page.figure.locator(".chip:visible", has_text="␣bank")
    chip.hover()
    assert lit_chips(page) == ["␣bank"]
    assert len(numbers(page)) == 5
    page.mouse.move(0, 0)
    assert lit_chips(page) == ["␣the", "␣the"]
    chip.click()
    page.mouse.move(0, 0)
    assert lit_chips(page) == ["␣bank"]
    assert len(sent) == before
    page.slider("Seed").press("ArrowRight")
    page.in_address(seed="124")
    assert lit_chips(page) == ["␣bank"]  # also after a rerun

    page.button("All settings").focus()
    page.keyboard.press("Tab")
    focused = page.figure.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("␣bank, ID 3331: row 3331 of the table, −2.12 in"))
    for key, text in (("ArrowDown", "␣for"), ("End", "bank"), ("ArrowUp", "␣river"), ("Home", "She")):
        page.keyboard.press(key)
        assert lit_chips(page) == [text]
    for key, column in (("ArrowRight", "1"), ("ArrowLeft", "0")):
        page.keyboard.press(key)
        expect(page.figure.locator(".axis.column")).to_have_text(column)
    page.keyboard.press("Tab")
    expect(focused).to_have_count(0)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Shift+P")
    page.in_address(present="1")
    page.figure.locator("[data-stop][tabindex='0']").focus()
    page.keyboard.press("PageUp")  # turns the lesson, also from the figure
    page.drawn("windows")


def test_experiment_run_is_shown_after_reload_but_not_to_others(page, server):
    page.visit(server, "errors", "experiment=dim_mismatch")
    page.button("Run").click()
    expect(page.button("Ask again")).to_be_visible()
    page.wait_for_function("() => sessionStorage.getItem('score')")  # stored after the page has been rendered
    page.reload()
    page.button("Ask again").click()
    page.wait_for_function("() => !JSON.parse(sessionStorage.getItem('score')).open_figures.length")
    page.reload()
    expect(page.button("Run")).to_be_visible()
    page.at_rest()
    expect(page.button("Run")).to_be_visible()  # also when the tab has given its score
    other = LessonPage(page.context.new_page())
    other.goto(page.url)
    expect(other.button("Run")).to_be_visible()
    other.close()


def test_window_slides_by_pointer_keys_slider_and_play(page, server):
    page.emulate_media(reduced_motion="reduce")
    page.visit(server, "windows", f"{TEXT}&T=4&stride=2&B=2")
    expect(page.slider("Window")).to_be_disabled()  # other windows would give the answer
    page.reveal()
    lit = page.figure.locator("[data-stop].lit, .readout.lit text:visible")
    page.figure.get_by_text("␣river", exact=True).first.hover()
    expect(lit.filter(has_text="input of window 2 at index 2, its target is bank 17796")).to_be_visible()
    expect(page.figure.locator(".tile.lit")).to_have_count(8)
    page.mouse.move(0, 0)
    page.slider("Window").press("ArrowRight")
    page.in_address(window_index="1")
    expect(lit.filter(has_text="[262, 3331, 329, 262]")).to_be_visible()
    page.button("Slide the window: next").click()
    expect(lit.filter(has_text="[329, 262, 7850, 17796]")).to_be_visible()
    expect(page.slider("Window")).to_have_value("2")
    expect(page.figure.locator(".axis.column")).to_have_text("4")  # its first position
    page.keyboard.press("Tab")
    focused = page.figure.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("^Window 2: inputs"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.main.locator(".live").first).to_have_text(re.compile("^window 0.*␣left ID 1364(?!.*ID 1364)"))


def test_home_lights_and_plays_a_tokens_way_and_opens_its_stages(page, server):
    page.visit(server, "home", f"{TEXT}&position=sinusoidal")
    page.reveal()
    page.figure.get_by_text("␣the", exact=True).first.hover()
    assert lit_chips(page) == ["␣the"]
    shown = numbers(page)
    assert (len(shown), shown[:3]) == (18, shown[9:12])  # the same ID, the same row
    assert shown[6:9] != shown[15:]
    read_out = page.figure.locator(".read text:visible")
    assert re.sub(r"\s+", " ", read_out.text_content()) == "W[262, 0] + P[2, 0] = 1.1263 + 0.9093 = 2.0356"
    page.figure.locator(".axis[data-column='15']").first.hover()
    expect(read_out).to_contain_text("W[262, 15] + P[2, 15]")
    page.mouse.move(0, 0)
    page.button("▷ Play").click()
    expect(page.figure.locator(LIT)).to_have_text("␣left")
    expect(page.figure.locator(LIT)).to_have_text("␣the")
    page.slider("Seed").press("ArrowRight")
    expect(page.figure.locator(LIT)).not_to_have_text("␣the")
    assert lit_chips(page) == ["␣bank"]  # a rerun does not restart the film
    page.button("❚❚ Pause").click()
    assert lit_chips(page) == ["␣bank"]
    for lesson in ("tokens", "positions"):
        page.figure.get_by_role("link", name=f"{ALL[lesson].title}: open the lesson", exact=True).focus()
        page.keyboard.press("Enter")
        page.drawn(lesson)
        page.in_address(position="sinusoidal", text="She left the bank for the riverbank.")
        page.go_back()
        page.drawn("home")


def test_switch_changes_picture_but_not_result_and_focus_stays(page, server):
    page.visit(server, "one_hot", f"position=sinusoidal&{TEXT}")
    page.figure.get_by_text("␣bank", exact=True).first.click()
    page.mouse.move(0, 0)
    ones, tokens = (page.figure.locator(f".chip{each} rect").first for each in (".one:not(.lit)", ":not(.one, .lit)"))
    assert ones.evaluate(FILL) != tokens.evaluate(FILL)
    sum_of_column = page.figure.locator(".readout:visible")
    expect(sum_of_column).to_contain_text("1 · 1.74")
    before = numbers(page)
    assert before.count("1.74") == 2  # of the table and of the result
    page.figure.get_by_role("button", name="as a lookup").focus()
    page.keyboard.press("Enter")
    page.in_address(way="lookup")
    expect(sum_of_column).to_contain_text("W[3331, 0], copied")
    expect(page.figure.locator(":focus")).to_have_text("as a lookup")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-pressed", "true")
    assert numbers(page) == before
    assert lit_chips(page) == ["␣bank", "as a lookup"]
    page.figure.get_by_role("button", name="Later columns").focus()
    page.keyboard.press("Space")
    page.in_address(one_hot_column="2")
    expect(sum_of_column).to_contain_text("W[3331, 2], copied")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", "Later columns")


def test_column_of_the_control_is_lit_in_place_of_another(page, server):
    page.visit(server, "combine", f"{TEXT}&T=4&B=2&dim=4&d=1")
    lit = page.figure.locator(".axis.column").first
    expect(lit).to_have_text("1")
    page.open_section("Another element")
    page.main.get_by_role("spinbutton", name="Column d").press("ArrowUp")
    page.in_address(d="2")
    expect(lit).to_have_text("2")
    page.slider("Sequence b").press(" ")  # it has no Play
    expect(page.slider("Sequence b")).to_have_value("0")
    assert lit_chips(page) == ["␣left"]


def test_pointing_links_words_pieces_tokens_and_merges(page, server):
    page.visit(server, "tokens", TEXT)
    expect(page.figure.get_by_text("3347")).to_have_count(0)
    page.reveal()  # by a click: the merges are now where the button was
    expect(page.figure.get_by_text("3347", exact=True)).to_be_visible()
    assert lit_chips(page) == ["␣river", "bank"]  # not what is under the pointer, which rests
    read_out = page.figure.locator(".readout.lit")
    for text, lit, read in (
        ("riverbank.", ["␣river", "bank", "."], None),
        ("17796", ["bank", "bank"], "token bank: ID 17796, 4 bytes"),  # the token, and the merge that makes it
        ("ver", ["v", "er", "ver"], "merge 3: v + er → ver, ID 332"),
        ("a + n", ["a", "n"], None),
    ):
        page.figure.get_by_text(text, exact=True).first.hover()
        assert lit_chips(page) == lit
        if read:
            expect(read_out).to_have_text(read)


def test_notice_follows_the_query_that_arrow_keys_rest_on(page, server):
    page.visit(server, "attention", f"head=text&{TEXT}")
    page.figure.locator("[data-stop][tabindex='0']").press("ArrowUp")
    page.sentence("The output of “␣river” at position 6")
    page.in_address(query="6")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", re.compile("␣river at position 6"))


def test_queries_that_arrow_keys_only_pass_are_not_asked_for(page, server):
    sent = page.watch_sent()
    page.visit(server, "attention", f"head=text&{TEXT}")
    before = len(sent)
    page.figure.locator("[data-stop][tabindex='0']").evaluate(PRESS_TWICE)
    page.in_address(query="5")
    page.wait_for_timeout(500)
    assert len(sent) == before + 1


def test_page_that_is_opened_again_begins_at_its_top(page, server):
    page.set_viewport_size({"width": 1280, "height": 600})
    page.visit(server, "lookup")
    page.reveal()
    explanation = page.main.get_by_test_id("stAlert").first
    expect(explanation).to_be_in_viewport(ratio=1)
    page.follow("windows")
    page.follow("lookup")
    page.wait_for_timeout(500)
    expect(explanation).not_to_be_in_viewport(ratio=1)


def test_step_of_word2vec_changes_a_row_and_play_goes_on(page, server):
    page.visit(server, "word2vec")
    step = page.figure.locator(".chip.lit[data-stop]")
    read_out = page.figure.locator(".readout.lit")

    def rows() -> list[list[float]]:
        """Return the row of the center word before and after the step, and its change."""
        word, before, _, after = read_out.locator("text:is([y='42'])").all_text_contents()
        change = re.split(" [=≈] ", read_out.locator(".read").text_content())[1]
        assert word == "king"
        return [[float(each) for each in row.replace("−", "-").strip("[]").split()] for row in (before, after, change)]

    assert read_out.locator(".read").text_content() == "0.5 × ? = ?"
    page.button("Show me").click()
    expect(read_out.locator(".read")).not_to_contain_text("?")
    page.at_rest()
    expect(step).to_have_text("3")
    before, after, change = rows()
    assert max(abs(a - b - c) for a, b, c in zip(after, before, change, strict=True)) < 0.02  # of rounded numbers
    for key, number in (("End", "8"), ("Home", "1")):
        page.slider("Step").press(key)
        expect(step).to_have_text(number)
    scrolled = page.main.evaluate("main => main.scrollTop")
    page.slider("Step").press(" ")
    expect(step).to_have_text("2")
    assert page.main.evaluate("main => main.scrollTop") == scrolled
    assert rows()[1] == before  # one step goes on from the other
    expect(step).to_have_text("3")
    page.button("❚❚ Pause").click()


def test_presented_figure_has_more_columns_if_there_is_room(page, server):
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "lookup", f"{TEXT}&D=64&present=1")
    page.figure.locator(".chip:visible", has_text="␣bank").click()
    page.figure.locator("[data-stop][tabindex='0']").focus()
    axis = page.figure.locator(".axis")
    for size, columns in (((1920, 1080), 7), ((1280, 720), 6), ((1024, 576), 5), ((390, 844), 5), ((1280, 720), 6)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(axis).to_have_text([*map(str, range(columns - 1)), "63"])
        assert lit_chips(page) == ["␣bank"]
        expect(page.figure.locator(":focus")).to_have_attribute("aria-label", re.compile("^␣bank, .*in column 63$"))


def test_experiments_can_be_chosen_in_a_window_of_any_width(page, server):
    page.visit(server, "errors")
    catalogue = page.figure.locator("[data-choose*=negative_id]")
    menu = page.main.get_by_role("combobox", name=re.compile("Experiment"))
    for width in (1280, 900, 650, 390):  # with the list of lessons beside the page down to 768
        page.set_viewport_size({"width": width, "height": 844})
        expect(catalogue).to_be_visible(visible=width == 1280)
        expect(menu).to_be_visible(visible=width < 1280)


def test_row_of_an_experiment_with_five_values_has_room_for_ids(page, server):
    page.visit(server, "errors", "experiment=own")
    ids, *others = [
        page.main.locator(f"[class*=st-key-own_{name}-]").bounding_box() for name in ("ids", "dtype", "V", "D", "T")
    ]
    assert max(each["width"] for each in others) < ids["width"]
    bottom = ids["y"] + ids["height"]
    assert all(abs(each["y"] + each["height"] - bottom) < 1 for each in others)
