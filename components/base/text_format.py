"""Numbers and names on screen: counts with their noun, sizes with their unit, a true minus sign, long lists."""

from collections.abc import Sequence


def true_minus(number: str) -> str:
    """Return the text of a number with a minus sign instead of a hyphen; code keeps the hyphen.

    >>> true_minus("-0.15"), true_minus("1e-07")
    ('−0.15', '1e-07')
    """
    return number.replace("-", "−", 1) if number.startswith("-") else number


def pluralize(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> pluralize(1, "row"), pluralize(50_257, "row")
    ('1 row', '50,257 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def first_few(names: Sequence[object], limit: int) -> str:
    """Return the first names, and how many more there are.

    >>> first_few([2, 0, 1], 8), first_few(range(10), 8)
    ('2, 0, 1', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    more = len(names) - limit
    return ", ".join(map(str, names[:limit])) + (f" and {more:,} more" if more > 0 else "")


def series(names: Sequence[str]) -> str:
    """Return names with commas between them, and “and” before the last.

    >>> series(["a", "b", "c"]), series(["a", "b"]), series(["a"])
    ('a, b and c', 'a and b', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def numbered(noun: str, first: int, last: int) -> str:
    """Return the numbers of the things from `first` to `last`, with their noun.

    >>> numbered("row", 0, 1_999), numbered("row", 7, 7)
    ('rows 0 to 1,999', 'row 7')
    """
    return f"{noun}s {first:,} to {last:,}" if last > first else f"{noun} {first:,}"


def percent(share: float, digits: int = 0) -> str:
    """Return a share in percent; one that would round to 0 but is more as below the smallest one that is written.

    >>> percent(0.4), percent(0.123, 1), percent(0.0004, 1), percent(0.004), percent(0)
    ('40%', '12.3%', 'below 0.1%', 'below 1%', '0%')
    """
    text = f"{share:.{digits}%}"
    return text if share == 0 or float(text[:-1]) else f"below {10**-digits:g}%"


def readable_bytes(count: int) -> str:
    """Return `count` bytes in the largest decimal unit (1 kB = 1,000 bytes) that gives a number of at least 1.

    >>> [readable_bytes(count) for count in (999, 1_000, 67_108_864, 2_470_232_064)]
    ['999 bytes', '1.0 kB', '67.1 MB', '2.5 GB']
    """
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"
