"""Learner text in Streamlit's Markdown: escaped, so that it is shown and never obeyed."""


def plain(sentence: str) -> str:
    """Return a sentence, which may quote a learner, so that Markdown shows it as it stands.

    >>> plain("<b> :red[x]")
    '\\\\<b\\\\> \\\\:red\\\\[x\\\\]'
    """
    return "".join("\\" + c if c.isascii() and not c.isalnum() and not c.isspace() else c for c in sentence)
