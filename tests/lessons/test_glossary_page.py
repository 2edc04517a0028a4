import re

from components.entry import LESSONS
from components.glossary.terms import SOURCES, find, terms_of
from tests.app_driver import AppDriver


def test_page_has_the_terms_of_each_lesson_and_further_reading():
    titles = {lesson.title: [term.name for term in terms_of(name)] for name, lesson in LESSONS.items()}
    wanted = [each for title, names in titles.items() if names for each in (title, *names)]
    words = AppDriver().open("glossary").words
    found = re.findall("<h2>(.+?)</h2>|<strong>(.+?)</strong>: ", words)
    assert ["".join(each) for each in found] == [*wanted, "Further reading"]
    reading = words.partition("Further reading")[2]
    assert len(re.findall('<li>.+?: <a href="https://.+?" target="_blank">.+?</a>\\.', reading)) == len(SOURCES)
    link = '<a href="https://arxiv.org/abs/1607.06450" target="_blank">Layer Normalization</a>'
    assert f"<li>Ba, Kiros, Hinton (2016): {link}. arXiv 1607.06450.</li>" in reading


def test_search_shows_what_it_finds_or_an_error():
    example = AppDriver().open("glossary").widget("glossary_term").placeholder
    app = AppDriver().open("glossary", term=f" {example} ")
    shown = re.findall("<strong>(.+?)</strong>: ", app.words)
    assert shown == [term.name for term in find(example)]
    assert "<h2>" not in app.words
    (error,) = app.set(glossary_term="xyzzy").errors()
    assert error == "No entry for 'xyzzy'. Try a shorter search."
