import io

import numpy as np
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

OWN = "vocab_size=60&dim=8&seed=7&ids=2+3+5+1;+4+4+4+9&text=a+caf%C3%A9+%26+more"


def test_qr_code_is_the_address_and_a_chart_is_downloaded(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "lookup", OWN)
    dialog = page.dialog("Share")
    link = dialog.get_by_test_id("stCode").inner_text().strip()
    expect(dialog.get_by_test_id("stImage").locator("img")).to_be_in_viewport(ratio=1)
    page.settled()
    (code,) = zxingcpp.read_barcodes(np.array(Image.open(io.BytesIO(page.screenshot())).convert("L")))
    assert code.text == link == page.url
    page.keyboard.press("Escape")

    page.open_section("The table")
    page.at_rest()
    page.dialog("Download").get_by_role("button", name="Prepare SVG").click()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download lookup-1.svg").click()
    assert download.value.suggested_filename == "lookup-1.svg"
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"<svg")
    assert b"#0067A5" in picture
