"""QR codes: a decoder reads the link back, and a link too long for a room is refused in words."""

import re

import numpy as np
import pytest
import zxingcpp

from components.base.qr import MAX_QR_BYTES, QUIET_ZONE, qr_svg


def pixels(svg: str, each: int = 4) -> np.ndarray:
    """Draw the black squares of the SVG, which are horizontal strokes, on a white sheet."""
    size = int(re.search(r'viewBox="0 0 (\d+) ', svg)[1])
    sheet = np.full((size, size), 255, dtype=np.uint8)
    x = y = 0.0
    for command, arguments in re.findall(r"([Mmh])([-\d. ]+)", re.search(r'class="qrline".* d="([^"]+)"', svg)[1]):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", arguments)]
        if command == "M":
            x, y = numbers
        elif command == "m":
            x, y = x + numbers[0], y + numbers[1]
        else:
            sheet[int(y), int(x) : int(x + numbers[0])] = 0
            x += numbers[0]
    return sheet.repeat(each, axis=0).repeat(each, axis=1)


@pytest.mark.parametrize("size", [30, 300, MAX_QR_BYTES])
def test_a_decoder_reads_the_link_back(size):
    link = ("https://example.org/combine?text=" + "river+bank%2C+" * 99)[:size]
    (code,) = zxingcpp.read_barcodes(pixels(qr_svg(link)))
    assert code.text == link


def test_it_is_black_on_white_with_room_around_it():
    svg = qr_svg("https://example.org")
    sheet = pixels(svg, each=1)
    assert 'fill="#fff"' in svg
    assert (sheet[:QUIET_ZONE] == 255).all()
    assert (sheet[:, -QUIET_ZONE:] == 255).all()
    assert sheet[QUIET_ZONE, QUIET_ZONE] == 0


def test_a_link_too_long_to_be_read_across_a_room_is_refused():
    with pytest.raises(ValueError, match=f"has {MAX_QR_BYTES + 1:,} characters; a QR code that can be read"):
        qr_svg("x" * (MAX_QR_BYTES + 1))
