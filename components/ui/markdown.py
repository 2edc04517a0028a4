"""Learner text in Streamlit's Markdown: escaped, so that it is shown and never obeyed."""

import re

PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
PAIRS = re.compile(r"(?<=[-<>~])(?=[-=>])")  # of which arrows, dashes and signs are made
WORD_JOINER = "\u2060"  # draws nothing


SPOKEN = str.maketrans({"[": "(", "]": ")", **dict.fromkeys("*_`<>:$~|#!\\{}", " ")})


def spoken(sentence: str) -> str:
    """Return a sentence as the name of a widget that only screen readers see: nothing in it that Markdown obeys.

    >>> spoken("IDs [2, 4] of ![x](http://y)")
    'IDs (2, 4) of  (x)(http //y)'
    """
    return sentence.translate(SPOKEN)


def plain(sentence: str) -> str:
    """Return a sentence, which may quote a learner, so that Markdown shows it as it stands.

    Streamlit turns pairs such as -> and -- into arrows and dashes even where they are escaped, so a character that
    draws nothing keeps them apart.

    >>> plain("<b> :red[x]")
    '\\\\<b\\\\> \\\\:red\\\\[x\\\\]'
    >>> plain("->") == "\\\\-" + WORD_JOINER + "\\\\>"
    True
    """
    return PUNCTUATION.sub(r"\\\g<0>", PAIRS.sub(WORD_JOINER, sentence))
