import ast
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.entry import LESSONS
from components.lessons.glossary.page import source_link
from components.lessons.glossary.terms import TERMS, Source, Term, find, sources, terms_of

PROJECT = Path(__file__).parents[2]
DOCUMENTATION = {"gensim", "OpenAI", "Python", "PyTorch"}  # pages without a year
HOSTS = {
    *(
        "aclanthology.org",
        "arxiv.org",
        "cdn.openai.com",
        "dl.acm.org",
        "docs.python.org",
        "docs.pytorch.org",
        "doi.org",
    ),
    *("github.com", "radimrehurek.com", "www.jmlr.org", "www.rfc-editor.org"),
}
NO_SOURCES = {("lee", "2005")}  # named for its collection of news, which explains no term


def author_and_year(source: Source) -> tuple[str, str]:
    return source.authors.split(",")[0].lower(), str(source.year)


@pytest.fixture(scope="module")
def prose() -> str:
    """The strings in the product's modules, and the questions: what a page may show."""
    modules = [path for path in (PROJECT / "components").rglob("*.py") if "glossary" not in path.parts]
    nodes = [node for path in modules for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    questions = [path.read_text("utf-8") for path in (PROJECT / "components").rglob("questions.toml")]
    return "\n".join([node.value for node in strings if id(node) not in docstrings] + questions).lower()


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_term_is_used_on_the_pages_and_explained_briefly(term, prose):
    words = {"number of windows": "how many windows"}.get(term.name, term.name).lower()
    assert re.search(rf"(?<![a-z]){re.escape(words)}", prose)
    assert 40 <= len(term.text) <= 320
    assert re.fullmatch(r"[A-Z](?!.*(  |\*\*|`|__|\]\(|\$|https?:)).*\.", term.text)
    assert len(re.findall(r"\.(?= |$)", term.text)) <= 2  # sentences
    for shape in re.findall(r"\[([^\]]*)\]", term.text):
        assert re.fullmatch(r"(2?[BTDVN]|1)(, (2?[BTDVN]|1))*", shape)
    links = {re.match(r"\[(.*)\]\(", source_link(source))[1] for source in term.sources}
    assert len(links) == len(term.sources)
    assert not links & DOCUMENTATION


def test_terms_are_sorted_and_every_lesson_has_some():
    names = [term.name.lower() for term in TERMS]
    assert names == sorted({*names})
    assert {*TERMS} == {term for lesson in LESSONS for term in terms_of(lesson)}
    assert {lesson for lesson in LESSONS if terms_of(lesson)} == {*LESSONS} - {"glossary", "reproduce"}


def test_terms_of_letters_agree_with_the_readme():
    section = (PROJECT / "README.md").read_text("utf-8").split("## Letters")[1].split("\n## ")[0]
    meanings = re.findall(r"^\| ([A-Z]) \| ([^|]+) \|", section, re.MULTILINE)
    letters = {term.letter: term.name for term in TERMS if term.letter}
    assert sorted(letters) == sorted(dict(meanings)) == sorted("BTDVN")
    assert all(meaning.startswith(letters[letter]) for letter, meaning in meanings)


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.key)
def test_source_has_a_link_a_year_and_a_term(source):
    address = urlsplit(source.url)
    assert (address.scheme, address.hostname in HOSTS) == ("https", True)
    assert not set(source.url) & set(" ()[]<>\"'")
    assert all((source.title, source.authors, source.where))
    assert not re.search(r"\*\*|`|\]\(", source.title + source.authors + source.where)
    assert any(source in term.sources for term in TERMS)
    if source.authors in DOCUMENTATION:
        assert source.year is None
    else:
        assert 1900 < source.year <= 2020
        assert re.fullmatch("".join(author_and_year(source)) + "[a-c]?", source.key)


def test_sources_are_sorted_with_addresses_of_their_own():
    order = [(source.authors.lower(), source.year or 0) for source in sources()]
    assert order == sorted(order)
    assert len({source.url for source in sources()}) == len(order)


def test_papers_named_on_the_pages_are_among_the_sources(prose):
    named = {*re.findall(r"\b([a-z]+)(?: et al\.|(?:, [a-z]+)? and [a-z]+)?,? \(?(\d{4})\)", prose)}
    assert ("mikolov", "2013") in named
    assert named - NO_SOURCES <= {*map(author_and_year, sources())}


def test_source_link_names_papers_by_authors_and_documentation_by_title():
    links = {source.key: source_link(source) for source in sources()}
    assert links["pearson1901"].startswith("[Pearson \\(1901\\)](https://")
    assert links["torch_embedding"].startswith("[torch\\.nn\\.Embedding](https://docs.pytorch.org/")
    assert links["torch_embedding"].endswith(")\\, PyTorch documentation")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        *[(term.letter.lower(), term.name) for term in TERMS if term.letter],
        ("  PADDING_idx ", "padding_idx"),
        ("encoding byte pair", "byte-pair encoding"),
        ("sqrt(D)", "scaling"),
        ("pca", "PCA projection"),
        ("cross-entropy", "loss"),
        ("sum and no concatenation", "combined embedding"),
    ],
)
def test_find_ranks_letters_names_and_texts(words, first):
    assert find(words)[0].name == first


@given(st.text(max_size=12) | st.sampled_from(["", "  ", "the table", "d"]))
def test_find_any_words_returns_exactly_the_terms_with_all_of_them(words):
    def has_all(term: Term) -> bool:
        parts = words.lower().split()
        return all(part in f"{term.name} {term.text}".lower() for part in parts) or parts == [term.letter.lower()]

    found = find(words)
    assert sorted(found, key=TERMS.index) == [term for term in TERMS if has_all(term)]
    if not words.strip():
        assert found == [*TERMS]
    found.clear()
    assert find("")  # the result is a copy
