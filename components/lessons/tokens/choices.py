from dataclasses import dataclass

from components.base.field_types import CheckedFields, IntegerField, TextField, setting_field
from components.base.limits import MAX_LINE_CHARS, MAX_TEXT_CHARS

MAX_LEARNED = 50  # merges learned from the text
MAX_PIECE_BYTES = 128  # of a piece whose merges are shown: the longest token of GPT-2 has as many


@dataclass(frozen=True)
class Choices(CheckedFields):
    """`piece` is a token; `opened` is a piece of GPT-2's pattern, -1 the longest of those that are shown."""

    word: int = setting_field(0, IntegerField("word", 0, MAX_TEXT_CHARS))
    piece: int = setting_field(0, IntegerField("piece", 0, 4 * MAX_TEXT_CHARS), of_text=True)
    probe: str = setting_field("", TextField("Sentence", MAX_LINE_CHARS))
    search: str = setting_field("", TextField("Search", MAX_LINE_CHARS))
    opened: int = setting_field(-1, IntegerField("opened", -1, MAX_TEXT_CHARS), of_text=True)
    merge: int = setting_field(0, IntegerField("merge", 0, MAX_PIECE_BYTES), of_text=True)
    learned: int = setting_field(10, IntegerField("learned", 0, MAX_LEARNED))
    second: str = setting_field("the riverside", TextField("Second text", MAX_LINE_CHARS))
