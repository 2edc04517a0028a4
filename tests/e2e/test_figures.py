"""The figure of a lesson in a browser: what it lights, by pointer, keys and Play, for any text and any two learners."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from .page_actions import ALL, LessonPage

TEXT = "text=She+left+the+bank+for+the+riverbank."
HOSTILE = (
    """<img src=x onerror="alert(1)"> </text></svg><script>alert(2)</script> &lt;b&gt; {{7*7}} ]]> '" \u202e\u0001"""
)


def lit_chips(page: LessonPage) -> list[str]:
    """Return the texts of the chips that are lit."""
    return page.figure.locator(".chip.lit").all_text_contents()


def numbers(page: LessonPage) -> list[str]:
    """Return the numbers that the figure shows."""
    return [each for each in page.figure.locator(".cell text:visible").all_text_contents() if each]


def test_pointer_lights_a_part_without_a_run_and_a_click_keeps_it(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(payload)))
    page.visit(server, "lookup", TEXT)
    assert lit_chips(page) == ["␣the", "␣the"]
    before = len(sent)
    chip = page.figure.get_by_text("␣bank", exact=True)
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


def test_query_that_is_pointed_at_shows_how_its_output_is_mixed(page, server):
    page.visit(server, "attention", TEXT)
    shown = page.figure.locator("g.readout:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("how ␣the at position 5 is mixed")
    page.figure.get_by_text("␣river", exact=True).first.hover()
    expect(shown).to_contain_text("how ␣river at position 6 is mixed")
    assert len(page.figure.locator("text.readout:visible").all()) == 7  # the values of one column, up to its own
    assert len(numbers(page)) == 5  # its output
    page.mouse.move(0, 0)
    page.figure.locator(".chip[tabindex='0']").focus()
    page.keyboard.press("Home")
    expect(page.figure.locator(":focus")).to_have_attribute(
        "aria-label", re.compile("She at position 0: weights 1.00 She")
    )
    page.keyboard.press("ArrowRight")
    expect(page.figure.locator(".axis.column")).to_have_text("1")


def test_weight_of_rotary_positions_opens_its_clock_hands(page, server):
    page.visit(server, "attention", f"attention_positions=rotary&causal=0&{TEXT}")
    page.figure.locator('rect[data-choose*=\'"query": 2, "key": 6\']').click()
    page.in_address(query="2", key="6", attention_view="hands")
    expect(page.figure).to_contain_text("2 reads 6")
    page.figure.get_by_label("She at position 0 as the key").click()
    page.in_address(query="2", key="0")
    expect(page.figure).to_contain_text("2 reads 0")


def test_keys_of_a_figure_and_those_that_turn_lessons_do_not_meet(page, server):
    page.visit(server, "lookup", f"{TEXT}&present=1")
    page.figure.locator("[data-stop][tabindex='0']").focus()
    for key, text in (("End", "bank"), ("ArrowUp", "␣river"), ("Home", "She"), ("ArrowDown", "␣left")):
        page.keyboard.press(key)
        assert lit_chips(page) == [text]
    page.in_address(present="1")
    page.drawn("lookup")
    page.keyboard.press("PageDown")
    page.drawn("one_hot")
    page.figure.locator("[data-stop][tabindex='0']").focus()
    page.keyboard.press("PageUp")
    page.drawn("lookup")


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


def test_answer_is_masked_until_it_is_given_or_asked_for(page, server):
    page.visit(server, "lookup", TEXT)
    expect(page.figure.locator(".masked")).to_be_visible()
    expect(page.figure).not_to_contain_text("[2, 4, 16]")
    page.reveal()
    expect(page.figure).to_contain_text("[2, 4, 16]")
    expect(page.figure.locator(".masked")).to_have_count(0)
    page.type_number("D", 8)
    expect(page.figure).to_contain_text("[2, 4, 8]")  # another case, and still open
    page.button("Ask again").click()
    expect(page.figure.locator(".masked")).to_be_visible()
    page.radio("[2, 4, 8]").check(force=True)
    expect(page.figure).to_contain_text("[2, 4, 8]")


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
    expect(page.main.locator(".live")).to_contain_text("␣left")


def test_hostile_text_is_drawn_as_it_is(page, server):
    errors = page.watch_console(server)
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.visit(server, "lookup", f"tokenizer=words&B=1&T=8&text={quote_plus(HOSTILE)}")
    names = [chip.get_attribute("aria-label") for chip in page.figure.locator(".chip").all()]
    assert [name.split(", ID")[0] for name in names] == HOSTILE.split()[:8]
    assert page.figure.evaluate("svg => svg.querySelectorAll('script, img, foreignObject, a').length") == 0
    assert errors == []


def test_two_learners_at_once_see_their_own_figures(page, browser, server):
    other = LessonPage(browser.new_page())
    for turn in range(2):
        for learner, word in ((page, "mine"), (other, "yours")):
            learner.visit(server, "lookup", f"tokenizer=words&text={word}+{word}+word+{turn}+and+more+words")
        for learner, word, never in ((page, "mine", "yours"), (other, "yours", "mine")):
            expect(learner.figure).to_contain_text(word)
            expect(learner.figure).not_to_contain_text(never)
            assert never not in learner.figure.get_attribute("aria-label")
    other.close()


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_numbers_in_both_themes_are_readable_without_a_rerun(page, server, colors):
    page.visit(server, "lookup", TEXT)
    page.in_colors(colors)
    for cell in page.figure.locator(".cell.lit").all():
        text, back = (cell.locator(part).evaluate("e => getComputedStyle(e).fill") for part in ("text", "rect"))
        assert contrast(page, text, back) >= 4.5


def contrast(page: LessonPage, *colors: str) -> float:
    """Return the contrast of two CSS colors, by the formula of WCAG 2."""
    one, other = sorted(
        page.evaluate(
            """colors => colors.map(color => {
                const canvas = new OffscreenCanvas(1, 1).getContext('2d')
                canvas.fillStyle = color
                canvas.fillRect(0, 0, 1, 1)
                const part = n => (n /= 255) <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4
                const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data
                return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
            })""",
            list(colors),
        )
    )
    return (other + 0.05) / (one + 0.05)


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
    expect(page.figure.locator(".chip.lit")).to_have_text("␣left")
    expect(page.figure.locator(".chip.lit")).to_have_text("␣the")
    page.button("❚❚ Pause").click()
    assert lit_chips(page) == ["␣the"]


def test_heading_of_a_stage_opens_its_lesson_by_pointer_and_key(page, server):
    page.visit(server, "home", f"{TEXT}&D=5")
    for lesson in ("tokens", "windows", "lookup", "positions", "combine"):
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


def test_cell_is_pointed_at_in_all_three_blocks_and_added_up(page, server):
    page.visit(server, "combine", f"{TEXT}&position=sinusoidal")
    page.reveal()
    first, position, combined = page.figure.locator('.cell[data-part="3"][data-column="1"]').all()
    position.hover()
    assert page.figure.locator(".cell.lit.column").count() == 3
    expect(page.figure.locator(".readout:visible")).to_have_count(1)
    for cell in (first, position, combined):
        expect(cell).to_have_class(re.compile("lit column"))
    terms = page.figure.locator(".readout:visible .read tspan").all_text_contents()
    token, of_position, sign, total = terms
    assert sign in "=≈"
    values = [float(text.replace("−", "-")) for text in (token, of_position, total)]
    assert values[0] + values[1] == pytest.approx(values[2], abs=1.1e-4)


def test_slider_for_b_changes_the_tokens_and_leaves_the_positions(page, server):
    page.visit(server, "combine", f"{TEXT}&position=sinusoidal&t=3")
    page.reveal()
    before, chip = numbers(page), page.figure.get_by_role("button", name=re.compile("position 3"))
    expect(chip).to_have_attribute("aria-label", re.compile("␣bank, ID 3331"))
    page.main.get_by_role("slider", name="Sequence b").press("ArrowRight")
    page.in_address(b="1")
    expect(chip).to_have_attribute("aria-label", re.compile("^bank, ID 17796"))
    after = numbers(page)
    assert (after[5:10], len(after)) == (before[5:10], 15)
    assert after[:5] != before[:5]
    assert after[10:] != before[10:]


@pytest.mark.parametrize(("lesson", "second"), [("home", 8), ("lookup", 9), ("one_hot", 8)])
def test_tokens_beyond_those_shown_are_reached_and_the_button_keeps_the_focus(page, server, lesson, second):
    page.visit(server, lesson, "T=32&B=1&ids=" + "+".join(map(str, range(32))))
    expect(page.figure.get_by_role("button", name="Earlier tokens")).to_have_count(0)
    later = page.figure.get_by_role("button", name="Later tokens")
    later.focus()
    page.keyboard.press("Enter")
    page.in_address(**{f"{lesson}_token": str(second)})
    expect(page.figure.get_by_role("button", name=re.compile(rf"^\[0, {second}\]"))).to_have_count(1)
    expect(later).to_be_focused()
    page.figure.get_by_role("button", name="Earlier tokens").click()
    expect(page.figure.get_by_role("button", name=re.compile(r"^\[0, 0\]"))).to_have_count(1)


def test_rows_and_columns_beyond_those_shown_are_reached_by_click_and_key(page, server):
    page.visit(server, "combine", "position=sinusoidal&T=12&B=1&ids=" + "+".join(map(str, range(12))))
    page.figure.get_by_role("button", name="Later tokens").click()
    page.in_address(t="8")
    expect(page.figure.get_by_role("button", name=re.compile("position 11"))).to_have_count(1)
    assert lit_chips(page) == ["[0, 8]"]
    page.figure.get_by_role("button", name="Later columns").focus()
    page.keyboard.press("Enter")
    page.in_address(d="4")
    expect(page.figure.locator(".axis.column").first).to_have_text("4")
    expect(page.figure.locator(":focus")).to_have_attribute("aria-label", "Later columns")


def test_pointing_links_words_pieces_tokens_and_merges(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(payload)))
    page.visit(server, "tokens", TEXT)
    expect(page.figure.locator(".masked")).to_be_visible()
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


def test_click_opens_a_piece_and_the_slider_merges_it(page, server):
    page.visit(server, "tokens", TEXT)
    page.reveal()
    page.figure.get_by_text("␣bank", exact=True).first.click()
    page.in_address(opened="3", merge="0", piece="3")
    expect(page.figure).to_contain_text("0 of 4 merges")
    slider = page.main.get_by_role("slider", name="Merges of ␣bank")
    slider.press("End")
    page.in_address(merge="4")
    expect(page.figure).to_contain_text("no pair of these is a token")
    slider.press("ArrowLeft")
    page.in_address(merge="3")
    expect(page.figure.get_by_role("button", name=re.compile("rank 3331, the lowest"))).to_be_visible()


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
    expect(page.figure.locator(".masked")).to_be_visible()
    page.button("Run").click()
    expect(page.figure).to_contain_text("raised it")
    value = page.figure.get_by_role("button", name=re.compile("= 1000005: the token embedding table has rows 0 to 5"))
    value.hover()
    expect(page.figure.locator(".readout.lit").first).to_contain_text("ids[0, 1] = 1000005")
    page.figure.get_by_role("button", name=re.compile("^Axes and bytes")).click()
    page.in_address(experiment="silent_pairs", ran="0")
    expect(page.figure.locator(".masked")).to_be_visible()


def test_film_goes_to_any_frame_without_a_run(page, server):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda payload: sent.append(payload)))
    page.visit(server, "word2vec")
    page.get_by_text("Training these vectors").click()
    page.settled()
    film = page.main.locator(".figure > svg").last
    shown = film.locator("text.read:visible").first
    expect(shown).to_have_text("frame 80 of 80")
    dot = film.locator("[data-moved]").first
    end, before = dot.get_attribute("style"), len(sent)
    slider = page.main.locator(".bar input").last
    slider.press("Home")
    expect(shown).to_have_text("frame 0 of 80")
    assert dot.get_attribute("style") != end
    page.main.get_by_role("button", name="Play").press("Enter")
    expect(shown).to_have_text(re.compile(r"frame [1-9]\d* of 80"))
    slider.press("End")
    expect(shown).to_have_text("frame 80 of 80")
    assert dot.get_attribute("style") == end
    assert len(sent) == before


def test_switch_of_the_analogy_changes_the_nearest_word(page, server):
    page.visit(server, "word2vec")
    page.button("Show me").click()
    expect(page.figure.locator("[data-stop] .heading.target").first).to_have_text("queen")
    page.main.get_by_text("Exclude the input words").click()
    expect(page.figure.locator("[data-stop] .heading.target").first).to_have_text("king")
    page.figure.get_by_text("woman", exact=True).last.hover()
    expect(page.figure.locator("text.read:visible")).to_contain_text("woman: cosine similarity 0.9")
