import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.entry import LESSONS
from components.glossary.terms import FILE, SOURCES, TERMS, find, terms_of
from components.ui.terms import source_link
from tests.app_driver import AppDriver

DOCUMENTATION = {"gensim", "OpenAI", "Python", "PyTorch"}  # pages without a year


def test_terms_are_sorted_and_every_lesson_has_some():
    names = [term.name.lower() for term in TERMS]
    assert names == sorted({*names})
    assert {*TERMS} == {term for lesson in LESSONS for term in terms_of(lesson)}
    without = {lesson for lesson in LESSONS if not terms_of(lesson)}
    assert without == {"glossary", "reproduce"}, "components/data/glossary.json has no term of these lessons"
    for term in TERMS:
        assert re.fullmatch(r"[A-Z](?!.*(  |\*\*|`|__|\]\(|\$|https?:)).{39,319}\.", term.text), term.name
        for shape in re.findall(r"\[([^\]]*)\]", term.text):
            assert re.fullmatch(r"(2?[BTDVN]|1)(, (2?[BTDVN]|1))*", shape), term.name


def test_terms_of_letters_agree_with_the_readme():
    section = (Path(__file__).parents[2] / "README.md").read_text("utf-8").split("## Letters")[1].split("\n## ")[0]
    meanings = re.findall(r"^\| ([A-Z]) \| ([^|]+) \|", section, re.MULTILINE)
    letters = {term.letter: term.name for term in TERMS if term.letter}
    assert sorted(letters) == sorted(dict(meanings)) == sorted("BTDVN")
    assert all(meaning.startswith(letters[letter]) for letter, meaning in meanings)


def test_sources_are_sorted_with_an_address_a_year_and_a_term():
    for source in SOURCES:
        assert urlsplit(source.url).scheme == "https", source.key
        assert not set(source.url) & set(" ()[]<>\"'"), source.key
        assert all((source.title, source.authors, source.where)), source.key
        assert (source.year is None) == (source.authors in DOCUMENTATION), source.key
        where = (f"{source.authors} documentation", "README of the repository")
        assert source.year or source.where.partition(";")[0] in where, source.key
        assert any(source.key == each.key for term in TERMS for each in term.sources), source.key
    named = {term["name"]: term["sources"] for term in json.loads(FILE.read_text("utf-8"))["terms"]}
    sections = {(name, *each.split(" ", 1)) for name, sources in named.items() for each in sources if " " in each}
    assert sections
    assert sections <= {(term.name, each.key, each.where) for term in TERMS for each in term.sources}
    order = [(source.authors.lower(), source.year or 0) for source in SOURCES]
    assert order == sorted(order)
    assert len({source.url for source in SOURCES}) == len(order)


def test_source_link_names_papers_by_authors_and_docs_by_title():
    links = {source.key: source_link(source) for source in SOURCES}
    assert re.fullmatch('<a href="https://.+" target="_blank">Pearson \\(1901\\)</a>, .+', links["pearson1901"])
    documentation = '<a href="https://docs.pytorch.org/.+" target="_blank">torch.nn.Embedding</a>, PyTorch .+'
    assert re.fullmatch(documentation, links["torch_embedding"])


def singular(word):
    endings = {"ies": 3, "sses": 2, "ss": 0, "s": 1, "": 0}  # and how many of its characters go
    kept = [word[: len(word) - cut] for ending, cut in endings.items() if word.endswith(ending)]
    return next((each for each in kept if len(each) > 2), word)


@given(st.text(max_size=12) | st.sampled_from(["", "  ", "the table", "D", "token row", " PADDING_idx", "sqrt(D)"]))
@example("token")
@example("t")
@example("norm")
@example("encoding byte pair")
@example("Windows")
@example("IDs")
@example("token frequencies")
def test_find_of_words_lists_exact_terms_then_names_then_texts(words):
    wanted = [*map(singular, words.lower().split())]
    exact = [term for term in TERMS if wanted in ([term.letter.lower()], [*map(singular, term.name.lower().split())])]
    names = [term for term in TERMS if all(word in term.name.lower() for word in wanted)]
    texts = [term for term in TERMS if all(word in f"{term.name} {term.text}".lower() for word in wanted)]
    assert find(words) == [*dict.fromkeys([*exact, *names, *texts])]


@pytest.mark.parametrize(("plural", "name"), [("windows", "window"), ("queries", "query"), ("losses", "loss")])
def test_find_of_a_plural_lists_its_term_first(plural, name):
    assert find(plural)[0].name == name


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
