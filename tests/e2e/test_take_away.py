"""What leaves the app: the link, its QR code, notebooks, numbers and pictures."""

import io
import re
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from .learner import at_rest, drawn, no_traceback, visit

OWN = "vocab_size=60&dim=8&seed=7&ids=2+3+5+1;+4+4+4+9&text=a+caf%C3%A9+%26+more"


def open_panel(page: Page, name: str):
    page.get_by_test_id("stMain").get_by_role("button", name=re.compile(name)).first.click()
    panel = page.get_by_role("dialog")
    expect(panel).to_be_visible()
    at_rest(page)
    return panel


def cells(page: Page) -> list[str]:
    """Return what every cell of every chart says to a screen reader."""
    expect(page.locator("[aria-label*=' = ']").first).to_be_attached()
    return page.locator("[aria-label*=' = ']").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")


def shared_link(page: Page) -> str:
    return open_panel(page, "Share").get_by_test_id("stCode").inner_text().strip()


@pytest.mark.parametrize("lesson", ["lookup", "combine"])
def test_a_shared_link_shows_the_same_numbers_cell_by_cell(page, server, new_learner, lesson):
    visit(page, server, lesson, OWN + "&step=2")
    link = shared_link(page)
    assert link.startswith(f"{server}/{lesson}?")
    other = new_learner()
    other.goto(link)
    drawn(other, lesson)
    assert cells(other) == cells(page)
    assert len(cells(other)) >= 32


def test_the_shared_link_of_home_leads_home(page, server, new_learner):
    visit(page, server, "home", OWN)
    link = shared_link(page)
    assert urlsplit(link).path == "/"
    assert parse_qs(urlsplit(link).query)["text"] == ["a café & more"]
    other = new_learner()
    other.goto(link)
    drawn(other, "home")


def test_a_phone_reads_the_link_from_the_screen_of_a_classroom(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, server, "combine", OWN)
    link = shared_link(page)
    picture = page.get_by_role("dialog").get_by_test_id("stImage").locator("img")
    expect(picture).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(300)  # the window moves in
    screen = np.array(Image.open(io.BytesIO(page.screenshot())).convert("L"))
    (code,) = zxingcpp.read_barcodes(screen)
    assert code.text == link


def test_the_lesson_is_downloaded_as_a_notebook(page, server):
    visit(page, server, "lookup", OWN)
    panel = open_panel(page, "Take it with you")
    with page.expect_download() as download:
        panel.get_by_role("button", name="This lesson, notebook").click()
    assert download.value.suggested_filename == "lookup.ipynb"
    notebook = nbformat.read(download.value.path(), as_version=4)
    nbformat.validate(notebook)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "torch.manual_seed(7)" in code
    no_traceback(page)


def test_a_tensor_is_downloaded_as_it_is_on_the_screen(page, server):
    visit(page, server, "lookup", OWN)
    panel = open_panel(page, "Take it with you")
    panel.get_by_role("combobox", name=re.compile("Tensor")).click()
    page.get_by_role("option", name=re.compile("token_table")).click()
    name = ""
    while "token_table" not in name:  # until the choice has arrived, the button hands out the tensor before
        at_rest(page)
        with page.expect_download() as download:
            panel.get_by_role("button", name="NPY").click()
        name = download.value.suggested_filename
    table = np.load(download.value.path())
    assert table.shape == (60, 8)
    shown = [re.fullmatch(r"W\[(\d+), (\d+)\] = (-?[\d.]+)", cell) for cell in cells(page)]
    on_screen = {(int(cell[1]), int(cell[2])): float(cell[3]) for cell in shown if cell}
    assert len(on_screen) >= 16
    assert all(table[place] == pytest.approx(value, abs=5e-5) for place, value in on_screen.items())


def test_a_chart_is_downloaded_as_svg(page, server):
    visit(page, server, "lookup", OWN)
    panel = open_panel(page, "Take it with you")
    panel.get_by_role("button", name="Make the SVG").click()
    with page.expect_download() as download:
        panel.get_by_role("button", name="Download lookup-1.svg").click()
    picture = download.value.path().read_text("utf-8")
    assert picture.startswith("<svg")
    assert "#0067A5" in picture


def test_the_keys_are_listed_and_escape_closes_the_list(page, server):
    visit(page, server, "combine")
    panel = open_panel(page, "Keys and words")
    expect(panel).to_contain_text("one step of the walk")
    expect(panel).to_contain_text("broadcasting")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
