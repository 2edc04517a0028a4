"""What leaves the app: the link to share with its QR code, and downloads."""

import io
import re

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from .server_processes import HOST_NAME

OWN = "vocab_size=60&dim=8&seed=7&ids=2+3+5+1;+4+4+4+9&text=a+caf%C3%A9+%26+more"


def cells(page) -> list[str]:
    """Return the label of every cell of every chart."""
    charts = page.get_by_test_id("stVegaLiteChart").locator("[aria-label*=' = ']")
    expect(charts.first).to_be_attached()
    return charts.evaluate_all("cells => cells.map(cell => cell.ariaLabel)")


def test_shared_link_and_its_qr_code_show_the_same_numbers(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.visit(server.replace("127.0.0.1", HOST_NAME), "positions", OWN + "&at=2&position=learned")
    page.open_expander("The table")
    before = cells(page)
    dialog = page.dialog("Share")
    link = dialog.get_by_test_id("stCode").inner_text().strip()
    expect(dialog.get_by_test_id("stImage").locator("img")).to_be_in_viewport(ratio=1)
    page.settled()
    (code,) = zxingcpp.read_barcodes(np.array(Image.open(io.BytesIO(page.screenshot())).convert("L")))
    assert code.text == link
    page.goto("about:blank")
    page.goto(link)
    page.drawn("positions")
    page.open_expander("The table")
    assert cells(page) == before
    assert len(before) >= 32


def test_downloads_have_the_numbers_of_the_page(page, server):
    page.visit(server, "lookup", OWN)
    page.open_expander("The table")
    expect(page.locator("[aria-label^='W[']").first).to_be_attached()
    shown = [re.fullmatch(r"W\[(\d+), (\d+)\] = (-?[\d.]+)", cell) for cell in cells(page)]
    dialog = page.dialog("Download")

    def saved(button: str) -> tuple[str, bytes]:
        with page.expect_download() as download:
            dialog.get_by_role("button", name=button).click()
        return download.value.suggested_filename, download.value.path().read_bytes()

    dialog.get_by_role("button", name="Prepare SVG").click()
    name, picture = saved("Download lookup-1.svg")
    assert picture.startswith(b"<svg")
    assert b"#0067A5" in picture
    dialog.get_by_role("combobox", name=re.compile("Tensor")).click()
    page.get_by_role("option", name=re.compile("token_table")).click()
    while "token_table" not in name:  # until the choice has been rendered, the button downloads the tensor before it
        page.at_rest()
        name, content = saved("NPY")
    table = np.load(io.BytesIO(content))
    assert table.shape == (60, 8)
    in_chart = {(int(cell[1]), int(cell[2])): float(cell[3]) for cell in shown if cell}
    assert len(in_chart) >= 16
    assert all(table[index] == pytest.approx(value, abs=5e-5) for index, value in in_chart.items())
