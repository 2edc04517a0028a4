import ast
import io
import math
import sys
import tokenize

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from snippet_expected import EXPECTED, Beginning, Within
from snippet_runs import alone, numbers, run_many
from snippet_states import LONG, STATES, TEXTS, token_ids

from components.core.choices import Choices
from components.core.link import State
from components.core.settings import Settings
from components.core.snippet import chosen_windows
from components.core.snippet_encoding import part_shown, ranks_for
from components.core.snippet_errors import caught
from components.core.snippet_literals import text_literal
from components.core.snippets import MAX_INLINE, MAX_INLINE_CHARS, PAGES, Snippet, snippets
from components.core.tokenizers import get_tokenizer
from components.core.windows import batch_order

LESSONS = [page for page in PAGES if page != "home"]
ALLOWED = {"torch", "tiktoken", "gensim", "numpy"}
IDS = {name: token_ids(state) for name, state in STATES.items()}
ALL: dict[tuple[str, str], dict[str, Snippet]] = {}
for name, state in STATES.items():
    for page in LESSONS:
        if name.startswith("experiment") and page != "errors":
            continue
        ALL[name, page] = {snippet.name: snippet for snippet in snippets(page, state, IDS[name])}
PROGRAMS = list(dict.fromkeys(snippet.code for found in ALL.values() for snippet in found.values()))


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    return run_many(PROGRAMS)


@pytest.mark.parametrize(("name", "page"), ALL, ids=lambda part: part.replace(" ", "-"))
def test_every_program_prints_what_the_core_computes(name, page, printed):
    torch.set_printoptions(profile="default")
    expected = EXPECTED[page](STATES[name], IDS[name])
    odd = expected.pop("odd", None)
    assert set(expected) <= set(ALL[name, page])
    for missing in set(ALL[name, page]) - set(expected):
        assert page == "tokens", f"{missing} is not compared"  # a part of a long text: see the test of the parts
    for step, wanted in expected.items():
        code = ALL[name, page][step].code
        out = printed[code]
        assert "ENDED BY" not in out, f"{out}\n{code}"
        assert "False" not in out or page in ("one_hot", "errors"), code
        if isinstance(wanted, Within):
            assert wanted in out, f"{step}:\n{code}"
        elif isinstance(wanted, str):
            assert out == wanted, f"{step}:\n{code}"
        else:
            got = numbers(out)[: len(wanted)] if isinstance(wanted, Beginning) else numbers(out)
            assert got == pytest.approx(wanted, abs=6e-5, rel=1e-4, nan_ok=True), f"{step}:\n{code}\n{out}"
        if odd and step == "similarity":
            assert f"\n{odd}: cosine with the mean" in out


def test_every_page_has_programs_and_home_has_none():
    assert snippets("home", State(), [1, 2]) == []
    for page in LESSONS:
        assert ALL["My text", page]
    assert list(ALL["My text", "combine"]) == [
        "ids",
        "token",
        "position",
        "position_unsqueezed",
        "position_broadcast",
        "combined",
        "cell",
        "laboratory",
    ]


@pytest.mark.parametrize("page", LESSONS)
def test_one_program_of_each_page_runs_truly_alone(page, tmp_path, printed):
    found = list(ALL["trained" if page == "training" else "Toy table", page].values())
    snippet = found[min(1, len(found) - 1)]
    file = tmp_path / "snippet.py"
    file.write_text(snippet.code, "utf-8")
    assert alone([str(file)], tmp_path) == printed[snippet.code]


def test_a_file_of_vectors_is_asked_by_name(tmp_path):
    rows = {"king": "1 0 1", "queen": "1 1 1", "man": "0 0 1", "woman": "0 1 1", "hat": "9 0 0"}
    text = f"{len(rows)} 3\n" + "".join(f"{word} {row}\n" for word, row in rows.items())
    (tmp_path / "vectors.txt").write_text(text, "utf-8")
    for view, wanted in (
        ("analogy", "queen"),
        ("neighbours", "queen"),
        ("similarity", "most alike"),
        ("map", "variance"),
    ):
        (snippet,) = snippets(
            "word2vec", State(choices=Choices(vectors="upload", view=view, words="king queen hat")), []
        )
        assert wanted in alone(["-c", snippet.code], tmp_path)


@pytest.mark.parametrize("vectors", ["glove-wiki-gigaword-50", "word2vec_sample", "word2vec-google-news-300"])
def test_published_vectors_are_loaded_from_a_file_named_at_the_top(vectors):
    (snippet,) = snippets("word2vec", State(choices=Choices(vectors=vectors)), [])
    assert "path = " in "".join(snippet.code.splitlines()[2:5])
    assert ("binary=True" in snippet.code) is (vectors == "word2vec-google-news-300")


@given(st.text())
@example("'\"\\\n\r\t{}%s\u2028\u202e\x00\ud7ff🙂")
@example("x" * 300 + "'" * 300 + "\\" * 300)
def test_no_text_breaks_out_of_its_literal(text):
    (assignment,) = ast.parse(text_literal("text", text)).body
    assert isinstance(assignment, ast.Assign)
    assert ast.literal_eval(assignment.value) == text


@settings(max_examples=60)
@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=40))
@example("'''); import os #", "\"'\\", "';print(1)#")
def test_what_a_learner_types_is_data_in_every_program(text, word, line):
    wild = Choices(
        probe=line, word_a=word, near=word, words=line, prompt=line, lab_word=word, lab_key=word, lab_text=word,
        vectors="upload", expected=word,
    )  # fmt: skip
    for tokenizer in ("words", "gpt2"):
        state = State(Settings(tokenizer=tokenizer), wild, text)
        for page in LESSONS:
            for snippet in snippets(page, state, token_ids(state)):
                names = {node.id for node in ast.walk(ast.parse(snippet.code)) if isinstance(node, ast.Name)}
                assert "os" not in names
                assert "exec" not in names


@settings(max_examples=150)
@given(st.text(min_size=1, max_size=60))
@example("It's 12 o'clock,\n\n  and\t é猫🙂 <|endoftext|>")
def test_the_few_ranks_encode_a_text_as_all_of_them_do(text):
    import tiktoken

    whole = get_tokenizer("gpt2").encoding
    few = tiktoken.Encoding("few", pat_str=whole._pat_str, mergeable_ranks=ranks_for("gpt2", text), special_tokens={})
    assert few.encode(text) == whole.encode_ordinary(text)


def test_the_ranks_are_those_that_occur_within_a_piece():
    ranks = get_tokenizer("gpt2").encoding._mergeable_ranks
    pieces = [b"The", b" river", b"'s", b" bank"]
    wanted = {token: i for token, i in ranks.items() if any(token in piece for piece in pieces)}
    assert ranks_for("gpt2", "The river's bank") == wanted


@pytest.mark.parametrize("selected", [0, 119, 120, 1_234, 5_000, 10**6])
@pytest.mark.parametrize("text", [LONG, TEXTS[2] * 40, TEXTS[3] * 30, TEXTS[10] * 9, "\n\n \n x" * 300], ids=range(5))
def test_a_part_of_a_long_text_has_the_tokens_that_are_drawn(text, selected):
    gpt2 = get_tokenizer("gpt2")
    part, start, place, note = part_shown("gpt2", text, selected)
    ids, own = gpt2.encode(text), gpt2.encode(part)
    assert ids[start : start + len(own)] == own
    assert place == min(selected, len(ids) - 1)
    first = place - place % 120
    assert start <= first
    assert start + len(own) >= min(first + 120, len(ids))
    assert f"{len(part):,} of {len(text):,}" in note


def test_the_windows_of_a_shuffled_batch_are_those_of_the_loader():
    for number in (0, 3, 99):
        state = State(Settings(batch_size=3), Choices(shuffle=True, batch=number))
        batches = batch_order(25, 3, True, False, 123)
        held, windows = chosen_windows(state, 104)
        assert windows == batches[held] == batches[min(number, len(batches) - 1)]


@pytest.mark.parametrize("text", ["", "x", " "])
def test_a_state_that_the_pages_refuse_raises_nothing(text):
    for ids in ("", "not ids", "99999999", "1 2; 3"):
        for tokenizer in ("words", "gpt2"):
            state = State(Settings(tokenizer=tokenizer, context_length=30), Choices(ids=ids, drop_last=True), text)
            for page in LESSONS:
                snippets(page, state, token_ids(state))
    assert snippets("word2vec", State(choices=Choices(grammar="the [nobody] rules")), []) == []
    assert snippets("errors", State(choices=Choices(experiment="own", lab_ids="((")), []) == []


@settings(max_examples=150)
@given(st.from_type(State))
def test_every_state_there_can_be_gives_programs_that_compile(state):
    ids = token_ids(state) if state.settings.tokenizer in ("words", "gpt2") else []
    for page in LESSONS:
        for snippet in snippets(page, state, ids):
            compile(snippet.code, snippet.name, "exec")
            assert len(snippet.code) <= MAX_INLINE_CHARS + 6_000


def test_token_ids_may_be_an_array():
    state = State()
    ids = token_ids(state)
    for page in LESSONS:
        assert snippets(page, state, np.array(ids)) == snippets(page, state, ids)


def test_a_tokenizer_that_is_not_here_leaves_out_what_needs_its_ids():
    state = State(Settings(tokenizer="o200k_base"))
    assert snippets("windows", state, []) == snippets("combine", state, []) == snippets("training", state, []) == []
    assert [snippet.name for snippet in snippets("lookup", state, [])] == ["table"]


@pytest.mark.parametrize("page", LESSONS)
def test_programs_keep_to_their_limits(page):
    for (_, of), found in ALL.items():
        if of != page:
            continue
        names = [*found]
        assert len(names) == len(set(names))
        for snippet in found.values():
            tree = ast.parse(snippet.code)
            for node in ast.walk(tree):
                imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                packages = {name.split(".")[0] for name in imported}
                assert packages <= ALLOWED | sys.stdlib_module_names
            written = [token.string for token in tokenize.generate_tokens(io.StringIO(snippet.code).readline)]
            assert sum(part[0].isdigit() for part in written if part) <= MAX_INLINE + 100
            assert len(snippet.code) <= MAX_INLINE_CHARS + 6_000
            assert snippet.code.endswith("\n")
            assert max(map(len, snippet.code.split("\n"))) <= 120, snippet.code
            assert snippet.about.endswith((".", ".)"))
            assert snippet.title


def test_the_modules_load_neither_streamlit_nor_gensim_nor_torch(tmp_path):
    code = "import sys, components.core.snippets; print(sorted({m.split('.')[0] for m in sys.modules}))"
    import components

    root = components.__path__[0].rsplit("/", 1)[0]
    loaded = alone(["-c", f"import sys; sys.path.insert(0, {root!r}); {code}"], tmp_path)
    assert not any(f"'{name}'" in loaded for name in ("streamlit", "gensim", "torch"))


def test_what_is_raised_is_printed_with_its_type():
    out = run_many([caught("1 / 0\n")], at_once=1)
    assert list(out.values()) == ["ZeroDivisionError: division by zero\n"]


def test_numbers_are_read_as_they_are_printed():
    assert numbers("tensor([[ 1., -0.5000]]) torch.Size([2, 4]) 12,345 W12 1e-05") == [1, -0.5, 2, 4, 12_345, 1e-5]
    assert math.isnan(numbers("loss nan")[0])
