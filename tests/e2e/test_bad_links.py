"""Links with invalid values: a sentence names each, and the page uses valid settings instead."""

import http.client
import random
import string
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect

from components.base.limits import MAX_LINK_TEXT_BYTES
from components.base.link import fits_link

from .page_actions import address_query, drawn, entry, in_address, no_traceback, sentence, text_area, visit

BAD = {
    "V=0": ("V = 0 is below the limit of 1: using 1.", "V", "1"),
    "V=abc": ("V = 'abc' is not a whole number", "V", "50257"),
    "V=": ("V = '' is not a whole number", "V", "50257"),
    "vocab_size=6.5": ("V = '6.5' is not a whole number", "V", "50257"),
    "dim=10^9": ("D = '10^9' is not a whole number", "D", "16"),
    "dim=1000000000": ("D = 1,000,000,000 is above the limit of 1,024", "D", "333"),
    "seed=-1": ("seed = -1 is below the limit of 0: using 0.", "Seed", "0"),
    "position=foo": ("position = 'foo' is not one of none, learned, sinusoidal", "V", "50257"),
    "vocab_size=50257&dim=1024": ("A table of V = 50,257 x D = 1,024 would take 205.9 MB: using D = 333.", "D", "333"),
    "batch_size=64&context_length=1024&dim=512": ("A batch has at most 1,048,576 elements", "D", "333"),
    "step=99": ("step = 99 is above the limit of 9: using 9.", "V", "50257"),
    "dtype=float<b>": ("dtype = 'float<b>' is not one of int64, int32", "V", "50257"),
    "scale=maybe": ("scale = 'maybe' is neither 1 nor 0: using 0.", "V", "50257"),
    "tokenizer=:red[x]": ("tokenizer = ':red[x]' is not one of", "V", "50257"),
}


@pytest.mark.parametrize("query", BAD)
def test_a_bad_value_is_named_and_replaced(page, server, query):
    words, label, value = BAD[query]
    visit(page, server, "lookup", query.replace("^", "%5E"))
    sentence(page, words)
    expect(entry(page, label)).to_have_value(value)
    no_traceback(page)
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()


def test_a_replaced_value_is_named_once_and_leaves_the_address(page, server):
    visit(page, server, "lookup", "V=0")
    in_address(page, vocab_size="1")
    assert "V" not in address_query(page)
    page.reload()
    drawn(page, "lookup")
    expect(page.get_by_text("V = 0 is below the limit")).to_have_count(0)


def test_unknown_parameters_are_left_alone(page, server):
    visit(page, server, "lookup", "utm_source=letter&embed=false&vocab_size=6")
    expect(entry(page, "V")).to_have_value("6")
    expect(page.get_by_test_id("stMain").get_by_role("alert")).to_have_count(1)  # IDs of the text out of range
    no_traceback(page)


def test_a_long_text_in_a_link_is_cut_with_a_sentence(page, server):
    text = "river " + "".join(random.Random(1).choices(string.ascii_letters, k=20_000))
    visit(page, server, "tokens", f"text={text}")
    sentence(page, f"bytes; the limit is {MAX_LINK_TEXT_BYTES:,}, or")
    kept = text_area(page).input_value()
    assert fits_link(kept)
    assert text.startswith(kept)
    no_traceback(page)


def test_the_server_survives_an_address_that_is_too_long_for_it(page, server):
    size = 1_000_000
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=15)
    try:
        connection.request("GET", f"/tokens?text={'x' * size}")
        assert connection.getresponse().status < 500
    except ConnectionError:
        pass  # it closes the connection during the request
    visit(page, server, "tokens")
    no_traceback(page)


def test_a_text_of_100_kB_put_into_the_address(page, server):
    visit(page, server, "tokens")
    page.evaluate("size => history.pushState({}, '', '/tokens?text=' + 'river+bank+'.repeat(size / 11))", 100_000)
    try:
        answered = page.reload().ok
    except Error:  # the server may refuse before the browser has sent all of it
        answered = False
        page.wait_for_timeout(1_000)  # until the browser shows its own page for this error
    if not answered:
        page.goto(f"{server}/tokens")
    drawn(page, "tokens")
    no_traceback(page)
    assert fits_link(text_area(page).input_value())
