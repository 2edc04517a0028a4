import pytest

from components.base.text_format import readable_bytes


@pytest.mark.parametrize(
    ("count", "text"), [(999, "999 bytes"), (1_000, "1.0 kB"), (10**6, "1.0 MB"), (2_470_232_064, "2.5 GB")]
)
def test_readable_bytes_uses_decimal_units(count, text):
    assert readable_bytes(count) == text
