"""GPT-2's rows in a browser: chosen by a button, fetched from a made-up file, and named as missing without a server."""

from components.figures.cells import number
from tests.gpt2_server import tables

from .test_figures import TEXT, numbers


def test_rows_of_gpt2_are_fetched_when_they_are_chosen(page, gpt2, fresh_server):
    page.visit(fresh_server, "lookup", TEXT)
    page.open_expander("GPT-2's own rows")
    page.button("Use GPT-2's rows").click()
    page.in_address(table="gpt2", position="learned")
    assert numbers(page)[0] == number(tables()["wte.weight"][262, 0])  # " the"


def test_rows_that_cannot_be_fetched_leave_the_random_table(page, server):
    page.visit(server, "lookup", f"table=gpt2&{TEXT}")
    page.sentence("Until GPT-2's rows are here, this page shows the random table with your own V and D.")
    assert numbers(page)[0] == "1.13"
