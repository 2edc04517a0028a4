import re

from components.entry import LESSONS
from components.glossary.terms import SOURCES, find, terms_of
from tests.app_driver import AppDriver


def test_page_has_the_terms_of_each_lesson_and_further_reading():
    titles = {lesson.title: [term.name for term in terms_of(name)] for name, lesson in LESSONS.items()}
    wanted = [each for title, names in titles.items() if names for each in (title, *names)]
    words = AppDriver().open("glossary").words
    found = re.findall(r"^(?:## (.+)|\*\*(.+?)\*\*: )", words, re.MULTILINE)
    assert ["".join(each) for each in found] == [*wanted, "Further reading"]
    reading = words.partition("## Further reading")[2]
    assert len(re.findall(r"^- .+: \[.+\]\(https://.+\)\.", reading, re.MULTILINE)) == len(SOURCES)
    assert (
        "- Ba, Kiros, Hinton (2016): [Layer Normalization](https://arxiv.org/abs/1607.06450). arXiv 1607.06450."
        in reading
    )


def test_search_shows_what_it_finds_or_an_error():
    example = AppDriver().open("glossary").widget("glossary_term").placeholder
    app = AppDriver().open("glossary", term=f" {example} ")
    shown = re.findall(r"^\*\*(.+?)\*\*: ", app.words, re.MULTILINE)
    assert shown == [term.name for term in find(example)]
    assert re.findall("^## (.+)$", app.words, re.MULTILINE) == []
    (error,) = app.set(glossary_term="xyzzy").errors()
    assert error == "No entry for 'xyzzy'. Try a shorter search."
