import re

# What the size of a meaning exceeds that of its area, of which points are tried: none of it is beyond the window.
MISSING = """term => {
    const REACH = 420;  // pixels around its word: a meaning is at most 24rem wide
    const word = term.getBoundingClientRect(), style = getComputedStyle(term, '::after');
    if (style.content === 'none') return null;
    const xs = [], ys = [];
    const area = (low, high, end) => [Math.max(1, low - REACH), Math.min(end, high + REACH)];
    const [left, right] = area(word.left, word.right, innerWidth);
    const [top, bottom] = area(word.top, word.bottom, innerHeight);
    for (let x = left; x < right; x += 6) for (let y = top; y < bottom; y += 6) {
        const inWord = x >= word.left && x <= word.right && y >= word.top - 1 && y <= word.bottom + 1;
        if (!inWord && document.elementFromPoint(x, y) === term) { xs.push(x); ys.push(y); }
    }
    const missing = (length, a) => parseFloat(length) - (Math.max(...a) - Math.min(...a));
    return Math.max(missing(style.width, xs), missing(style.height, ys));
}"""


def test_meaning_is_shown_whole_on_hover_and_on_focus(page, server):
    page.visit(server, "windows", "T=4&stride=2")
    terms = page.main.locator(".term")
    names = [each.get_attribute("aria-description").split(":")[0] for each in terms.all()]
    assert names == ["window", "context length", "token ID", "target", "stride", "token"]
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 720})
        for number, term in enumerate(terms.all()):
            term.scroll_into_view_if_needed()
            assert term.evaluate(MISSING) is None
            term.focus() if number % 2 else term.hover()
            assert term.evaluate(MISSING) <= 12, (names[number], width)
            term.blur()
            page.mouse.move(0, 0)
    page.get_by_role("button", name=re.compile("^Class")).focus()  # a phone has no button behind it
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "window"
