import io

import numpy as np
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

OWN = "vocab_size=60&dim=8&seed=7&ids=2+3+5+1;+4+4+4+9&text=a+caf%C3%A9+%26+more"


def cells(page) -> list[str]:
    """Open the table, and return the label of every cell of its chart."""
    page.open_section("The table")
    found = page.get_by_test_id("stVegaLiteChart").locator("[aria-label*=' = ']")
    expect(found.first).to_be_attached()
    return found.evaluate_all("cells => cells.map(cell => cell.ariaLabel)")


def test_link_qr_code_and_picture_have_what_the_page_shows(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server, "lookup", OWN)
    shown = cells(page)
    dialog = page.dialog("Share")
    link = dialog.get_by_test_id("stCode").inner_text().strip()
    expect(dialog.get_by_test_id("stImage").locator("img")).to_be_in_viewport(ratio=1)
    page.settled()
    (code,) = zxingcpp.read_barcodes(np.array(Image.open(io.BytesIO(page.screenshot())).convert("L")))
    assert code.text == link
    page.goto("about:blank")
    page.goto(link)
    page.drawn("lookup")
    assert cells(page) == shown

    page.dialog("Download").get_by_role("button", name="Prepare SVG").click()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download lookup-1.svg").click()
    assert download.value.suggested_filename == "lookup-1.svg"
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"<svg")
    assert b"#0067A5" in picture
