"""Sentences in which the terms of the glossary are explained, on hover and on focus, and to screen readers."""

from html import escape

from components.glossary.terms import Term, mentions


def explained(text: str, lesson: str, before: str = "") -> str:
    """Return a text as HTML, in which each term is explained that the text `before` on the page does not mention.

    >>> explained("Its stride < 2.", "windows")[:76]
    'Its <span class="term" tabindex="0" aria-description="stride: The number of '
    >>> explained("Its stride < 2.", "windows", "A stride.")
    'Its stride &lt; 2.'
    """
    known = {term for _, term in mentions(before, lesson)}
    parts, end = [], 0
    for match, term in mentions(text, lesson):
        if term not in known:
            parts += [escape(text[end : match.start()]), _span(match[0], term)]
            end = match.end()
    return "".join([*parts, escape(text[end:])])


def terms_explained(text: str, lesson: str, before: str = "") -> str:
    """Return the terms alone that `explained` would mark, as HTML; empty if there is none.

    >>> terms_explained("Batches: windows B by B", "windows", "A window.")[-8:]
    'B</span>'
    """
    known = {term for _, term in mentions(before, lesson)}
    return ", ".join(_span(match[0], term) for match, term in mentions(text, lesson) if term not in known)


def _span(words: str, term: Term) -> str:
    meaning = escape(f"{term.name}: {term.text}")
    return f'<span class="term" tabindex="0" aria-description="{meaning}">{escape(words)}</span>'
