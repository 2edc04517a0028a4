"""Glossary: a search finds terms, and names what it does not find."""

import re

import pytest
from driver import AppDriver

from components.lessons.glossary.terms import TERMS, find


def shown(app):
    return re.findall(r"^\*\*(.+?)\*\*: ", app.words, re.MULTILINE)


@pytest.mark.parametrize("word", ["context length", "T", "stride"])
def test_a_search_shows_the_terms_it_finds_in_order(word):
    assert shown(AppDriver().open("glossary").set(glossary_term=word)) == [term.name for term in find(word)]


def test_a_search_without_result_is_named():
    (error,) = AppDriver().open("glossary", term="xyzzy").errors()
    assert "'xyzzy'" in error


def test_an_empty_search_shows_every_term_by_lesson():
    app = AppDriver().open("glossary")
    assert sorted(shown(app)) == sorted(term.name for term in TERMS)
    assert [header.value for header in app.at.header][-1] == "Further reading"
