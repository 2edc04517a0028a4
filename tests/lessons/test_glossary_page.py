import json
import re

from components.entry import LESSONS
from components.glossary.terms import FILE, find
from tests.app_driver import AppDriver

WRITTEN = json.loads(FILE.read_text("utf-8"))
SOURCES = WRITTEN["sources"]


def link(named):
    key, _, section = named.partition(" ")  # such as "vaswani2017 section 3.2"
    source = SOURCES[key]
    name = f"{source['authors']} ({source['year']})" if source["year"] else source["title"]
    return f"[{name}]({source['url']}), {section or source['where']}"


def explained(term):
    links = " · ".join(map(link, term["sources"]))
    return f"**{term['name']}**: {term['text']}" + (f"  \n:small[{links}]" if links else "")


def reading(source):
    year = f" ({source['year']})" if source["year"] else ""
    where = f" {source['where']}." if source["where"] else ""
    return f"- {source['authors']}{year}: [{source['title']}]({source['url']}).{where}"


def test_page_has_the_terms_of_each_lesson_and_every_source():
    app, terms = AppDriver().open("glossary"), sorted(WRITTEN["terms"], key=lambda term: term["name"].lower())
    titles = []
    for name, lesson in LESSONS.items():
        if own := [explained(term) for term in terms if term["lesson"] == name]:
            titles.append(lesson.title)
            assert "\n\n".join([f"## {lesson.title}", *own]) in app.words
    assert re.findall("^## (.+)$", app.words, re.MULTILINE) == [*titles, "Further reading"]
    sources = sorted(SOURCES.values(), key=lambda each: (each["authors"].lower(), each["year"] or 0, each["title"]))
    caption = ":small[Sources of the lessons and original papers.]"
    assert f"## Further reading\n\n{caption}\n\n" + "\n".join(map(reading, sources)) in app.words


def test_search_shows_what_it_finds_or_an_error():
    example = AppDriver().open("glossary").widget("glossary_term").placeholder
    app = AppDriver().open("glossary", term=f" {example} ")
    shown = re.findall(r"^\*\*(.+?)\*\*: ", app.words, re.MULTILINE)
    assert shown == [term.name for term in find(example)]
    assert re.findall("^## (.+)$", app.words, re.MULTILINE) == ["Further reading"]
    (error,) = app.set(glossary_term="xyzzy").errors()
    assert error == "No entry for 'xyzzy'. Try a shorter search."


def test_glossary_has_neither_the_text_nor_the_settings():
    assert not [each.key for each in AppDriver().open("glossary").at.button if f"{each.key}".startswith("panel_")]
    assert [each.key for each in AppDriver().open("lookup").at.button if each.key == "panel_text"]
