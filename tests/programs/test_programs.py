"""Every lesson's program, run alone, prints the numbers of its page and makes the tensors of its page."""

import re
from dataclasses import replace
from functools import cache
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest
import torch

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import AppState, to_query
from components.base.presets import PRESETS
from components.base.program_text import body
from components.base.settings import Settings
from components.entry import LESSONS
from components.failures.catalogue import FAILURES
from components.programs.notebook import as_script
from components.programs.story import Chapter, tell
from components.ui.download_registry import registered
from tests.app_driver import AppDriver
from tests.programs.run_programs import Ran, isolated, run_many
from tests.states import WITH_PROGRAMS, app_state, token_ids
from tests.varied_states import HOSTILE_TEXTS, varied_state

LINK = "https://example.org/lookup?seed=1"
LONG = "The quick brown fox, number 7, jumps over the lazy dog. " * 1_700  # 95,200 characters
DECIMAL = re.compile(r"(?<![\w.])[-−]?\d+\.\d+(?:e[+-]?\d+)?(?!\.?\w)")
# The variable of a program that has the tensor that the page offers under another name.
VARIABLES = {
    "tokens": {"words_ids": "word_ids", "gpt2_ids": "token_ids"},
    "lookup": {"token_table": "W"},
    "one_hot": {"token_table": "W"},
    "positions": {"token_table": "W", "position": "P"},
    "combine": {"token_table": "W", "position": "P", "scaled": "token"},
    "training": {"token_table": "trained_table", "token_table_at_start": "initial_table"},
}
# The tensors of later lessons, which the page offers as well.
LATER = {
    "lookup": {"token", "scaled", "position", "combined"},
    "one_hot": {"token", "scaled", "position", "combined"},
    "positions": {"scaled", "combined"},
}


# With OWN these states take every branch of every program, which a test below checks.
SHARED = {name: app_state(PRESETS[name].settings) for name in ("My text", "Small vocabulary", "Scaled")}
SHARED |= {f"varied {number}": varied_state(number) for number in (21, 23)}
OWN = {
    "tokens": {
        **{f"text {number}": app_state(text=HOSTILE_TEXTS[number]) for number in (0, 1, 2, 4, 5)},
        "long text": app_state(Settings(tokenizer="words"), LONG, word=500, piece=5_000, probe="fox"),
        "long piece": app_state(text="ab" * 9_000),
    },
    "windows": {"long text": app_state(Settings(stride=3, batch=77, shuffle=True), LONG)},
    "lookup": {"large batch": app_state(Settings(dim=4, context_length=64, batch_size=64), LONG, input="batch")},
    "combine": {"story": app_state(PRESETS["Story batch"].settings, b=7, t=3, d=200)},
    "attention": {
        "rotary": app_state(Settings(dim=7), LONG, attention_positions="rotary", attention_view="hands", causal=False),
        "learned": app_state(Settings(position="learned", context_length=2, scale=True), shuffled=True),
        "off": app_state(Settings(position="none", ids="4 5 4; 1 2 3"), attention_positions="added", query=8),
        "hands": app_state(text=LONG, attention_positions="rotary", attention_view="hands", first_token=10**5, key=8),
        "one": app_state(Settings(ids="7", dim=70)),
    },
    "training": {
        "trained": app_state(train_steps=100),
        "words": app_state(Settings(tokenizer="words", position="sinusoidal"), LONG[:900], train_steps=9, prompt="fox"),
        "diverged": app_state(train_steps=60, learning_rate=1e6, optimizer="momentum"),
        "long text": app_state(text=LONG[:30_000], train_steps=3),
    },
    "word2vec": {
        "news": app_state(vectors="news", epochs=2, vector_size=10, view="similarity"),
        **{view: app_state(view=view, epochs=2) for view in ("neighbours", "map", "gallery", "questions")},
        "multiplied": app_state(method="mul"),
    },
    "errors": {name: app_state(experiment=name) for name in FAILURES},
}
# Some lessons use few settings, or none.
USES = {"errors": ("My text", "varied"), "word2vec": ("My text", "varied"), "reproduce": ("My text",)}
CASES = {(page, name): SHARED[name] for name in SHARED for page in WITH_PROGRAMS if name.startswith(USES.get(page, ""))}
CASES |= {(page, name): state for page, states in OWN.items() for name, state in states.items()}
# The page shows the results of an experiment, and those of its fix, once it has run.
CASES = {
    case: replace(state, lessons={**state.lessons, "errors": replace(state.lessons["errors"], ran=True)})
    for case, state in CASES.items()
}
UPLOAD = app_state(vectors="upload", view="neighbours", near="woman")


def chapter(page: str, state: AppState) -> Chapter | None:
    """Return the chapter of a lesson, None if these settings give none."""
    program = import_module(f"components.lessons.{page}.program")
    values = program.values(state.lesson(page), token_ids(state))
    return None if values is None else Chapter(LESSONS[page].title, LESSONS[page].purpose, program.STORIES, values)


@cache
def chapters() -> dict[tuple[str, str], Chapter]:
    """Return the chapter of each case that has one."""
    found = {case: chapter(case[0], state) for case, state in CASES.items()}
    return {case: each for case, each in found.items() if each}


@cache
def ran() -> dict[tuple[str, str], Ran]:
    """Return what the program of each case has printed and made."""
    scripts = [as_script(tell([each]), LINK) for each in chapters().values()]
    return dict(zip(chapters(), run_many(scripts), strict=True))


def tensors_of(app: AppDriver) -> dict[str, np.ndarray]:
    """Return the tensors that the page offers for download, by name: those that its own calls have made."""
    return {name: found.array for name, found in registered(app.learner).items() if isinstance(found, NamedArray)}


def numbers_of(app: AppDriver) -> np.ndarray:
    """Return all numbers of the page: of its texts, its charts and its tensors, sorted."""
    figure = app.learner.figure
    texts = [app.words, *(code.value for code in app.at.code), figure.reading if figure else ""]
    found = [float(number.replace("−", "-")) for text in texts for number in DECIMAL.findall(text)]
    for data in (data for chart in app.charts() for data in chart.datasets):
        for column in pa.ipc.open_stream(data.data.data).read_all().columns:
            if pa.types.is_floating(column.type):
                found += [number for number in column.to_pylist() if number is not None]
    return np.unique(np.concatenate([found, *(array.ravel().astype(float) for array in tensors_of(app).values())]))


def not_shown(printed: str, shown: np.ndarray) -> list[str]:
    """Return the decimals in what a program printed that are not among the numbers shown, to the printed digits."""
    missing = []
    for text in dict.fromkeys(DECIMAL.findall(printed)):
        mantissa, _, exponent = text.partition("e")
        half_digit = 0.51 * 10.0 ** (int(exponent or 0) - len(mantissa.split(".")[1]))
        nearest = shown[
            np.searchsorted(shown, [float(text) - half_digit, float(text) + half_digit]).clip(0, len(shown) - 1)
        ]
        if not np.any(np.abs(nearest - float(text)) <= half_digit):
            missing.append(text)
    return missing


def integers(pattern: str, text: str) -> list[tuple[int, ...]]:
    """Return the integers in each match of a pattern."""
    return [tuple(int(number.replace(",", "")) for number in match.groups()) for match in re.finditer(pattern, text)]


def assert_same_counts_and_tokens(program: Ran, app: AppDriver) -> None:
    """Compare what the program of Tokens prints as integers, and its tokens, with the page."""
    shown = integers(r"\*\*([\d,]+) tokens?\*\*, \*\*([\d,]+)\*\* distinct .* vocabulary of ([\d,]+)", app.words)
    assert integers(r"(\d+) tokens, (\d+) distinct, vocabulary of ([\d,]+)", program.printed) == shown != []
    (sizes,) = integers(r"([\d,]+) characters?, ([\d,]+) bytes?", program.printed)
    assert sizes in integers(r"([\d,]+) characters? · ([\d,]+) bytes?", app.words)
    details = r"ID \*\*([\d,]+)\*\* = row .* position ([\d,]+) in the text · occurs ([\d,]+) time"
    shown = [(position, token_id, times) for token_id, position, times in integers(details, app.words)]
    assert integers(r"position (\d+): ID (\d+), number of occurrences (\d+)", program.printed) == shown != []
    unknown = r"(\d+) of (\d+) words are unknown"
    assert integers(unknown, program.printed) == integers(unknown, app.words)
    assert len(integers(unknown, program.printed)) == bool(app.state.choices.probe)
    printed = integers(r"after (\d+) of (\d+) merges the lowest rank is (\d+)", program.printed)
    reading = re.sub(r"(?s)\A.* after (?=\d+ of \d+ merge)", "after ", app.learner.figure.reading)
    assert integers(r"(?s)after (\d+) of (\d+) merges?: .*, rank (\d+), the lowest", reading) == printed
    (learned,) = (rows for rows in app.tables() if "merge" in rows[0])
    wanted = [(int(row["ID"]), int(row["times"])) for row in learned if row["ID"] != "–"]
    assert integers(r"(?m)^(\d{3}) b['\"].* (\d+)$", program.printed)[-10:] == wanted
    became = integers(r"([\d,]+) bytes? became \**([\d,]+) token", app.words)
    assert integers(r"(\d+) bytes became (\d+) tokens", program.printed) == became != []
    found = registered(app.learner)
    for kind, variable in (("words", "words"), ("gpt2", "tokens")):
        tokens = [token if isinstance(token, bytes) else token.encode() for token in program.values[variable]]
        assert [visible(token) for token in tokens] == [row["token"] for row in found.get(f"{kind}_tokens", [])]


def assert_same_windows_and_batch(program: Ran, app: AppDriver) -> None:
    """Compare what the program of Windows prints as integers, and its batch, with the page."""
    (count,) = integers(r"⌋ \+ 1 = (\d+)\n", program.printed)
    assert count in integers(r"rfloor \+ 1 = (\d+)", app.words)
    codes = [code.value for code in app.at.code]
    assert [str(torch.from_numpy(program.values[f"batch_{side}"])) in codes for side in ("inputs", "targets")]
    assert "equal: True True" in program.printed
    ((batch, n_batches, windows),) = re.findall(r"batch (\d+) of (\d+): windows \[(.*)\]", program.printed)
    assert app.widget("batch").max == int(n_batches) - 1
    (shown,) = [row["windows"] for row in app.tables()[0] if row["batch"] == f"{int(batch):,}"]
    assert windows.split(", ")[:8] == shown.replace(",", "").split(" and ")[0].split()
    used = integers(r"(\d+) of (\d+) tokens are an input, (\d+) a target", program.printed)
    assert integers(r"Used now: ([\d,]+) of ([\d,]+) tokens as an input, ([\d,]+) as a target", app.words) == used != []
    unused = r"([\d,]+) left over at the end, ([\d,]+) skipped.*?, ([\d,]+) (?:in the )?dropped"
    assert integers(unused, program.printed) == integers(unused, app.words) != []


@pytest.mark.parametrize(("page", "name"), CASES)
def test_program_run_alone_gives_what_its_page_shows(page, name):
    state = CASES[page, name]
    app = AppDriver().open(page, **to_query(state, page)).open_sections()
    if (page, name) not in chapters():
        assert state.text == "" or app.errors()  # the page shows no numbers either
        return
    program = ran()[page, name]
    assert "Traceback" not in program.printed, program.printed
    assert not_shown(program.printed, numbers_of(app)) == [], program.printed
    for tensor, array in tensors_of(app).items():
        if tensor in LATER.get(page, ()) or (tensor == "token" and state.settings.scale and page == "combine"):
            continue  # the program of Combine has multiplied it by √D
        variable = VARIABLES.get(page, {}).get(tensor, tensor)
        assert np.array_equal(program.values[variable], array, equal_nan=True), tensor
    if page == "tokens":
        assert_same_counts_and_tokens(program, app)
    if page == "windows":
        assert_same_windows_and_batch(program, app)


@pytest.mark.parametrize("page", WITH_PROGRAMS)
def test_cases_take_every_branch_of_every_story(page):
    for story in chapters()[page, "My text"].stories:
        told = [each for each in [*chapters().values(), chapter("word2vec", UPLOAD)] if story in each.stories]
        lines = {line.strip() for line in body(story, {}).splitlines()}
        taken = {line.strip() for each in told for line in body(story, each.values).splitlines()}
        assert [line for line in lines - taken if not line.startswith(("if ", "elif ", "else:"))] == []


def test_program_of_uploaded_vectors_reads_their_file(tmp_path):
    (tmp_path / "vectors.txt").write_text("3 2\nking 1 0\nman 0 1\nwoman 1 1\n")
    (tmp_path / "program.py").write_text(as_script(tell([chapter("word2vec", UPLOAD)]), LINK), "utf-8")
    printed = isolated(["program.py"], tmp_path)
    assert printed == "3 words, each a vector of 2 numbers\nking 0.7071\nman 0.7071\n"
