"""What a program prints under each label, compared with what its page has under that label."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from components.base.export import NamedArray
from components.caches.encoding import tokenizer
from components.ui.download_registry import registered
from tests.app_driver import AppDriver
from tests.states import token_ids

NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?%?")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def labelled(printed: str) -> dict[str, list[str]]:
    """Return what is printed under each label, in order: behind a colon, or as a tensor in the lines below it."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in filter(None, printed.splitlines()):
        if label and line.startswith(("tensor(", "[", " ")):
            found[label][-1] = f"{found[label][-1]}\n{line}".strip("\n")
        else:
            label, _, value = line.partition(": ")
            found.setdefault(label, []).append(value)
    return found


def as_printed(value: Any) -> str:
    """Return a value as the programs print it; an array as a tensor."""
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value.copy())
    if not isinstance(value, torch.Tensor):
        return str(value)
    torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
    text = re.sub("\n+", "\n", str(value))  # without the empty lines of a tensor with three axes
    torch.set_printoptions(profile="default")
    return text


def same(printed: str, shown: str) -> bool:
    """Return whether two texts are the same, and their numbers equal to the digits that both have."""
    printed, shown = (THOUSANDS.sub("", text.replace("−", "-")).strip() for text in (printed, shown))
    pairs = list(zip(NUMBER.findall(printed), NUMBER.findall(shown), strict=False))
    return NUMBER.sub("#", printed) == NUMBER.sub("#", shown) and all(_equal(a, b) for a, b in pairs)


def _equal(a: str, b: str) -> bool:
    if "e" in a + b or "%" in a + b:
        return float(a.strip("%")) == float(b.strip("%")) and ("%" in a) == ("%" in b)
    printed, shown = (len(each.partition(".")[2]) for each in (a, b))
    digits = min(printed, shown)
    return abs(float(a) - float(b)) <= 0.51 * 10.0**-digits * bool(digits) and printed >= min(shown, 4)


def differences(printed: str, shown: Mapping[str, Any]) -> list[str]:
    """Return each label under which a program prints something else than its page has, or nothing, or too much.

    Labels that differ in their numbers alone are in the order of the page.
    """
    found = labelled(printed)
    expected = {label: each if isinstance(each, list) else [each] for label, each in shown.items()}
    wrong = [f"only printed: {label}: {found[label]}" for label in found.keys() - expected.keys()]
    wrong += [f"only on the page: {label}: {expected[label]}" for label in expected.keys() - found.keys()]
    for label in found.keys() & expected.keys():
        texts = list(map(as_printed, expected[label]))
        if len(texts) != len(found[label]) or not all(map(same, found[label], texts)):
            wrong.append(f"{label}: printed {found[label]}, shown {texts}")
    one, other = ([label for label in each if label in found.keys() & expected.keys()] for each in (found, expected))
    if sorted(one, key=_without_numbers) != sorted(other, key=_without_numbers):
        wrong.append(f"in another order: printed {one}, shown {other}")
    return wrong


def _without_numbers(label: str) -> str:
    return NUMBER.sub("#", label)


def tensors_of(app: AppDriver) -> dict[str, np.ndarray]:
    """Return the tensors that the page offers as files, by name."""
    return {name: found.array for name, found in registered(app.learner).items() if isinstance(found, NamedArray)}


def matches(pattern: str, app: AppDriver) -> list[tuple[str, ...]]:
    return [match.groups() for match in re.finditer(pattern, app.words)]


def only(pattern: str, app: AppDriver) -> tuple[str, ...]:
    found = matches(pattern, app)
    assert len(found) == 1, f"{pattern!r} matches {len(found)} times, not once, in:\n{app.words}"
    return found[0]


def opening(app: AppDriver, with_ids: bool = True) -> dict[str, Any]:
    """Return what the first cells print: the tokens of the text, and the batch that the page offers as a file."""
    ids = {}
    if with_ids:
        batch = tensors_of(app)["ids"]
        ids = {"ids": f"{[*batch.shape]}\n{as_printed(batch)}"}
    if app.state.settings.typed and with_ids:
        return ids
    return {"number of tokens": len(token_ids(app.state)), "tokens": list_of_tokens(app)} | ids


def list_of_tokens(app: AppDriver, ids: Sequence[int] | None = None) -> str:
    """Return the texts of some tokens, those of the text by default, as a list of at most 20."""
    encoder = tokenizer(app.state.settings.tokenizer, app.state.text)
    ids = token_ids(app.state) if ids is None else ids
    return str([encoder.token_bytes(i).decode(errors="backslashreplace") for i in ids[:20]])
