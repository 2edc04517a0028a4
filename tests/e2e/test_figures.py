"""The figure of a lesson in a browser: what it lights, by pointer, keys and Play, for any text and any two learners."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from .page_actions import LessonPage

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


def test_answer_is_masked_until_it_is_given_or_asked_for(page, server):
    page.visit(server, "lookup", TEXT)
    expect(page.figure.locator(".masked")).to_be_visible()
    expect(page.figure).not_to_contain_text("[2, 4, 16]")
    page.button("Show me").click()
    expect(page.figure).to_contain_text("[2, 4, 16]")
    expect(page.figure.locator(".masked")).to_have_count(0)
    page.type_number("D", 8)
    expect(page.figure.locator(".masked")).to_be_visible()  # another case
    page.radio("[2, 4, 8]").check(force=True)
    expect(page.figure).to_contain_text("[2, 4, 8]")


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
