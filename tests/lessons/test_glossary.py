import re
from pathlib import Path
from urllib.parse import urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from components.entry import LESSONS
from components.glossary.terms import SOURCES, TERMS, find, terms_of
from components.ui.terms import source_link

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


def test_sources_are_sorted_and_each_has_an_address_a_year_and_a_term():
    for source in SOURCES:
        assert urlsplit(source.url).scheme == "https", source.key
        assert not set(source.url) & set(" ()[]<>\"'"), source.key
        assert all((source.title, source.authors, source.where)), source.key
        assert (source.year is None) == (source.authors in DOCUMENTATION), source.key
        assert any(source.key == each.key for term in TERMS for each in term.sources), source.key
    order = [(source.authors.lower(), source.year or 0) for source in SOURCES]
    assert order == sorted(order)
    assert len({source.url for source in SOURCES}) == len(order)


def test_source_link_names_papers_by_authors_and_documentation_by_title():
    links = {source.key: source_link(source) for source in SOURCES}
    assert re.fullmatch('<a href="https://.+" target="_blank">Pearson \\(1901\\)</a>, .+', links["pearson1901"])
    documentation = '<a href="https://docs.pytorch.org/.+" target="_blank">torch.nn.Embedding</a>, PyTorch .+'
    assert re.fullmatch(documentation, links["torch_embedding"])


@given(st.text(max_size=12) | st.sampled_from(["", "  ", "the table", "D", "token row", " PADDING_idx", "sqrt(D)"]))
@example("token")
@example("t")
@example("norm")
@example("encoding byte pair")
def test_find_lists_the_letter_or_name_then_names_then_texts_with_all_words(words):
    wanted = words.lower().split()
    exact = [term for term in TERMS if wanted in ([term.letter.lower()], term.name.lower().split())]
    names = [term for term in TERMS if all(word in term.name.lower() for word in wanted)]
    texts = [term for term in TERMS if all(word in f"{term.name} {term.text}".lower() for word in wanted)]
    assert find(words) == [*dict.fromkeys([*exact, *names, *texts])]
