from io import BytesIO

import numpy as np
import pytest
import vl_convert
import zxingcpp
from PIL import Image

from components.base.qr import MAX_QR_BYTES, QUIET_ZONE, qr_svg


def pixels(svg: str) -> np.ndarray:
    """Return the modules of the SVG as pixels; those of black ones are zeros."""
    picture = vl_convert.svg_to_png(svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
    return np.asarray(Image.open(BytesIO(picture)).convert("L"))


def decoded(svg: str) -> str:
    (code,) = zxingcpp.read_barcodes(pixels(svg).repeat(4, axis=0).repeat(4, axis=1))
    return code.text


@pytest.mark.parametrize("size", [30, 300, MAX_QR_BYTES])
def test_qr_svg_is_decoded_on_white_with_the_standard_quiet_zone(size):
    link = ("https://example.org/combine?text=" + "river+bank%2C+" * 99)[:size]
    svg = qr_svg(link)
    assert decoded(svg) == link
    assert 'fill="#fff"' in svg
    black, size = np.argwhere(pixels(svg) == 0), len(pixels(svg))
    assert (black.min(), black.max()) == (QUIET_ZONE, size - QUIET_ZONE - 1) == (4, size - 5)


def test_link_too_long_for_a_qr_code_is_refused():
    with pytest.raises(ValueError, match=r"has 1,001 characters; a QR code that can be read .* at most 1,000\."):
        qr_svg("x" * (MAX_QR_BYTES + 1))
