import re

from components.entry import LESSONS
from components.glossary.terms import TERMS, find, terms_of
from tests.app_driver import AppDriver


def shown(app):
    return re.findall(r"^\*\*(.+?)\*\*: ", app.words, re.MULTILINE)


def test_search_shows_the_terms_that_it_finds_or_names_what_it_does_not():
    app = AppDriver().open("glossary")
    assert sorted(shown(app)) == sorted(term.name for term in TERMS)
    titles = [lesson.title for name, lesson in LESSONS.items() if terms_of(name)]
    assert [header.value for header in app.at.header] == [*titles, "Further reading"]
    assert shown(app.set(glossary_term="context length")) == [term.name for term in find("context length")]
    (error,) = app.set(glossary_term="xyzzy").errors()
    assert "'xyzzy'" in error
