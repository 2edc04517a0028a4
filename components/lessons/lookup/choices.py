from dataclasses import dataclass

from components.base.field_types import BooleanField, CheckedFields, ChoiceField, IntegerField, setting_field
from components.base.limits import MAX_BATCH_TOKENS, MAX_DIM, MAX_VOCAB_SIZE

INPUTS = ("batch", "sequence", "single")
DTYPES = ("int64", "int32")


@dataclass(frozen=True)
class Choices(CheckedFields):
    input: str = setting_field("batch", ChoiceField("input", INPUTS))
    dtype: str = setting_field("int64", ChoiceField("dtype", DTYPES))
    rows_in_use: bool = setting_field(True, BooleanField("rows_in_use"))
    row: int = setting_field(0, IntegerField("row", 0, MAX_VOCAB_SIZE))
    column: int = setting_field(0, IntegerField("column", 0, MAX_DIM))
    near_token: int = setting_field(0, IntegerField("near_token", 0, MAX_BATCH_TOKENS), of_text=True)
    lookup_token: int = setting_field(0, IntegerField("token of Lookup", 0, MAX_BATCH_TOKENS), of_text=True)
