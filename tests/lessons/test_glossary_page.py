import re

from components.glossary.terms import TERMS, find
from tests.app_driver import AppDriver


def shown(app):
    return re.findall(r"^\*\*(.+?)\*\*: ", app.words, re.MULTILINE)


def test_search_shows_the_terms_that_it_finds_or_names_what_it_does_not():
    app = AppDriver().open("glossary")
    assert sorted(shown(app)) == sorted(term.name for term in TERMS)
    assert shown(app.set(glossary_term="context length")) == [term.name for term in find("context length")]
    (error,) = app.set(glossary_term="xyzzy").errors()
    assert "'xyzzy'" in error
