"""How numbers and tokens are written in a figure: the color of a cell, digits that fit it, text that fits a chip."""

import math
import unicodedata
from decimal import Decimal
from typing import NamedTuple

from torch import Tensor

from components.base.text_format import true_minus

FULL_COLOR = 2.2  # numbers from here on have the full color; those of N(0, 1) are below in 97 of 100 cases
EXPONENT = 0.85  # below 1, so that small numbers differ from 0 at a glance
CHARACTER = 0.6  # width of a character of the code font, in parts of the font size
CHIP = 12  # characters that are too many for a chip


class Cell(NamedTuple):
    """How a number is drawn: the share of the color in percent, its sign, its digits, the contrast of these."""

    percent: int
    sign: str
    text: str
    contrast: str


def number(value: float, digits: int = 2) -> str:
    """Return a number with a true minus sign before at most six characters; one that rounds to 0 has no sign.

    >>> number(-1.294), number(0.3, 4), number(-12.34), number(12.34, 4), number(-54321.0), number(float("nan"))
    ('−1.29', '0.3000', '−12.3', '12.340', '−5e+04', 'nan')
    >>> number(9999.4), number(1e4), number(-100.0, 4), number(float("-inf")), number(-0.001)
    ('9999', '1e+04', '−100', '−inf', '0.00')
    """
    size = abs(value)
    if not size < 10_000:  # also NaN
        text = f"{value:.0e}" if math.isfinite(value) else str(value)
    else:
        text = f"{value:z.{digits if size < 10 else max(0, digits - 1) if size < 100 else 0}f}"
    return true_minus(text)


def amount(value: float, digits: int = 2) -> str:
    """Return a number that is not negative as `number` does, but one that would round to 0 with its first digit.

    >>> amount(1.294), amount(0.0004), amount(0.0)
    ('1.29', '4e-04', '0.00')
    """
    text = number(value, digits)
    return f"{value:.0e}" if value and not printed(text) else text


def signed(value: float) -> str:
    """Return a number with its sign, also if that is a plus; one that rounds to 0 has none.

    >>> signed(0.4), signed(-1.5), signed(-0.004)
    ('+0.40', '−1.50', '0.00')
    """
    text = number(value)
    return text if value < 0 or not printed(text) else f"+{text}"


def factor(value: float) -> str:
    """Return a number as it is written behind a sign of multiplication: in parentheses if it has a minus sign.

    >>> factor(-0.5), factor(0.5), factor(-0.001)
    ('(−0.50)', '0.50', '0.00')
    """
    text = number(value)
    return f"({text})" if text.startswith("−") else text


def printed(text: str) -> Decimal:
    """Return the number that a text of `number` shows, exactly.

    >>> printed("−1.29") + printed("1.2900")
    Decimal('0.0000')
    """
    return Decimal(text.replace("−", "-"))


def equals(result: Decimal, shown: str) -> str:
    """Return the sign between rounded numbers, whose exact result is given, and the rounded one that is shown.

    >>> equals(printed("1.13") + printed("0.84"), "1.97"), equals(printed("1.13") + printed("0.84"), "1.98")
    ('=', '≈')
    """
    return "=" if result == printed(shown) else "≈"


def cell(value: float, full: float = FULL_COLOR) -> Cell:
    """Return how a number is drawn, on a scale on which `full` has the full color and 0 none.

    >>> cell(-1.1), cell(0.0).percent, cell(math.inf).percent, cell(9.0).contrast
    (Cell(percent=55, sign='negative', text='−1.10', contrast=''), 0, 100, 'high')
    """
    share = 100 * min(1.0, abs(value) / full) ** EXPONENT if math.isfinite(value) else 100
    contrast, text = "high" if share > 89 else "middle" if share > 67 else "", number(value)
    return Cell(round(share), "negative" if text.startswith("−") else "positive", text, contrast)


def full_color(trained: bool, rows: Tensor) -> float:
    """Return the number that has the full color: for a trained table 2.2 root mean squares of the shown rows.

    >>> import torch
    >>> full_color(False, torch.ones(2, 2)), round(full_color(True, torch.full((2, 2), 0.1)), 2)
    (2.2, 0.22)
    """
    if not trained or not rows.any():
        return FULL_COLOR
    return FULL_COLOR * rows.square().mean().sqrt().item()


def fit(text: str, width: float, size: float = 17) -> str:
    """Return text cut with an ellipsis to a width in units, in the code font; in a chip, bytes are in brackets.

    Of a word that was not cut before, its last third stays: words with the same beginning differ in it.

    >>> fit("␣riverbank", 92), fit("␣riverbanks", 92), fit("␣riverba…", 82), fit("a sentence", 92)
    ('␣rive…ank', '␣rive…nks', '␣riverb…', 'a senten…')
    >>> fit("␣river", 92), fit("bytes E6 97", 92), fit("bytes F0 9F 98", 92)
    ('␣river', '‹E6 97›', '‹F09F98›')
    >>> fit("bytes E2 98 A1", 128), fit("bytes E2 98", 128), fit("bytes 20 F0 9F 91", 92), fit("bytes 20 F0 9F 91", 70)
    ('‹E2 98 A1›', 'bytes E2 98', '‹20F0…91›', '‹…91›')
    """
    room = width / (CHARACTER * size)
    if text.startswith("bytes ") and (room < CHIP or text_columns(text) > room):
        text = bracketed(text)
        if text_columns(text) > room:
            text = text.replace(" ", "")
        if text_columns(text) > room >= len("‹…91›"):  # whole bytes, with the last one
            text = f"{text[: 1 + int(room - 5) // 2 * 2]}…{text[-3:]}"
    if text_columns(text) <= room:
        return text
    kept, end = "", "" if " " in text or text.endswith("…") else text[-CHIP:]
    while end and (text_columns(end) > room // 3 or unicodedata.combining(end[0])):
        end = end[1:]
    room -= text_columns(end)
    for character in text:
        room -= text_columns(character)
        if room < 1:
            break
        kept += character
    return f"{kept}…{end}"


def bracketed(name: str) -> str:
    """Return the name of a token, with brackets for the word before the bytes of an incomplete character.

    >>> bracketed("bytes E6 97"), bracketed("␣river")
    ('‹E6 97›', '␣river')
    """
    return f"‹{name.removeprefix('bytes ')}›" if name.startswith("bytes ") else name


def text_columns(text: str) -> int:
    """Return the number of columns that a text takes in the code font.

    >>> text_columns("the"), text_columns("猫"), text_columns("Ａ")
    (3, 2, 2)
    """
    characters = [character for character in text if not unicodedata.combining(character)]
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in characters)


def text_width(text: str, size: float) -> float:
    """Return the width of a text in the code font, in units like its font size.

    >>> text_width("the", 10)
    18.0
    """
    return CHARACTER * size * text_columns(text)
