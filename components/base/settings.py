"""The settings that all lessons share: their types, limits and defaults, and how they are read from a link."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from components.base.field_types import (
    BooleanField,
    ChoiceField,
    FieldType,
    IntegerField,
    TextField,
    check_all,
    read_values,
)
from components.base.limits import (
    MAX_BATCH_CELLS,
    MAX_BATCH_SIZE,
    MAX_CONTEXT_LENGTH,
    MAX_DIM,
    MAX_LINE_CHARS,
    MAX_SEED,
    MAX_STRIDE,
    MAX_TABLE_CELLS,
    MAX_TEXT_CHARS,
    MAX_VOCAB_SIZE,
    table_bytes,
)
from components.base.text_format import readable_bytes

TOKENIZERS = ("words", "gpt2", "cl100k_base", "o200k_base")
POSITIONS = ("none", "learned", "sinusoidal")
LAYOUTS = ("interleaved", "halves")
SYMBOLS = {"V": "vocab_size", "D": "dim", "T": "context_length", "B": "batch_size"}


def setting_field(default: Any, field_type: FieldType, of_text: bool = False) -> Any:
    """Return a dataclass field with a default and the type of its values; `of_text`: a new text resets it.

    >>> setting_field(16, IntegerField("D", 1, 64)).default
    16
    """
    return field(default=default, metadata={"field_type": field_type, "of_text": of_text})


@dataclass(frozen=True)
class Settings:
    """The settings that all lessons share. Raises ValueError for invalid values. The message is shown to learners.

    >>> Settings(vocab_size=6, dim=3).dim
    3
    >>> Settings(vocab_size=50_257, dim=1_024)
    Traceback (most recent call last):
    ...
    ValueError: A table of V = 50,257 x D = 1,024 takes 205.9 MB; the limit is 67.1 MB. Lower D to 333 or V to 16,384.
    """

    vocab_size: int = setting_field(50_257, IntegerField("V", 1, MAX_VOCAB_SIZE))
    dim: int = setting_field(16, IntegerField("D", 1, MAX_DIM))
    seed: int = setting_field(123, IntegerField("seed", 0, MAX_SEED))
    context_length: int = setting_field(4, IntegerField("T", 1, MAX_CONTEXT_LENGTH))
    stride: int = setting_field(4, IntegerField("stride", 1, MAX_STRIDE))
    batch_size: int = setting_field(2, IntegerField("B", 1, MAX_BATCH_SIZE))
    tokenizer: str = setting_field("gpt2", ChoiceField("tokenizer", TOKENIZERS))
    position: str = setting_field("sinusoidal", ChoiceField("position", POSITIONS))
    layout: str = setting_field("interleaved", ChoiceField("layout", LAYOUTS))
    scale: bool = setting_field(False, BooleanField("scale"))
    ids: str = setting_field("", TextField("ids", MAX_LINE_CHARS))  # typed token IDs; empty: use the text
    batch: int = setting_field(0, IntegerField("batch", 0, 4 * MAX_TEXT_CHARS))  # index of the batch in use
    shuffle: bool = setting_field(False, BooleanField("shuffle"))
    drop_last: bool = setting_field(False, BooleanField("drop_last"))

    @property
    def typed(self) -> bool:
        """Whether the batch comes from typed IDs instead of the text."""
        return bool(self.ids.strip())

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
                f"{self.batch_size * self.context_length * self.dim:,} elements; the limit is {MAX_BATCH_CELLS:,}. "
                f"Lower B, T or D."
            )


def read_settings(settings: Settings, query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return `settings` changed by the values that `query` names, and a message for each value that was replaced.

    A setting is named by its field or its symbol (V, D, T, B). Values are lowered until table and batch fit the limits.

    >>> read_settings(Settings(dim=3), {"V": "0"})
    (Settings(vocab_size=1, dim=3, ...), ['V = 0 is below the limit of 1: using 1.'])
    """
    by_symbol = {SYMBOLS[key]: value for key, value in query.items() if key in SYMBOLS}
    values, problems = read_values(settings, by_symbol | {key: str(value) for key, value in query.items()})
    values = asdict(settings) | values
    max_dim = MAX_TABLE_CELLS // values["vocab_size"]
    if values["dim"] > max_dim:
        V, D = values["vocab_size"], values["dim"]
        size = readable_bytes(table_bytes(V, D))
        problems.append(f"A table of V = {V:,} x D = {D:,} would take {size}: using D = {max_dim:,}.")
        values["dim"] = max_dim
    max_tokens = MAX_BATCH_CELLS // values["dim"]  # B x T
    if values["batch_size"] * values["context_length"] > max_tokens:
        values["batch_size"] = max(1, max_tokens // values["context_length"])
        values["context_length"] = min(values["context_length"], max_tokens)
        shape = f"B = {values['batch_size']:,} and T = {values['context_length']:,}"
        problems.append(f"A batch has at most {MAX_BATCH_CELLS:,} elements: using {shape}.")
    return replace(settings, **values), problems
