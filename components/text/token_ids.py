"""Token IDs that a learner types, and the check that they are in the range of a vocabulary."""

from collections.abc import Sequence
from itertools import chain

from components.base.field_types import quote
from components.base.limits import MAX_VOCAB_SIZE
from components.base.text_format import series, true_minus
from components.text.nested_ids import parse_nested, rows_of

INT64_MAX = 2**63 - 1


def parse_ids(line: str) -> list[list[int]]:
    """Return typed IDs as sequences of a batch [B, T], separated by semicolons or written as nested lists.

    Raises ValueError unless they are integers in sequences of one length. The message is shown to learners.
    """
    found = [(index, [value for _, value in row]) for index, row in rows_of(parse_nested(line)) if row]
    batch = [row for _, row in found]
    if not batch:
        raise ValueError("There are no IDs yet: type whole numbers, such as 2 3 5 1.")
    for value in chain(*batch):
        if isinstance(value, float) or not -INT64_MAX - 1 <= value <= INT64_MAX:
            raise ValueError(f"{quote(value)} is not an int64 integer: IDs are row indices, 0, 1, 2 …")
    if len(depths := {len(index) for index, _ in found}) > 1 or max(depths) > 1:
        raise ValueError("The lists are nested unevenly or too deep: type one sequence, 2 3 5 1, or a batch, 2 3; 5 1.")
    if len({len(sequence) for sequence in batch}) > 1:
        lengths = series([str(len(sequence)) for sequence in batch])
        raise ValueError(f"The sequences have {lengths} IDs: in a batch all sequences have the same length.")
    return batch


def out_of_range(token_ids: Sequence[int], vocab_size: int) -> str | None:
    """Return a message on the first ID that is out of range and the V that would fit all IDs, or None."""
    outside = [position for position, token_id in enumerate(token_ids) if not 0 <= token_id < vocab_size]
    if not outside:
        return None
    first, needed = token_ids[outside[0]], max(token_ids) + 1
    are = f", and {len(outside) - 1:,} more, are" if len(outside) > 1 else " is"
    fix = f"V = {needed:,} would fit all IDs here."
    if needed > MAX_VOCAB_SIZE:
        fix = f"The largest V here is {MAX_VOCAB_SIZE:,}."
    if min(token_ids) < 0:
        fix = "IDs start at 0" + (f", and V = {needed:,} would fit the others." if needed > vocab_size else ".")
    valid = f"0 to {vocab_size - 1:,}" if vocab_size > 1 else "0 only"
    return (
        f"ID {true_minus(f'{first:,}')} at position {outside[0]:,}{are} out of range for V = {vocab_size:,} "
        f"(valid: {valid}). {fix}"
    )


def repeated_ids(token_ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return every ID that occurs more than once, and its first two positions.

    >>> repeated_ids([9, 4, 9, 4, 4])
    [(9, 0, 2), (4, 1, 3)]
    """
    positions: dict[int, list[int]] = {}
    for position, token_id in enumerate(token_ids):
        positions.setdefault(token_id, []).append(position)
    return [(token_id, found[0], found[1]) for token_id, found in positions.items() if len(found) > 1]


def same_id_elsewhere(batch: Sequence[Sequence[int]]) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Return every ID of a batch [B, T] that occurs at two positions t, with the indices [b, t] of the first two.

    >>> same_id_elsewhere([[5, 9, 4], [5, 4, 9]])
    [(4, (0, 2), (1, 1)), (9, (0, 1), (1, 2))]
    """
    first: dict[int, tuple[int, int]] = {}
    second: dict[int, tuple[int, int]] = {}
    for b, sequence in enumerate(batch):
        for t, token_id in enumerate(sequence):
            if first.setdefault(token_id, (b, t))[1] != t:
                second.setdefault(token_id, (b, t))
    return [(token_id, first[token_id], found) for token_id, found in second.items()]


def around_first_out_of_range(batch: list[list[int]], vocab_size: int, most: int = 64) -> list[list[int]]:
    """Return at most `most` IDs of a batch, in sequences, that include the first ID out of range."""
    if sum(map(len, batch)) <= most:
        return batch
    b, t = next((b, t) for b, row in enumerate(batch) for t, i in enumerate(row) if not 0 <= i < vocab_size)
    if len(batch[b]) > most:
        start = t - t % most
        return [batch[b][start : start + most]]
    return batch[b : b + most // len(batch[b])]
