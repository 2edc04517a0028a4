import re
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.base.learner_text import show_hidden
from components.entry import LESSONS
from components.glossary.terms import TERMS
from components.ui.markdown import unbroken
from components.ui.terms import explained
from tests.app_driver import AppDriver

HOSTILE = """<img src=x onerror="alert(1)">token</div><script>alert(2)</script> &lt;b&gt; 'window' :red[D] *ID* T"""


SPAN = re.compile('<span class="term" tabindex="0" aria-description="([^"]*)">([^<]*)</span>')


def terms(text: str, lesson: str = "windows", before: str = "") -> dict[str, str]:
    """Return the words that are explained, with the name of the term."""
    found = SPAN.findall(explained(text, lesson, before))
    return {unescape(word): unescape(meaning).split(":")[0] for meaning, word in found}


@given(st.text() | st.text("tokenTD <>&'\"\\", max_size=40) | st.just(HOSTILE))
@example("[0, 0, 0] or D = 16")
def test_any_text_is_escaped_and_only_terms_are_marked(text):
    plain = SPAN.sub(lambda span: span[2], explained(text, "windows"))
    assert not re.search("[<>]", plain)
    assert unescape(plain) == unbroken(show_hidden(text))


def test_only_first_use_is_explained_if_not_in_the_text_before():
    text = "A window of T tokens; Windows, tokens, T. A target, too."
    assert terms(text) == {"window": "window", "T": "context length", "tokens": "token", "target": "target"}
    assert terms(text, before="One token is a target.") == {"window": "window", "T": "context length"}
    assert terms(HOSTILE).keys() == {"token", "window", "D", "ID", "T"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("vocabulary sizes", {"vocabulary sizes": "vocabulary size"}),
        ("Vocabularies, analogies", {"Vocabularies": "vocabulary", "analogies": "analogy"}),
        ("two token embeddings", {"token embeddings": "embedding"}),
        ("N(2, 1) and W[id, d]", {}),
        ("adam, sgd, tokenized, sub-token, window_index", {}),
        ("IndexErrors by SGD", {"IndexErrors": "IndexError", "SGD": "SGD"}),
        ("every step of the merge", {}),
    ],
)
def test_names_are_found_in_their_forms_but_not_in_other_words(text, found):
    assert terms(text) == found


def test_everyday_words_are_terms_in_their_own_lesson_alone():
    common = [term for term in TERMS if term.common]
    assert common
    for term in common:
        assert [lesson for lesson in LESSONS if terms(f"A {term.name}.", lesson)] == [term.lesson]


def test_every_form_of_a_name_belongs_to_one_term():
    forms = [form for term in TERMS for form in (term.name, *term.also)]
    assert len(forms) == len({form.lower() for form in forms})
    assert all(terms(form, term.lesson) == {form: term.name} for term in TERMS for form in (term.name, *term.also))


def test_open_section_explains_the_new_terms_of_its_title():
    bodies = [each.proto.body for each in AppDriver().open("one_hot").open_section("Gradients").at.main.get("html")]
    assert [word for _, word in SPAN.findall(bodies[-1])] == ["Gradients", "Linear layer"]
    bodies = [each.proto.body for each in AppDriver().open("training").open_section("Predictions").at.main.get("html")]
    assert "of the next token" in bodies[-1]
    assert SPAN.findall(bodies[-1]) == []  # the purpose has it
