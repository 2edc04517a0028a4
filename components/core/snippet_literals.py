"""The learner's data in a program: texts and IDs as literals, with a comment that says where they come from.

Whatever a learner enters reaches a program through `repr`: it is data there, and never code.
"""

import textwrap
from collections.abc import Iterable, Sequence

from components.core.link import State
from components.core.snippet import MAX_INLINE_CHARS, Rows

LINE = 100  # characters in a line of inlined data


def text_literal(name: str, text: str) -> str:
    """Return an assignment of `text`, its literal cut into lines where it is long; the text may hold anything.

    >>> print(text_literal("text", 'say "hi"'), end="")
    text = 'say "hi"'
    """
    if len(repr(text)) <= LINE:
        return f"{name} = {text!r}\n"
    parts, start = [], 0
    while start < len(text):
        end = start + LINE - 10
        while len(repr(text[start:end])) > LINE and end > start + 1:
            end = start + (end - start) // 2
        end = text.rfind(" ", start + LINE // 2, end) + 1 or end
        parts.append(f"    {text[start:end]!r}\n")
        start = end
    return f"{name} = (\n{''.join(parts)})\n"


def ids_literal(rows: Sequence[int] | Sequence[Sequence[int]], opening: str = "", closing: str = "") -> str:
    """Return IDs as a list, or as a list of lists, in lines that can be read, between `opening` and `closing`.

    >>> ids_literal([[2, 3], [5, 1]], "torch.tensor(", ")")
    'torch.tensor([[2, 3], [5, 1]])'
    """
    line = f"{opening}{list(rows)}{closing}"
    if len(line) <= LINE:
        return line
    return f"{opening}[\n{wrapped(map(str, rows))}]{closing}"


def wrapped(items: Iterable[str]) -> str:
    """Return the items of a literal, each with its comma, in indented lines.

    >>> wrapped(["1", "2"])
    '    1, 2,\\n'
    """
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) < LINE and not item.startswith("["):
            lines[-1] += f" {item},"
        elif len(item) > LINE and item.startswith("["):
            lines.append(f"    [\n{textwrap.indent(wrapped(item[1:-1].split(', ')), '    ')}    ],")
        else:
            lines.append(f"    {item},")
    return "".join(f"{line}\n" for line in lines)


def source_of(state: State) -> str:
    """Return a comment that names the call which gives the IDs of the learner's text, or says that they were typed.

    >>> source_of(State())
    '# tiktoken.get_encoding("gpt2").encode(text), in windows of T = 4 with stride 4'
    """
    if state.choices.typed:
        return "# typed"
    T, stride = state.settings.context_length, state.settings.stride
    return f"# {encode_call(state.settings.tokenizer, state.text)}, in windows of T = {T} with stride {stride}"


def encode_call(name: str, text: str) -> str:
    """Return the call that gives the IDs of a text by the tokenizer `name`, for a comment; special tokens are text.

    >>> encode_call("gpt2", "the"), encode_call("words", "the")
    ('tiktoken.get_encoding("gpt2").encode(text)', 'text.split(), words numbered from 4 on as they first appear')
    """
    if name == "words":
        return "text.split(), words numbered from 4 on as they first appear"
    return f'tiktoken.get_encoding("{name}").encode{"_ordinary" if "<|" in text else ""}(text)'


def batch_ids(state: State, rows: Rows, one: bool = False) -> str:
    """Return the lines that write out the batch [B, T], or with `one` the chosen sequence [T] alone.

    >>> print(batch_ids(State(), Rows([[2, 3], [5, 1]], 0, 0, 2)), end="")
    # tiktoken.get_encoding("gpt2").encode(text), in windows of T = 4 with stride 4
    ids = torch.tensor([[2, 3], [5, 1]])  # [B, T]
    """
    part = "" if len(rows.rows) == rows.of else f": {len(rows.rows)} of {rows.of} sequences, from {rows.first} on"
    ids = rows.rows[0] if one else rows.rows
    shape = "[T]" if one else "[B, T]"
    return f"{source_of(state)}{'' if one else part}\n{ids_literal(ids, 'ids = torch.tensor(', ')')}  # {shape}\n"


def word_ids(text: str) -> str:
    """Return the lines that build the word vocabulary of a text and encode the text with it, as `ids`.

    >>> print(word_ids("the cat the"))
    text = 'the cat the'
    words = dict.fromkeys(text.split())  # each once, in order of first appearance
    word_ids = {word: i for i, word in enumerate(words, start=4)}  # 0 to 3: <pad>, <unk>, <sos>, <eos>
    ids = [word_ids[word] for word in text.split()]
    <BLANKLINE>
    """
    return text_literal("text", text) + (
        "words = dict.fromkeys(text.split())  # each once, in order of first appearance\n"
        "word_ids = {word: i for i, word in enumerate(words, start=4)}  # 0 to 3: <pad>, <unk>, <sos>, <eos>\n"
        "ids = [word_ids[word] for word in text.split()]\n"
    )


def by_words(state: State) -> bool:
    """Return whether a program builds the word vocabulary itself: where it is in use, and the text not too long.

    >>> by_words(State())
    False
    """
    return state.settings.tokenizer == "words" and len(repr(state.text)) <= MAX_INLINE_CHARS
