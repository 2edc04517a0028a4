"""Terms of the glossary in a browser: explained by pointer and key, beside the word and within the window."""

import re

import pytest

# The area of a meaning: points outside the word that belong to it. Its computed size tells whether any is missing.
SHOWN = """term => {
    const word = term.getBoundingClientRect(), style = getComputedStyle(term, '::after');
    if (style.content === 'none') return null;
    const xs = [], ys = [];
    for (let x = 1; x < innerWidth; x += 2) for (let y = 1; y < innerHeight; y += 2) {
        const inWord = x >= word.left && x <= word.right && y >= word.top - 1 && y <= word.bottom + 1;
        if (!inWord && document.elementFromPoint(x, y) === term) { xs.push(x); ys.push(y); }
    }
    const size = (a, b) => Math.max(...a) - Math.min(...a) - b;
    return [size(xs, parseFloat(style.width)), size(ys, parseFloat(style.height))];
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_meaning_is_shown_whole_on_hover_and_on_focus(page, server, width):
    page.set_viewport_size({"width": width, "height": 720})
    page.visit(server, "windows", "T=4&stride=2")
    terms = page.main.locator(".term")
    names = [each.get_attribute("aria-description").split(":")[0] for each in terms.all()]
    assert names == ["window", "context length", "token", "token ID", "target", "stride"]
    for number, term in enumerate(terms.all()):
        term.scroll_into_view_if_needed()
        assert term.evaluate(SHOWN) is None
        term.focus() if number % 2 else term.hover()
        missing = [abs(each) for each in term.evaluate(SHOWN)]
        assert max(missing) <= 26, (names[number], missing)  # the padding
        term.blur()
        page.mouse.move(0, 0)
    page.main.get_by_role("button", name=re.compile("^(Class|Present)")).last.focus()  # a phone has no Present
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "window"
