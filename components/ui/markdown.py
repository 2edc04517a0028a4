"""Escape learner text for Streamlit's Markdown."""

import re

from components.base.learner_text import escape_punctuation, show_hidden

PAIRS = re.compile(r"(?<=[-<>~])(?=[-=>])")  # Streamlit turns these pairs into arrows and dashes
WORD_JOINER = "\u2060"  # invisible
SPOKEN = str.maketrans({"[": "(", "]": ")", **dict.fromkeys("*_`<>:$~|#!\\{}", " ")})


def screen_reader_label(sentence: str) -> str:
    """Return a sentence as a hidden label for screen readers, without Markdown syntax.

    >>> screen_reader_label("IDs [2, 4] of ![x](http://y)")
    'IDs (2, 4) of  (x)(http //y)'
    """
    return show_hidden(sentence).translate(SPOKEN)


def escape_markdown(sentence: str) -> str:
    """Return a sentence, which may quote a learner, escaped so that Markdown shows it unchanged.

    Characters that are not seen, or change the direction of others, are shown as codes.
    Streamlit turns pairs such as -> and -- into arrows and dashes even if they are escaped, so an invisible character
    separates them.

    >>> escape_markdown("<b> :red[x]")
    '\\\\<b\\\\> \\\\:red\\\\[x\\\\]'
    >>> escape_markdown("->") == "\\\\-" + WORD_JOINER + "\\\\>"
    True
    """
    return escape_punctuation(PAIRS.sub(WORD_JOINER, show_hidden(sentence)))
