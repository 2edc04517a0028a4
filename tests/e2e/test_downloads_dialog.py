"""The dialogs: the shared link and its QR code, notebooks, tensors and charts as files, help."""

import io
import re
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from .page_actions import at_rest, drawn, main_of, no_traceback, visit

OWN = "vocab_size=60&dim=8&seed=7&ids=2+3+5+1;+4+4+4+9&text=a+caf%C3%A9+%26+more"


def open_dialog(page: Page, name: str) -> Locator:
    main_of(page).get_by_role("button", name=name, exact=True).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    at_rest(page)
    return dialog


def cells(page: Page) -> list[str]:
    """Return the label of every cell of every chart."""
    expect(page.locator("[aria-label*=' = ']").first).to_be_attached()
    return page.locator("[aria-label*=' = ']").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")


def shared_link(page: Page) -> str:
    return open_dialog(page, "Share").get_by_test_id("stCode").inner_text().strip()


@pytest.mark.parametrize("lesson", ["lookup", "combine"])
def test_shared_link_shows_the_same_numbers(page, server, new_learner, lesson):
    visit(page, server, lesson, OWN + "&step=2")
    link = shared_link(page)
    assert link.startswith(f"{server}/{lesson}?")
    other = new_learner()
    other.goto(link)
    drawn(other, lesson)
    assert cells(other) == cells(page)
    assert len(cells(other)) >= 32


def test_shared_link_of_home_opens_home(page, server, new_learner):
    visit(page, server, "home", OWN)
    link = shared_link(page)
    assert urlsplit(link).path == "/"
    assert parse_qs(urlsplit(link).query)["text"] == ["a café & more"]
    other = new_learner()
    other.goto(link)
    drawn(other, "home")


def test_qr_code_on_a_classroom_screen_is_readable(page, server):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, server, "combine", OWN)
    link = shared_link(page)
    picture = page.get_by_role("dialog").get_by_test_id("stImage").locator("img")
    expect(picture).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(300)  # the dialog moves in
    screen = np.array(Image.open(io.BytesIO(page.screenshot())).convert("L"))
    (code,) = zxingcpp.read_barcodes(screen)
    assert code.text == link


def test_lesson_is_downloaded_as_a_notebook(page, server):
    visit(page, server, "lookup", OWN)
    dialog = open_dialog(page, "Download")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="This lesson, notebook").click()
    assert download.value.suggested_filename == "lookup.ipynb"
    notebook = nbformat.read(download.value.path(), as_version=4)
    nbformat.validate(notebook)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "seed = 7" in code
    no_traceback(page)


def test_downloaded_tensor_equals_the_chart(page, server):
    visit(page, server, "lookup", OWN)
    dialog = open_dialog(page, "Download")
    dialog.get_by_role("combobox", name=re.compile("Tensor")).click()
    page.get_by_role("option", name=re.compile("token_table")).click()
    name = ""
    while "token_table" not in name:  # until the choice has been rendered, the button downloads the tensor before it
        at_rest(page)
        with page.expect_download() as download:
            dialog.get_by_role("button", name="NPY").click()
        name = download.value.suggested_filename
    table = np.load(download.value.path())
    assert table.shape == (60, 8)
    shown = [re.fullmatch(r"W\[(\d+), (\d+)\] = (-?[\d.]+)", cell) for cell in cells(page)]
    in_chart = {(int(cell[1]), int(cell[2])): float(cell[3]) for cell in shown if cell}
    assert len(in_chart) >= 16
    assert all(table[index] == pytest.approx(value, abs=5e-5) for index, value in in_chart.items())


def test_chart_is_downloaded_as_svg(page, server):
    visit(page, server, "lookup", OWN)
    dialog = open_dialog(page, "Download")
    dialog.get_by_role("button", name="Prepare SVG").click()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download lookup-1.svg").click()
    picture = download.value.path().read_text("utf-8")
    assert picture.startswith("<svg")
    assert "#0067A5" in picture


def test_help_lists_shortcuts_and_terms(page, server):
    visit(page, server, "combine")
    dialog = open_dialog(page, "Help")
    expect(dialog).to_contain_text("Shortcuts and glossary")
    expect(dialog).to_contain_text("previous or next step")
    expect(dialog).to_contain_text("broadcasting")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_help_opens_the_whole_glossary(page, server):
    visit(page, server, "combine", "term=xyzzy")
    open_dialog(page, "Help").get_by_role("button", name="Full glossary").click()
    drawn(page, "glossary")
    expect(page.get_by_role("textbox", name="Find a word")).to_have_value("")
    assert "xyzzy" not in page.url
