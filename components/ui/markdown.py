"""Escape learner text for Streamlit's Markdown."""

import re
from string import punctuation

from components.base.learner_text import isolated, show_hidden

QUOTED = re.compile("(?<=“)[^”]*(?=”)")
PAIRS = re.compile(r"(?<=[-<>~])(?=[-=>])")  # Streamlit turns these pairs into arrows and dashes
WORD_JOINER = "\u2060"  # invisible
SIZE = re.compile(r"(?<=\b[A-Za-z]) = (?=[\d−([])")  # as in D = 16
SHAPE = re.compile(r"\[\w+(?:, \w+){1,2}\]")  # as in [4, 16] and [B, T, D]
# A colon that ends a word, as in D: 16, is none, nor are the signs around a special token.
SYNTAX = re.compile(r":(?=\S)|(?<!\w)_|_(?!\w)|[*`$~#!\\{}]|<(?!\|)|(?<!\|)>")
PARENTHESES = str.maketrans("[]", "()")
ESCAPED = str.maketrans({character: f"\\{character}" for character in punctuation})


def screen_reader_label(sentence: str) -> str:
    """Return a sentence as a hidden label for screen readers, without Markdown syntax.

    >>> screen_reader_label("F.one_hot: IDs [2, 4] of ![x](http://y)")
    'F.one_hot: IDs (2, 4) of  (x)(http //y)'
    >>> screen_reader_label("<b> and <|endoftext|>")
    ' b  and <|endoftext|>'
    """
    return SYNTAX.sub(" ", show_hidden(sentence)).translate(PARENTHESES)


def unbroken(text: str) -> str:
    """Return a text in which no line ends within a size such as D = 16 or a shape such as [2, 3].

    >>> unbroken("D = 16, with shape [2, 3]")
    'D\\xa0=\\xa016, with shape [2,\\xa03]'
    """
    return SHAPE.sub(lambda shape: shape[0].replace(" ", "\u00a0"), SIZE.sub("\u00a0=\u00a0", text))


def escape_markdown(sentence: str) -> str:
    """Return a sentence, which may quote a learner, escaped so that Markdown shows it unchanged.

    Characters that are not seen, or change the direction of others, are shown as codes. A quotation that is written
    from right to left is isolated from the sentence.
    Streamlit turns pairs such as -> and -- into arrows and dashes even if they are escaped, so an invisible character
    separates them.

    >>> escape_markdown("<b> :red[x]")
    '\\\\<b\\\\> \\\\:red\\\\[x\\\\]'
    >>> escape_markdown("->") == "\\\\-" + WORD_JOINER + "\\\\>"
    True
    """
    shown = QUOTED.sub(lambda quoted: isolated(quoted[0]), show_hidden(sentence))
    return PAIRS.sub(WORD_JOINER, unbroken(shown)).translate(ESCAPED)
