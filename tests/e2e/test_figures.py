"""The figure of a lesson in a browser: what it lights, by pointer, keys and Play, for any text and any two learners."""

import re

from playwright.sync_api import expect

from .page_actions import ALL, LessonPage

LIT = ".chip.lit:not(.narrow-only)"
TEXT = "text=She+left+the+bank+for+the+riverbank."


def lit_chips(page: LessonPage) -> list[str]:
    """Return the texts of the chips that are lit."""
    return page.figure.locator(LIT).all_text_contents()


def numbers(page: LessonPage) -> list[str]:
    """Return the numbers that the figure shows."""
    return [each for each in page.figure.locator(".cell text:visible").all_text_contents() if each]


def test_pointer_lights_a_part_without_a_run_and_a_click_keeps_it(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(payload)))
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


def test_keys_reach_the_figure_once_and_move_inside_it(page, server):
    page.visit(server, "lookup", TEXT)
    page.button("All settings").focus()
    page.keyboard.press("Tab")
    focused = page.figure.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("␣the, ID 262: row 262 of the table, 1.13 in column 0"))
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", re.compile("␣bank, ID 3331"))
    assert lit_chips(page) == ["␣bank"]
    page.keyboard.press("ArrowRight")
    expect(page.figure.locator(".axis.column")).to_have_text("1")
    page.keyboard.press("End")
    assert lit_chips(page) == ["bank"]
    page.keyboard.press("Tab")
    expect(page.figure.locator(":focus")).to_have_count(0)


def test_keys_of_a_figure_and_those_that_turn_lessons_do_not_meet(page, server):
    page.visit(server, "lookup", f"{TEXT}&present=1")
    page.figure.locator("[data-stop][tabindex='0']").focus()
    for key, text in (("End", "bank"), ("ArrowUp", "␣river"), ("Home", "She"), ("ArrowDown", "␣left")):
        page.keyboard.press(key)
        assert lit_chips(page) == [text]
    page.in_address(present="1")
    page.drawn("lookup")
    page.keyboard.press("PageUp")
    page.drawn("windows")
    page.figure.locator("[data-stop][tabindex='0']").focus()
    page.keyboard.press("PageUp")
    page.drawn("tokens")


def test_answer_keeps_the_figure_open_and_survives_a_reload(page, server):
    page.visit(server, "lookup")
    masks = page.figure.locator(".masked")
    expect(masks).not_to_have_count(0)
    page.main.get_by_role("radio").first.check(force=True)
    expect(masks).to_have_count(0)
    page.slider("D").press("ArrowRight")
    page.in_address(dim="20")
    for _ in range(2):
        expect(masks).to_have_count(0)
        page.reload()
        page.drawn("lookup")
    page.follow("home")
    page.sentence(re.compile("1 prediction"))
    page.follow("lookup")
    page.button("Ask again").click()
    expect(masks).not_to_have_count(0)


def test_window_slides_by_pointer_keys_slider_and_play(page, server):
    page.emulate_media(reduced_motion="reduce")
    page.visit(server, "windows", f"{TEXT}&T=4&stride=2&B=2")
    page.reveal()
    expect(page.figure).to_contain_text("3 windows")
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
    page.keyboard.press("ArrowUp")
    expect(focused).to_have_attribute("aria-label", re.compile("^Window 1: inputs"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.main.locator(".live").first).to_have_text(re.compile("^window 0.*␣left ID 1364(?!.*ID 1364)"))


def test_token_lights_its_whole_way_and_the_row_of_the_same_id(page, server):
    page.visit(server, "home", f"{TEXT}&position=sinusoidal")
    page.reveal()
    page.figure.get_by_text("␣left", exact=True).first.hover()
    assert lit_chips(page) == ["␣left"]
    assert len(numbers(page)) == 9
    page.figure.get_by_text("␣the", exact=True).first.hover()
    assert lit_chips(page) == ["␣the"]
    shown = numbers(page)
    assert (len(shown), shown[:3]) == (18, shown[9:12])
    assert shown[6:9] != shown[15:]
    read_out = page.figure.locator(".read text:visible")
    assert re.sub(r"\s+", " ", read_out.text_content()) == "W[262, 0] + P[2, 0] = 1.1263 + 0.9093 = 2.0356"
    page.figure.locator(".axis[data-column='15']").first.hover()
    expect(read_out).to_contain_text("W[262, 15] + P[2, 15]")


def test_play_walks_the_way_token_by_token(page, server):
    page.emulate_media(reduced_motion="reduce")
    page.visit(server, "home", TEXT)
    for text in ("␣left", "␣the"):
        page.button("Play: next").click()  # one token for each press
        assert lit_chips(page) == [text]
    page.emulate_media(reduced_motion="no-preference")
    page.visit(server, "home", TEXT)
    page.button("▷ Play").click()
    expect(page.figure.locator(LIT)).to_have_text("␣left")
    expect(page.figure.locator(LIT)).to_have_text("␣the")
    page.button("❚❚ Pause").click()
    assert lit_chips(page) == ["␣the"]


def test_heading_of_a_stage_opens_its_lesson_by_pointer_and_key(page, server):
    page.visit(server, "home", f"{TEXT}&D=5")
    for lesson in ("tokens", "positions"):
        link = page.figure.get_by_role("link", name=f"{ALL[lesson].title}: open the lesson", exact=True)
        if lesson == "positions":
            link.focus()
            page.keyboard.press("Enter")
        else:
            link.click()
        page.drawn(lesson)
        page.in_address(dim="5", text="She left the bank for the riverbank.")
        page.go_back()
        page.drawn("home")


def test_switch_changes_the_picture_but_not_the_result_and_keeps_the_focus(page, server):
    page.visit(server, "one_hot", f"position=sinusoidal&{TEXT}")
    page.figure.get_by_text("␣bank", exact=True).click()
    page.mouse.move(0, 0)
    sum_of_column = page.figure.locator(".readout:visible")
    expect(sum_of_column).to_contain_text("1 · 1.74")
    before = numbers(page)
    assert len([number for number in before if number == "1.74"]) == 2  # of the table and of the result
    switch = page.figure.get_by_role("button", name="as a lookup")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.focus()
    page.keyboard.press("Enter")
    page.in_address(way="lookup")
    expect(sum_of_column).to_contain_text("W[3331, 0], copied")
    expect(page.figure.locator(":focus")).to_have_text("as a lookup")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-pressed", "true")
    assert numbers(page) == before
    assert lit_chips(page) == ["␣bank", "as a lookup"]
    later = page.figure.get_by_role("button", name="Later columns")
    later.focus()
    page.keyboard.press("Enter")
    page.in_address(one_hot_column="2")
    expect(sum_of_column).to_contain_text("W[3331, 2], copied")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", "Later columns")


def test_tokens_beyond_those_shown_are_reached_and_the_button_keeps_the_focus(page, server):
    page.visit(server, "lookup", "T=32&B=1&ids=" + "+".join(map(str, range(32))))
    later = page.figure.get_by_role("button", name="Later tokens")
    later.focus()
    page.keyboard.press("Enter")
    page.in_address(lookup_token="9")
    expect(page.figure.get_by_role("button", name=re.compile(r"^\[0, 9\]"))).to_have_count(1)
    expect(later).to_be_focused()
    page.figure.get_by_role("button", name="Earlier tokens").click()
    expect(page.figure.get_by_role("button", name=re.compile(r"^\[0, 0\]"))).to_have_count(1)


def test_pointing_links_words_pieces_tokens_and_merges(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(payload)))
    page.visit(server, "tokens", TEXT)
    expect(page.figure.locator(".masked:visible")).to_have_count(1)
    expect(page.figure.get_by_text("3347")).to_have_count(0)
    page.reveal()
    expect(page.figure.get_by_text("3347", exact=True)).to_be_visible()
    page.at_rest()
    before = len(sent)
    page.figure.get_by_text("riverbank.", exact=True).hover()
    assert lit_chips(page) == ["␣river", "bank", "."]
    page.figure.get_by_text("17796", exact=True).first.hover()
    assert lit_chips(page) == ["bank", "bank"]  # the token, and the merge that makes it
    expect(page.figure.locator(".readout.lit")).to_have_text("token bank: ID 17796, 4 bytes")
    page.figure.get_by_text("ver", exact=True).hover()
    assert lit_chips(page) == ["v", "er", "ver"]
    expect(page.figure.locator(".readout.lit")).to_have_text("merge 3: v + er → ver, ID 332")
    page.figure.get_by_text("a + n", exact=True).hover()
    assert lit_chips(page) == ["a", "n"]
    assert len(sent) == before


def test_card_of_errors_is_chosen_by_keys_and_keeps_the_focus(page, server):
    page.visit(server, "errors")
    page.main.get_by_role("spinbutton").last.focus()
    focused = page.figure.locator(":focus")
    for _ in range(4):  # past the buttons of the number field, to the figure
        page.keyboard.press("Tab")
        if focused.count():
            break
    expect(focused).to_have_attribute("aria-label", "An ID equal to V, chosen")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", "An ID far above V")
    page.keyboard.press("Enter")
    page.in_address(experiment="id_far_above")
    expect(focused).to_have_attribute("aria-label", "An ID far above V, chosen")
    expect(page.figure.locator(".masked").first).to_be_visible()


def test_notice_follows_the_query_that_arrow_keys_rest_on(page, server):
    page.visit(server, "attention", f"head=text&{TEXT}")
    page.figure.locator("[data-stop][tabindex='0']").press("ArrowUp")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", re.compile("␣river at position 6"))
    page.sentence("␣river at position 6 mixes")
    page.in_address(query="6")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", re.compile("␣river at position 6"))


def test_step_of_word2vec_moves_a_row_and_play_goes_on_from_it(page, server):
    page.visit(server, "word2vec")

    def shown() -> tuple[str, str, list[float], list[float], list[float]]:
        """Return the step and the center word that are lit, its row before and after the step, and the change."""
        step = page.figure.locator(".chip.lit[data-stop]").text_content()
        word, before, _, after = page.figure.locator(".readout.lit text:is([y='42'])").all_text_contents()
        change = page.figure.locator(".readout.lit .read").text_content().split(" = ")[1]
        rows = ([float(each) for each in row.replace("−", "-").strip("[]").split()] for row in (before, after, change))
        return step, word, *rows

    assert page.figure.locator(".readout.lit .read").text_content() == "0.5 × ? = ?"
    page.button("Show me").click()
    expect(page.figure.locator(".readout.lit .read")).not_to_contain_text("?")
    page.at_rest()
    assert shown()[:2] == ("3", "king")
    _, _, before, after, change = shown()
    assert max(abs(a - b - c) for a, b, c in zip(after, before, change, strict=True)) < 0.02  # of rounded numbers
    page.figure.locator("[data-stop]").first.click()
    page.button("▷ Play").click()
    expect(page.figure.locator(".chip.lit[data-stop]")).to_have_text("2")
    assert shown()[1] == "king"
    assert shown()[3] == before  # one step goes on from the other
    expect(page.figure.locator(".chip.lit[data-stop]")).to_have_text("3")
    page.button("❚❚ Pause").click()
