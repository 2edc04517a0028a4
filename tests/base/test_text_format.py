from components.base.text_format import readable_bytes


def test_readable_bytes_uses_decimal_units():
    expected = ["999 bytes", "1.0 kB", "1.0 MB", "2.5 GB"]
    assert [readable_bytes(count) for count in (999, 1_000, 10**6, 2_470_232_064)] == expected
