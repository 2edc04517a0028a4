"""Words that are kept off the screen, since another term is the usual one; all texts of the app are searched."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

COMPONENTS = Path(__file__).parents[1] / "components"
INSTEAD = {
    r"places?": "position, index or rank",
    r"struck out|strikes? out": "excluded",
    r"flat maps?": "2-D projection",
    r"spread": "standard deviation",
    r"lengths? of (a|an|the|its|each|every) (\w+ )?(vector|row|gradient|embedding)s?": "norm",
    r"moved by one": "shifted by one position",
    r"byte pairs?(?!\s+encod)": "tokens, or byte-pair encoding",
    r"step on|take it with you|keys and words|lesson before|leave this view|exhibits?": "a usual label",
}
FILES = [path for path in sorted(COMPONENTS.rglob("*.*")) if path.suffix in (".py", ".toml", ".j2", ".json", ".js")]


def texts(path: Path) -> Iterator[str]:
    """Yield what a file can bring to the screen: its strings; of a program, which is shown whole, everything."""
    source = path.read_text("utf-8")
    if path.suffix != ".py" or path.read_text("utf-8").startswith("# %%"):
        yield source
        return
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if text not in docstrings and not (text.isidentifier() and text.islower()):  # the name of a choice
            yield text


def test_words_with_a_usual_term_are_not_on_the_screen():
    shown = [(path.name, text) for path in FILES for text in texts(path)]
    for words, usual in INSTEAD.items():
        pattern = re.compile(rf"\b({words})\b", re.IGNORECASE)
        found = [f"{name}: {match[0]!r} in {text[:80]!r}" for name, text in shown for match in pattern.finditer(text)]
        assert found == [], f"use {usual}"
