"""The settings that all lessons share: their types, limits and defaults, and how they are read from a link."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

from components.base.field_types import (
    BooleanField,
    CheckedFields,
    ChoiceField,
    IntegerField,
    TextField,
    read_values,
    setting_field,
)
from components.base.limits import (
    GPT2_DIM,
    GPT2_VOCAB_SIZE,
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

TOKENIZERS = {  # and how they are listed
    "words": "Words of your text",
    "gpt2": "GPT-2 (BPE)",
    "cl100k_base": "cl100k_base (GPT-4)",
    "o200k_base": "o200k_base (GPT-4o)",
}
TABLES = {"random": "Random (seed)", "gpt2": "GPT-2, trained"}  # and how they are listed
POSITIONS = ("none", "learned", "sinusoidal")
LAYOUTS = ("interleaved", "halves")
SYMBOLS = {"V": "vocab_size", "D": "dim", "T": "context_length", "B": "batch_size"}


@dataclass(frozen=True)
class Settings(CheckedFields):
    """The settings that all lessons share. Raises ValueError for invalid values. The message is shown to learners."""

    vocab_size: int = setting_field(GPT2_VOCAB_SIZE, IntegerField("V", 1, MAX_VOCAB_SIZE))
    dim: int = setting_field(16, IntegerField("D", 1, MAX_DIM))
    seed: int = setting_field(123, IntegerField("seed", 0, MAX_SEED))
    context_length: int = setting_field(4, IntegerField("T", 1, MAX_CONTEXT_LENGTH))
    stride: int = setting_field(4, IntegerField("stride", 1, MAX_STRIDE))
    batch_size: int = setting_field(2, IntegerField("B", 1, MAX_BATCH_SIZE))
    tokenizer: str = setting_field("gpt2", ChoiceField("tokenizer", tuple(TOKENIZERS)))
    position: str = setting_field("sinusoidal", ChoiceField("position", POSITIONS))
    layout: str = setting_field("interleaved", ChoiceField("layout", LAYOUTS))
    scale: bool = setting_field(False, BooleanField("scale"))
    ids: str = setting_field("", TextField("Token IDs", MAX_LINE_CHARS))  # typed token IDs; empty: use the text
    batch: int = setting_field(0, IntegerField("batch", 0, 4 * MAX_TEXT_CHARS))  # index of the batch in use
    shuffle: bool = setting_field(False, BooleanField("shuffle"))
    drop_last: bool = setting_field(False, BooleanField("drop_last"))
    table: str = setting_field("random", ChoiceField("table", tuple(TABLES)))  # of some lessons; others sample theirs

    trained: ClassVar[bool] = False  # whether these are in effect with a trained table

    @property
    def typed(self) -> bool:
        """Whether the batch comes from typed IDs instead of the text."""
        return bool(self.ids.strip())

    def __post_init__(self) -> None:
        super().__post_init__()
        V, D = self.vocab_size, self.dim
        if not self.trained and (problem := _table_problem(V, D)):
            highest = f"D can be at most {MAX_TABLE_CELLS // V:,} with this V, V at most {MAX_TABLE_CELLS // D:,}"
            raise ValueError(f"{problem}. {highest} with this D.")
        if problem := batch_problem(self.batch_size, self.context_length, D):
            raise ValueError(f"{problem}. Lower B, T or D.")


class TrainedSettings(Settings):
    """The settings in effect with a trained table: it is mapped, and takes no memory of its own."""

    trained = True


def with_trained_table(settings: Settings) -> TrainedSettings:
    """Return settings with V and D of GPT-2's table and its tokenizer; T and B are lowered to the limits.

    >>> trained = with_trained_table(Settings(table="gpt2", batch_size=64, context_length=1024))
    >>> trained.vocab_size, trained.dim, trained.context_length, trained.batch_size
    (50257, 768, 1024, 1)
    """
    B, T = _fitted_batch(settings.batch_size, settings.context_length, GPT2_DIM)
    values = {"vocab_size": GPT2_VOCAB_SIZE, "dim": GPT2_DIM, "tokenizer": "gpt2"}
    values |= {"context_length": T, "batch_size": B}
    return TrainedSettings(**asdict(settings) | values)


def _table_problem(V: int, D: int) -> str:
    if V * D <= MAX_TABLE_CELLS:
        return ""
    size, limit = (readable_bytes(table_bytes(cells, 1)) for cells in (V * D, MAX_TABLE_CELLS))
    return f"With V = {V:,} and D = {D:,} the table that all lessons share would take {size}; the limit is {limit}"


def batch_problem(B: int, T: int, D: int) -> str:
    if B * T * D <= MAX_BATCH_CELLS:
        return ""
    shape = f"B = {B:,} × T = {T:,} × D = {D:,}"
    return f"A batch of {shape} has {B * T * D:,} elements; the limit is {MAX_BATCH_CELLS:,}"


def _fitted_batch(B: int, T: int, D: int) -> tuple[int, int]:
    """Return B and T, lowered until a batch fits the limit."""
    max_tokens = MAX_BATCH_CELLS // D
    return max(1, min(B, max_tokens // T)), min(T, max_tokens)


def read_settings(settings: Settings, query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return `settings` changed by the values that `query` names, and a message for each value that was replaced.

    A setting is named by its field or its symbol (V, D, T, B). Values are lowered until table and batch fit the limits.
    """
    by_symbol = {SYMBOLS[key]: value for key, value in query.items() if key in SYMBOLS}
    values, problems = read_values(settings, by_symbol | {key: str(value) for key, value in query.items()})
    values = asdict(settings) | values
    V, D, B, T = (values[SYMBOLS[symbol]] for symbol in "VDBT")
    if problem := _table_problem(V, D):
        wanted, D = D, MAX_TABLE_CELLS // V
        problems.append(f"{problem}: using D = {D:,}. For D = {wanted:,} lower V to {MAX_TABLE_CELLS // wanted:,}.")
    if problem := batch_problem(B, T, D):
        B, T = _fitted_batch(B, T, D)
        problems.append(f"{problem}: using B = {B:,} and T = {T:,}.")
    return replace(settings, **values | {"dim": D, "batch_size": B, "context_length": T}), problems
