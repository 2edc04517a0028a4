import ast
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.entry import LESSONS
from components.lessons.glossary import terms as glossary
from components.lessons.glossary.page import source_link
from components.lessons.glossary.terms import TERMS, Source, Term, find, read, sources, terms_of

PROJECT = Path(__file__).parents[2]
WITHOUT_TERMS = ("glossary", "reproduce")  # they use the words of the other lessons
LONGEST = 320
HOSTS = {
    "aclanthology.org",
    "arxiv.org",
    "cdn.openai.com",
    "dl.acm.org",
    "docs.python.org",
    "docs.pytorch.org",
    "doi.org",
    "github.com",
    "radimrehurek.com",
    "www.jmlr.org",
    "www.rfc-editor.org",
}
# The pages ask it as a question.
SAID_OTHERWISE = {"number of windows": "how many windows"}
NO_SOURCES = {("lee", "2005")}  # named for its collection of news, which explains no term

each_term = pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
each_source = pytest.mark.parametrize("source", sources(), ids=lambda source: source.key)


def first_author(source: Source) -> str:
    return source.authors.split(",")[0].lower()


def prose_of(path: Path) -> list[str]:
    """Return the strings of a module, its docstrings left out: what it may put on the screen."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


@pytest.fixture(scope="module")
def said() -> str:
    paths = [PROJECT / "app.py"]
    for folder in ("pages", "components"):
        paths += sorted((PROJECT / folder).rglob("*.py"))
    prose = [text for path in paths if "glossary" not in path.stem for text in prose_of(path)]
    prose += [path.read_text("utf-8") for path in (PROJECT / "components").rglob("questions.toml")]
    return "\n".join(prose).lower()


@each_term
def test_a_term_occurs_in_what_the_pages_say(term, said):
    words = SAID_OTHERWISE.get(term.name, term.name).lower()
    assert re.search(rf"(?<![a-z]){re.escape(words)}", said), f"no page says {words!r}"


@each_term
def test_a_term_belongs_to_a_lesson(term):
    assert term.lesson in LESSONS
    assert term in terms_of(term.lesson)


@each_term
def test_a_text_is_short_plain_and_complete(term):
    assert 40 <= len(term.text) <= LONGEST
    assert term.text == " ".join(term.text.split())
    assert term.text.endswith(".")
    assert term.text[0].isupper()
    assert not re.search(r"\*\*|`|__|\]\(|^#|\$|https?:", term.text)
    assert len(re.findall(r"\.(?= |$)", term.text)) <= 2


@each_term
def test_shapes_are_written_in_the_letters_of_the_project(term):
    for shape in re.findall(r"\[([^\]]*)\]", term.text):
        assert re.fullmatch(r"(2?[BTDVN]|1)(, (2?[BTDVN]|1))*", shape)


@pytest.mark.parametrize("lesson", [name for name in LESSONS if name not in WITHOUT_TERMS])
def test_every_lesson_has_terms(lesson):
    assert terms_of(lesson)


@pytest.mark.parametrize("lesson", [*WITHOUT_TERMS, "no such lesson"])
def test_other_lessons_have_none(lesson):
    assert terms_of(lesson) == []


def test_the_lessons_share_all_terms_among_them():
    assert sorted(term.name for lesson in LESSONS for term in terms_of(lesson)) == sorted(t.name for t in TERMS)


def test_terms_stand_in_alphabetical_order():
    assert [term.name.lower() for term in TERMS] == sorted(term.name.lower() for term in TERMS)


def test_names_are_unique():
    assert len({term.name.lower() for term in TERMS}) == len(TERMS)


def test_the_letters_agree_with_the_readme():
    readme = (PROJECT / "README.md").read_text("utf-8")
    section = readme.split("## Letters")[1].split("\n## ")[0]
    meanings = dict(re.findall(r"^\| ([A-Z]) \| ([^|]+) \|", section, re.MULTILINE))
    letters = {term.letter: term.name for term in TERMS if term.letter}
    assert len(letters) == sum(bool(term.letter) for term in TERMS)
    assert set(letters) == set(meanings) == set("BTDVN")
    assert all(meanings[letter].startswith(name) for letter, name in letters.items())


def test_every_source_is_used():
    assert {source.key for source in sources()} == {source.key for term in TERMS for source in term.sources}


@each_term
def test_no_term_names_a_source_twice(term):
    assert len(set(term.sources)) == len(term.sources)


@each_term
def test_the_links_below_a_term_have_names_of_their_own(term):
    names = [re.match(r"\[(.*)\]\(", source_link(source))[1] for source in term.sources]
    assert len(set(names)) == len(names)
    assert not set(names) & {"gensim", "OpenAI", "Python", "PyTorch"}


def test_a_page_of_documentation_is_named_by_its_title_and_a_paper_by_its_authors():
    found = {source.key: source_link(source) for source in sources()}
    assert found["torch_embedding"].startswith("[torch\\.nn\\.Embedding](https://docs.pytorch.org/")
    assert found["torch_embedding"].endswith(")\\, PyTorch documentation")
    assert found["pearson1901"].startswith("[Pearson \\(1901\\)](https://")


@each_source
def test_a_source_can_be_found(source):
    address = urlsplit(source.url)
    assert address.scheme == "https"
    assert address.hostname in HOSTS
    assert not set(source.url) & set(" ()[]<>\"'")
    assert source.title
    assert source.authors
    assert source.where
    assert not re.search(r"\*\*|`|\]\(", source.title + source.authors + source.where)


@each_source
def test_a_paper_has_its_year_and_author_and_documentation_has_none(source):
    documentation = source.authors in {"gensim", "OpenAI", "Python", "PyTorch"}
    assert (source.year is None) is documentation
    if not documentation:
        assert 1900 < source.year <= 2020
        assert re.fullmatch(f"{first_author(source)}{source.year}[a-c]?", source.key)


def test_sources_stand_by_author_and_their_addresses_differ():
    authors = [source.authors.lower() for source in sources()]
    assert authors == sorted(authors)
    assert len({source.url for source in sources()}) == len(sources())


def test_papers_named_on_the_pages_are_among_the_sources(said):
    named = set(re.findall(r"\b([a-z]+)(?: et al\.|(?:, [a-z]+)? and [a-z]+)?,? \(?(\d{4})\)", said))
    assert ("mikolov", "2013") in named
    assert named - NO_SOURCES <= {(first_author(source), str(source.year)) for source in sources()}


def test_a_search_looks_at_names_first_and_at_texts_next():
    found = [term.name for term in find("softmax")]
    assert found[0] == "softmax"
    assert {"logits", "negative sampling"} <= set(found)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("B", "batch size"),
        ("t", "context length"),
        ("D", "embedding dimension"),
        ("v", "vocabulary size"),
        ("N", "number of windows"),
        ("  PADDING_idx ", "padding_idx"),
        ("encoding byte pair", "byte-pair encoding"),
        ("sqrt(D)", "scaling"),
        ("pca", "PCA projection"),
        ("AdamW", "optimizer"),
        ("<unk>", "unknown word"),
        ("cross-entropy", "loss"),
        ("sum and no concatenation", "combined embedding"),
    ],
)
def test_a_learner_finds(words, first):
    assert find(words)[0].name == first


def test_an_empty_search_finds_everything_in_order():
    assert find("  ") == find("") == list(TERMS)


@given(st.text(max_size=12))
def test_what_is_found_holds_every_word_and_no_other_term_does(words):
    found = find(words)
    assert len(set(found)) == len(found)

    def holds(term: Term) -> bool:
        all_of_it = f"{term.name} {term.text}".lower()
        parts = words.lower().split()
        return all(part in all_of_it for part in parts) or parts == [term.letter.lower()]

    assert set(found) == {term for term in TERMS if holds(term)}


def test_what_is_handed_out_can_be_changed_without_harm():
    sources().clear()
    find("").clear()
    terms_of("tokens").clear()
    assert sources()
    assert find("")
    assert terms_of("tokens")


def test_an_unlisted_source_is_refused():
    term = '{"name": "a", "letter": "", "lesson": "tokens", "text": "A.", "sources": ["missing"]}'
    with pytest.raises(KeyError, match="missing"):
        read(f'{{"terms": [{term}], "sources": {{}}}}')


def test_terms_are_sorted_and_get_their_sources():
    text = """{"terms": [
        {"name": "b", "letter": "", "lesson": "tokens", "text": "B.", "sources": ["x"]},
        {"name": "A", "letter": "", "lesson": "tokens", "text": "A.", "sources": []}],
        "sources": {"x": {"title": "X", "authors": "Y", "year": 2000, "where": "Z", "url": "https://arxiv.org"}}}"""
    source = Source("x", "X", "Y", 2000, "Z", "https://arxiv.org")
    assert read(text) == ((Term("A", "", "tokens", "A.", ()), Term("b", "", "tokens", "B.", (source,))), (source,))


def test_the_glossary_is_light():
    code = f"import sys, {glossary.__name__}; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, timeout=60)
    loaded = set(run.stdout.split())
    assert "components" in loaded, run.stderr
    assert not loaded & {"torch", "numpy", "streamlit", "altair", "tiktoken", "gensim"}
