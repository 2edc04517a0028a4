import re
from dataclasses import replace
from itertools import combinations, count, pairwise

from components.base.settings import Settings
from components.lessons.tokens.figure import tokens_figure
from components.lessons.tokens.line import spans
from components.lessons.tokens.page import TEXTS
from components.ui.download_registry import registered
from tests.app_driver import AppDriver, as_read
from tests.programs.labels import matches, only
from tests.states import app_state

HIDDEN = re.compile(r"‹U\+([0-9A-F]{4,6})›|◌")  # characters without a glyph, and what carries a combining one
SPACES = str.maketrans("␣⏎⇥␍", " \n\t\r")
STATES = {
    "bank": app_state(Settings(), "a river bank, the bank bank", piece=3, word=9, probe="the old bank", second="banks"),
    "emoji": app_state(Settings(), TEXTS["Emoji"]["text"], piece=4, learned=50, second="a 🦉"),
    "many merges": app_state(Settings(ids="2 3"), "the bank by the river " * 30, opened=3, learned=30, piece=99),
    "opened": app_state(Settings(tokenizer="words"), "not of internationalization", opened=2, word=1),
    "special": app_state(Settings(), "<|endoftext|> is text", piece=2),
    "overlapping": app_state(Settings(), "qqq", second="qqqq"),
    "not available": app_state(Settings(tokenizer="cl100k_base"), TEXTS["Code"]["text"], learned=0),
    "long piece": app_state(Settings(), "a" * 300, word=1),
    "spaces": app_state(Settings(tokenizer="words"), "  \n", second="\n"),
}


def decoded(shown: str) -> str:
    """Return the text of a token that the page shows: bytes as codes, spaces and hidden characters themselves."""
    codes = re.fullmatch(r"(?:bytes )?([0-9A-F]{2}(?: [0-9A-F]{2})*)", shown)
    if codes and not (token := bytes.fromhex(codes[1])).isascii():
        return token.decode(errors="backslashreplace")
    return HIDDEN.sub(lambda found: chr(int(found[1], 16)) if found[1] else "", shown.translate(SPACES))


def shown(app: AppDriver) -> dict:
    tables = registered(app.learner)
    found = {f"{name}s and IDs": str(pairs(tables.get(f"{name}s", []))) for name in ("word", "token")}
    caption = r"\*\*(.*) tokens?\*\*, \*\*(.*)\*\* distinct · (.*) characters? · (.*) bytes? · vocabulary of (.*)"
    for name, (n, distinct, n_chars, n_bytes, V) in zip(("words", "tokens"), matches(caption, app), strict=True):
        found["text"] = f"{n_chars} characters, {n_bytes} bytes"
        found[name] = f"{n}, {distinct} distinct, V = {V}"
    selected = r"ID \*\*(.*)\*\* selects row .* · position (.*) in the text · occurs ([\d,]+) times?[^B]*Bytes: (.*)"
    names = ["word"] * ("words" in tables) + ["token"]
    for name, (token_id, position, times, codes) in zip(names, matches(selected, app), strict=True):
        position = int(position.replace(",", ""))
        token = decoded(tables[f"{name}s"][position]["token"])
        found[f"{name} {position}"] = f"{token!r}, ID {token_id}, count {times}"
        if name == "token":
            found[f"bytes of token {position}"] = codes
    for unknown, n in matches(r"Unknown: (\d+) of (\d+) words?", app):
        found["unknown words"] = f"{unknown} of {n}"
        found["IDs of the probe"] = str([(word, int(i)) for word, i in matches(r"(\S+) → \*\*(\d+)\*\*", app)])
    for each, unit in matches(r"became .* tokens?, (.*) tokens per (word|character)", app):
        found[f"tokens per {unit}"] = each
    for token, without, with_space in matches(r"“(\w+)” \(ID (.*)\) and “␣.*” \(ID (.*)\) are two tokens", app):
        found[f"{token!r} without and with a leading space"] = f"ID {without}, ID {with_space}"
    for chips in app.widgets("piece_chip"):
        colors = [label.partition("-")[0] for label in chips.options]
        assert all(a != b for a, b in pairwise(colors))
    (found["pieces"],) = re.findall(r">([\d,]+) pieces?<", app.learner.outputs.figure.drawing)
    return found | replayed(app) | learned(app) | second(app)


def pairs(rows: list[dict]) -> list[tuple[str, int]]:
    return [(decoded(row["token"]), row["ID"]) for row in rows[:20]]


def replayed(app: AppDriver) -> dict:
    """Return the merges of the opened piece, which the figure shows one after the other."""
    opened, found = re.match("p(.*)", app.learner.outputs.figure.lit)[1], {}
    for merge in count():
        choices = replace(app.state.choices, merge=merge)
        reading = tokens_figure(spans(app.state.text, "gpt2"), "gpt2", "gpt2", choices, masked=False).reading
        if pair := re.search(r"Next: (.+?) \+ (.+?), rank (\d+), the (?:lowest|only)", reading):
            found[f"merge {merge + 1}"] = f"{[decoded(pair[1]), decoded(pair[2])]}, rank {pair[3]}"
            continue
        if final := re.search(r" merges?: (.*)\. (?:No pair of neighbors is a|It is one) token", reading):
            found[f"tokens of piece {opened}"] = str(side_by_side(app, final[1]))
        return found


def side_by_side(app: AppDriver, shown: str) -> list[str]:
    """Return the tokens of the text that the figure shows side by side, from the table of its tokens."""
    tokens = [row["token"] for row in registered(app.learner)["tokens"]]
    for start, end in combinations(range(len(tokens) + 1), 2):
        if " ".join(token.removeprefix("bytes ") for token in tokens[start:end]) == shown:
            return [decoded(token) for token in tokens[start:end]]
    raise AssertionError(f"the text has no tokens {shown}")


def learned(app: AppDriver) -> dict:
    """Return the merges learned from the text, all of which are in the file; the last ones are in the table."""
    rows = registered(app.learner).get("learned_merges", [])
    (table,) = (table for table in app.tables() if "merge" in table[0])
    assert table == rows[-10:] or not rows
    found = {}
    for row in rows:
        a, b = re.fullmatch(r"(.+?) \+ (.+?) → .+", row["merge"]).groups()
        found[f"ID {row['ID']}"] = f"{[decoded(a), decoded(b)]}, count {row['times']}"
    return found


def second(app: AppDriver) -> dict:
    """Return the second text as its chips and the sentence below them have it."""
    counts = r"(.*) bytes? became \*\*(.*) tokens?\*\* with .*?, (V = .*?)\. GPT-2's 50,000 merges give (.*?) tokens?\."
    n_bytes, n_tokens, V, n_gpt2 = only(counts, app)
    chips = [m for m in app.at.main.markdown if m.value.startswith(":gray-background[")]
    tokens = re.findall(r":gray-background\[((?:\\.|[^\\\]])*)\]", chips[0].value) if chips else []
    return {
        "second text": f"{n_bytes} bytes, {n_tokens} tokens with {V}",
        "its tokens": str([decoded(as_read(token).replace("\u2060", "")) for token in tokens[:20]]),
        "number of GPT-2's tokens for it": n_gpt2,
    }
