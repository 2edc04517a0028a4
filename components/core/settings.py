"""The settings that every lesson shares, checked, and carried in the address of the page."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from components.core.kinds import Flag, Kind, OneOf, Whole, check_all, read_values, write_query
from components.core.limits import (
    MAX_BATCH_CELLS,
    MAX_BATCH_SIZE,
    MAX_CONTEXT_LENGTH,
    MAX_DIM,
    MAX_SEED,
    MAX_STRIDE,
    MAX_TABLE_CELLS,
    MAX_VOCAB_SIZE,
    readable_bytes,
    table_bytes,
)

TOKENIZERS = ("words", "gpt2", "cl100k_base", "o200k_base")
POSITIONS = ("none", "learned", "sinusoidal")
LAYOUTS = ("interleaved", "halves")
LETTERS = {"V": "vocab_size", "D": "dim", "T": "context_length", "B": "batch_size"}


def setting(default: Any, kind: Kind) -> Any:
    """Return a dataclass field with a default and the kind of value that it takes."""
    return field(default=default, metadata={"kind": kind})


@dataclass(frozen=True)
class Settings:
    """What the learner sets once for all lessons; raises ValueError, in a plain sentence, for what cannot work.

    >>> Settings(vocab_size=6, dim=3).to_query()["vocab_size"]
    '6'
    >>> Settings.from_query({"V": "6", "dim": "3"}) == Settings(vocab_size=6, dim=3)
    True
    >>> Settings(vocab_size=50_257, dim=1_024)
    Traceback (most recent call last):
    ...
    ValueError: A table of V = 50,257 x D = 1,024 takes 205.9 MB; the limit is 67.1 MB. Lower D to 333 or V to 16,384.
    """

    vocab_size: int = setting(50_257, Whole("V", 1, MAX_VOCAB_SIZE))
    dim: int = setting(16, Whole("D", 1, MAX_DIM))
    seed: int = setting(123, Whole("seed", 0, MAX_SEED))
    context_length: int = setting(4, Whole("T", 1, MAX_CONTEXT_LENGTH))
    stride: int = setting(4, Whole("stride", 1, MAX_STRIDE))
    batch_size: int = setting(2, Whole("B", 1, MAX_BATCH_SIZE))
    tokenizer: str = setting("gpt2", OneOf("tokenizer", TOKENIZERS))
    position: str = setting("learned", OneOf("position", POSITIONS))
    layout: str = setting("interleaved", OneOf("layout", LAYOUTS))
    scale: bool = setting(False, Flag("scale"))

    def __post_init__(self) -> None:
        check_all(self)
        if self.vocab_size * self.dim > MAX_TABLE_CELLS:
            raise ValueError(
                f"A table of V = {self.vocab_size:,} x D = {self.dim:,} takes "
                f"{readable_bytes(table_bytes(self.vocab_size, self.dim))}; the limit is "
                f"{readable_bytes(table_bytes(MAX_TABLE_CELLS, 1))}. "
                f"Lower D to {MAX_TABLE_CELLS // self.vocab_size:,} or V to {MAX_TABLE_CELLS // self.dim:,}."
            )
        if self.batch_size * self.context_length * self.dim > MAX_BATCH_CELLS:
            raise ValueError(
                f"A batch of B = {self.batch_size:,} x T = {self.context_length:,} x D = {self.dim:,} has "
                f"{self.batch_size * self.context_length * self.dim:,} numbers; the limit is {MAX_BATCH_CELLS:,}. "
                f"Lower B, T or D."
            )

    def to_query(self) -> dict[str, str]:
        """Return all settings as text for the address of a page; `from_query` reads them back."""
        return write_query(self)

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Settings":
        """Return the settings that `query` names; what is missing takes its default, what is wrong the nearest."""
        return read_settings(cls(), query)[0]


def read_settings(before: Settings, query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return `before` changed by what `query` names, and a sentence for each value that had to be replaced.

    >>> read_settings(Settings(dim=3), {"V": "0"})
    (Settings(vocab_size=1, dim=3, ...), ['V = 0 is below the limit of 1: using 1.'])
    """
    named = {LETTERS[key]: value for key, value in query.items() if key in LETTERS}
    values, problems = read_values(before, named | {key: str(value) for key, value in query.items()})
    values = asdict(before) | values
    widest = MAX_TABLE_CELLS // values["vocab_size"]
    if values["dim"] > widest:
        V, D = values["vocab_size"], values["dim"]
        size = readable_bytes(table_bytes(V, D))
        problems.append(f"A table of V = {V:,} x D = {D:,} would take {size}: using D = {widest:,}.")
        values["dim"] = widest
    cells = MAX_BATCH_CELLS // values["dim"]
    if values["batch_size"] * values["context_length"] > cells:
        values["batch_size"] = max(1, cells // values["context_length"])
        values["context_length"] = min(values["context_length"], cells)
        shape = f"B = {values['batch_size']:,} and T = {values['context_length']:,}"
        problems.append(f"A batch may hold {MAX_BATCH_CELLS:,} numbers: using {shape}.")
    return replace(before, **values), problems
