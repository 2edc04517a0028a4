"""Hostile inputs for the widgets and the links of the app, random from a seed."""

import gzip
import pickle
import random
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import quote_plus

from google.protobuf.message import Message
from streamlit.proto.NumberInput_pb2 import NumberInput

from components.base.field_types import field_types_of
from components.base.link import V1_NAMES, VERSION
from components.base.settings import SYMBOLS, Settings
from components.entry import LESSONS
from components.failures.catalogue import FAILURES
from components.lessons.word2vec.choices import VIEWS

# Each would be rendered as something else, or loaded, if a page interpreted it as Markdown or HTML.
CANARIES = ("](http://canary.invalid", ":red[canary", "$canary$", "**canary**", "`canary`", "<img src=canary")
OBEYED = " ".join(
    ("![c](http://canary.invalid/c.png)", ":red[canary]", "$canary$", "**canary**", "`canary`", "<img src=canary>")
)
OWN_CHOICES = [name for lesson in LESSONS.values() for name in field_types_of(lesson.choices)]
TEXT_PARAMETERS = ("text", "packed_text", "long_text")
PARAMETERS = tuple(
    dict.fromkeys(
        (*field_types_of(Settings), *OWN_CHOICES, *SYMBOLS, *V1_NAMES.values(), "v", "present", *TEXT_PARAMETERS)
    )
)
TEXTS = (
    "",
    " ",
    "\0",
    "a\x01\x07\x1b[31m\x7f\x85b",
    "\r\n\t\x0b\x0c\u2028\u2029",
    "\u202e\u2066right to left\u2069 שלום مرحبا",
    "e\u0301" * 40,
    "\ufeff\ufffe\uffff\U0010ffff",
    "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪",
    OBEYED,
    f"| {OBEYED} |\n| --- |\n# {OBEYED}\n> {OBEYED}\n```\n{OBEYED}",
    "``` canary ``` `` ` canary` :material/home: :smile: [x]: http://canary.invalid",
    "<script>alert(1)</script><svg/onload=alert(2)><iframe src=javascript:alert(3)>",
    "&lt;b&gt; &#x41; &nbsp; %3Cscript%3E",
    "\\frac{1}{0} $$\\input{/etc/passwd}$$ \\href{javascript:alert(1)}{x}",
    "'; DROP TABLE tokens; -- \" OR 1=1 #",
    "../../../../etc/passwd",
    "C:\\windows\\system32\\..\\con",
    "%s%s%n {0} {x!r} {self.__class__} ${jndi:ldap://x} {{7*7}}",
    "__import__('os').system('true')",
    "datum.constructor.constructor('return 1')()",
    pickle.dumps(print, protocol=0).decode(),
    "<|endoftext|><|im_start|> <pad> <unk> <sos> [UNK]",
    "NaN nan -inf Infinity None null true undefined",
    "١٢٣ １２３ ² ½ Ⅷ ߁",
    "x" * 3_000,
    "word " * 700,
    "=" * 2_000,
    "ab\n" * 900,
)
NUMBERS = ("0", "-1", "-0", "+7", "1e400", "-1e400", "1e-400", "NaN", "inf", "0x10", "1_000", "1,000", "6.5", "٣", "２")
NUMBERS += (
    "9" * 25,
    "-" + "9" * 400,
    "9" * 5_000,
    "1" + "0" * 310,
    "2147483648",
    str(2**63),
    str(-(2**63)),
    str(2**64),
)
ROWS = (
    "1 2; 3",
    "[[[[[[[[[[1]]]]]]]]]]",
    "[" * 900,
    "1;" * 400,
    "1 " * 400,
    "-1 2 3",
    "1.5 2",
    "9999999999999 1",
    "1e400",
)
ROWS += ("0 0 0; 0 0 0", "200018", "[[1, 2], [3, 4]]", "[[1], [[2]]]", "[] []", "1 2 3 4 5 6 7 8 9")
GRAMMARS = ("a", ": :", "a: b\n[b]", "[b]", "a: b\n[b] [b] [b]\na - a + a = a", "x - y + z = w", "a: " + "f " * 900)
WHOLES = (0, -1, 1, 2, 7, 2**31, -(2**31), 2**53, 2**63 - 1, -(2**63), 10**15)
FLOATS = (0.0, -0.0, 1e-320, 1e308, -1e308, 0.1, 1e-6, 1e6, float("nan"), float("inf"), float("-inf"))

VERSIONED = 0.9  # share of the links that contain the version
DOORS = {
    "errors": [f"experiment={name}&ran=1&repaired=1" for name in FAILURES],
    "word2vec": [*(f"vectors=grammar&view={view}" for view in VIEWS), *["vectors=upload&view=map"] * 4],
    "training": ["train_steps=9&optimizer=adamw", "train_steps=3&tied=1&position=none", "train_steps=0"],
}
SIZES = ("V=50257&D=16&T=4&B=2&tokenizer=gpt2&ids=", "V=60&D=8&T=3&B=2&tokenizer=words&ids=&position=sinusoidal")
SIZES += ("V=9&D=3&ids=1+2;3+4&position=learned", "V=9&D=3&ids=8+9&scale=1&position=none", "")


def door(draw: random.Random, page: str) -> str:
    """Return parameters with which a page has more widgets, so that there is more to attack."""
    return f"v={VERSION}&{draw.choice(DOORS.get(page, SIZES))}"


def text(draw: random.Random, marker: str) -> str:
    """Return a text, in most cases with the marker that identifies the session."""
    kind = draw.randrange(6)
    if kind == 0:
        made = "".join(
            chr(draw.choice((draw.randrange(32), draw.randrange(0x250), draw.randrange(0xD800)))) for _ in range(40)
        )
    elif kind == 1:
        made = draw.choice((*NUMBERS, *ROWS))
    elif kind == 2:
        made = draw.choice(GRAMMARS)
    else:
        made = draw.choice(TEXTS)
    return draw.choice((made, f"{marker} {made}", f"{made} {marker}", f"{made}{marker}"))


def packed(draw: random.Random, marker: str) -> str:
    """Return a compressed text for a link: a valid one, a broken one, or one that unpacks to megabytes."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    made = draw.choice((marker.encode() * 9, bytes(2_000_000), draw.randbytes(60), b"\xff\xfe" * 99))
    made = squeeze.compress(made) + squeeze.flush()
    made = draw.choice((made, made[:-3], made + made, draw.randbytes(40), b""))
    return draw.choice((urlsafe_b64encode(made).decode().rstrip("="), made.hex(), "=" * 9))


def parameter(draw: random.Random, name: str, marker: str) -> str:
    """Return a value for a parameter of a link, percent-encoded in one way or another."""
    if name == "packed_text" and draw.random() < 0.8:
        return packed(draw, marker)
    value = draw.choice((draw.choice(NUMBERS), text(draw, marker), str(draw.randrange(2_000))))
    return draw.choice(
        (quote_plus(value), quote_plus(value), "%00%ff%ed%a0%80" + quote_plus(value), value.replace("#", ""))
    )


def query(draw: random.Random, names: list[str], marker: str) -> str:
    """Return a link's parameters with these names, some of them twice.

    In most cases with the version: an address without it is read on a session's first run only.
    """
    pairs = [f"{name}={parameter(draw, name, marker)}" for name in names]
    pairs = [f"v={VERSION}", *pairs] if "v" not in names and draw.random() < VERSIONED else pairs
    return "&".join(pairs + draw.choice(([], [], pairs[:1], ["x=1", "=", "&&", ";", "embed=true", f"%zz={marker}"])))


def value_of(draw: random.Random, kind: str, widget: Message, marker: str) -> tuple[str, object] | None:
    """Return a field of the protocol and a hostile value that a browser could send for this widget."""
    if kind in ("text_input", "text_area"):
        return "string_value", text(draw, marker)
    if kind == "number_input":
        real = widget.data_type == NumberInput.FLOAT
        return "double_value", float(draw.choice((*WHOLES, *FLOATS) if real else (*WHOLES, draw.randrange(300))))
    if kind == "slider":
        options = list(widget.options)
        if not options:
            return "double_array_value", [draw.choice((*WHOLES, *FLOATS[:8], widget.max))]
        return "string_array_value", draw.choice(([draw.choice(options)], [text(draw, marker)], [], options[:3]))
    if kind == "button_group":
        options = list(widget.options)
        names = [option.content for option in options] or [""]
        return "string_array_value", draw.choice(([draw.choice(names)], [text(draw, marker)], [], names))
    if kind in ("selectbox", "radio"):
        return "string_value", draw.choice(widget.options or [""])
    if kind in ("checkbox", "expandable"):
        return "bool_value", draw.random() < 0.5
    return ("trigger_value", True) if kind == "button" else None


def file(draw: random.Random, marker: str) -> tuple[str, bytes]:
    """Return the name and the content of a file."""
    made = draw.choice((*TEXTS, *ROWS)).encode("utf-8", "replace")
    rows = f"{marker} 0.5 1\nqueen 0.25 -1\nking 1 1\n".encode()
    content = draw.choice(
        (
            made,
            rows,
            b"2 2\n" + rows,
            gzip.compress(rows),
            gzip.compress(bytes(3_000_000)),
            gzip.compress(rows)[:-5],
            pickle.dumps({marker: 1}),
            b"1000000000 1000\n" + draw.randbytes(200),
            b"2 1\nking \0\0\0\x7f",
            draw.randbytes(500),
            marker.encode("utf-16"),
            b"",
        )
    )
    name = draw.choice(("words.txt", "../../etc/passwd", "x" * 300, "a'b<b>.gz", "$canary$ **canary**.txt", marker))
    return name, content
