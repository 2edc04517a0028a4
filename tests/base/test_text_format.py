import pytest

from components.base.text_format import readable_bytes


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (10**6, "1.0 MB"),
        (2_470_232_064, "2.5 GB"),
    ],
)
def test_bytes_are_written_in_decimal_units(count, written):
    assert readable_bytes(count) == written
