import re
from html import unescape
from xml.etree import ElementTree

import pytest
import torch

from components.base.presets import PRESETS
from components.base.settings import Settings
from components.embedding.walkthrough import walk
from components.entry import LESSONS
from components.lessons.home.figure import journey_figure
from components.text.tokenizers import get_tokenizer
from tests.app_driver import PAGES, AppDriver, torch_tables
from tests.embedding.test_positions import published_element

TEXT = "She left the bank for the riverbank."  # " the" is at position 2 of sequence 0 and at position 1 of sequence 1
IDS = get_tokenizer("gpt2").encode(TEXT)[:8]
SHAPE = r'class="small[^>]*>(\[.*?\]|none|\d+ of \d+)(?:, learned|, sinusoidal| times √\d+)?</text>'


def open_app(**query):
    return AppDriver().open(**{"text": TEXT, "position": "sinusoidal"} | query)


def sums(app):
    """Return what is read out in the figure, by token and column."""
    read_out = r'<text class="readout" data-part="(\d)" data-column="(\d+)">(.*?)</text>'
    found = re.findall(read_out, app.learner.outputs.figure.drawing)
    return {(int(n), int(d)): re.sub("<.*?>", "", text).replace("−", "-") for n, d, text in found}


@pytest.mark.parametrize("position", ["learned", "sinusoidal", "none"])
@pytest.mark.parametrize("scale", [0, 1])
def test_figure_has_the_numbers_of_torch_for_every_token(position, scale):
    V, D, T = 50_257, 6, 4
    app = open_app(D=D, T=T, position=position, scale=scale)
    weight, added = torch_tables(V, D, 123, T)
    if position == "sinusoidal":
        added = torch.tensor([[published_element(t, d, D) for d in range(D)] for t in range(T)])
    if "Show me" in app.labels():
        app.press("Show me")
    read_out = sums(app)
    assert read_out.keys() == {(n, d) for n in range(8) for d in (0, 1, 5)}
    for (n, d), text in read_out.items():
        terms, *numbers = re.split(r" = | ≈ ", text)
        W = (6**0.5 if scale else 1) * weight[IDS[n], d].item()
        P = added[n % T, d].item() if position != "none" else None
        names = f"{'√6 · ' if scale else ''}W[{IDS[n]}, {d}]" + (f" + P[{n % T}, {d}]" if P is not None else "")
        assert terms == names
        expected = [W] if P is None else [W, P, W + P]
        found = [float(number) for number in re.split(r" \+ ", numbers[0])] + [float(x) for x in numbers[1:]]
        assert found == pytest.approx(expected, abs=6e-5 if abs(W) < 9 else 6e-4)
        assert P is None or (" ≈ " in text) == (abs(found[0] + found[1] - found[2]) > 5e-5)


@pytest.mark.parametrize(
    ("query", "shapes"),
    [
        ({"V": 50_257, "D": 6, "T": 3, "B": 3, "stride": 3}, "6 of 9|[2, 3]|[50257, 6]|[2, 3, 6]|[3, 6]|[2, 3, 6]"),
        ({"position": "none", "B": 4}, "8 of 9|[2, 4]|[50257, 16]|[2, 4, 16]|none|[?]"),
        ({"V": 9, "ids": "1 2; 3 4"}, "4 of 4|[2, 2]|[9, 16]|[2, 2, 16]|[2, 16]|[?]"),
        ({"text": "a"}, "1 of 1|[1, 1]|[50257, 16]|[1, 1, 16]|[1, 16]|[?]"),
    ],
)
def test_headings_have_the_shapes_of_the_settings(query, shapes):
    app = open_app(**query)
    assert "|".join(re.findall(SHAPE, app.learner.outputs.figure.drawing)) == shapes
    if "[?]" in shapes:
        assert "The model reads" not in app.words
        assert shapes.replace("[?]", shapes.split("|")[3]) == "|".join(
            re.findall(SHAPE, app.press("Show me").learner.outputs.figure.drawing)
        )
        assert "The model reads" in app.words


def test_sums_of_a_repeated_token_are_masked_until_they_are_predicted():
    app = open_app()
    assert app.learner.outputs.figure.lit == "0"
    masked = {n for (n, _), text in sums(app).items() if text.endswith("?")}
    assert masked == {n for n, token_id in enumerate(IDS) if token_id == 262} == {2, 5}
    assert app.learner.outputs.figure.drawing.count('class="masked"') == 2
    assert app.learner.outputs.figure.reading.count("= ?") == 2
    (radio,) = app.at.main.radio
    radio.set_value("its token embeddings")
    app.run()
    assert "Correct." in app.words
    assert "masked" not in app.learner.outputs.figure.drawing
    assert app.learner.outputs.figure.lit == "5"
    assert sums(app)[2, 0].split(" = ")[-1] == "2.0356"
    assert sums(app)[5, 0].split(" = ")[-1] == "1.9678"


def test_what_to_notice_counts_characters_tokens_rows_and_numbers():
    assert "Your 36 characters became 9 tokens, and this batch has 2 × 4 of them." in open_app().words
    assert (
        "The batch uses 7 rows of the table, whose 50,257 × 16 numbers take 3.2 MB and are random before training."
        in open_app().words
    )
    assert "it reads 2 × 4 × 16 = 128 numbers." in open_app().words
    assert "4 IDs, typed or of a preset, are in use instead of your 36 characters." in open_app(ids="1 2; 3 4").words


def test_problem_of_text_or_ids_is_named_and_short_text_is_shown_as_far_as_it_goes():
    app = open_app(text="Hello there", T=4)
    (sentence,) = app.errors()
    assert "3 are missing" in sentence
    assert re.findall(r'aria-label="(\S+) at position (\d)', app.learner.outputs.figure.drawing) == [
        ("Hello", "0"),
        ("␣there", "1"),
    ]
    for query, start in (
        ({"V": 100}, "ID 3,347 at position 0, and 7 more, are out of range for V = 100"),
        ({"ids": "1 2; 3"}, "The sequences have 2, 1 IDs"),
        ({"text": ""}, "Your text has 0 tokens"),
    ):
        app = open_app(**query)
        (sentence,) = app.errors()
        assert sentence.startswith(start)
        assert app.learner.outputs.figure is None


def test_unavailable_tokenizer_is_offered(monkeypatch, tmp_path):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    app = open_app(tokenizer="o200k_base")
    assert any(label.startswith("Download") and "MB" in label for label in app.labels())
    assert app.learner.outputs.figure is None


@pytest.mark.parametrize("name", ["Toy table", "GPT-2's vocabulary, D = 256"])
def test_preset_changes_settings_and_not_the_text(name):
    app = AppDriver().open(text="a text of my own", ids="1 2").set(home_preset=name)
    assert app.state.settings == PRESETS[name].settings
    assert app.state.text == app.open_panel("text").widget("text").value == "a text of my own"
    assert PRESETS[name].note in app.words


def test_opened_lessons_are_counted():
    app = AppDriver().open("lookup").open("glossary").open("combine").open("home")
    assert f"2 of {len(PAGES) - 2} lessons" in app.at.get("progress")[0].proto.text


@pytest.mark.parametrize("masked", ["", "same_id", "numbers"])
@pytest.mark.parametrize("position", ["none", "learned"])
@pytest.mark.parametrize(
    ("B", "T", "V", "D"), [(1, 1, 1, 1), (9, 1, 3, 2), (3, 3, 200_019, 1), (1, 64, 50_257, 300), (2, 7, 9, 1_024)]
)
def test_figure_of_any_shape_is_small_and_leads_to_the_lessons(B, T, V, D, position, masked):
    settings = Settings(V, D, context_length=T, batch_size=B, position=position)
    ids = torch.randint(V, (B, T), generator=torch.Generator().manual_seed(1))
    shown = min(8, B * T)
    names = ["<b>&" * 20] * shown
    figure = journey_figure(ids, names, B * T, walk(ids, settings), settings, masked)
    assert figure.drawing.count("data-stop") == shown
    assert len(re.findall('class="chip" data-part', figure.drawing)) == shown
    assert figure.height <= 390
    assert len(figure.svg()) < 31_000  # 30,000 with names that need no escapes
    assert "<b>" not in figure.drawing
    ElementTree.fromstring(figure.file())  # as a file of its own it is valid XML
    leads = re.findall(
        r"""data-choose='{"lesson": "(\w+)"}' role="link" tabindex="0" aria-label="(.*?):""", figure.drawing
    )
    assert leads == [(name, LESSONS[name].title) for name in ("tokens", "windows", "lookup", "positions", "combine")]
    same = {n for n in range(shown) if ids.flatten()[:8].tolist().count(ids.flatten()[n].item()) > 1}
    assert figure.drawing.count('class="masked"') == (2 if masked == "same_id" and same else 0)


@pytest.mark.parametrize(("at", "first", "turns"), [(7, 0, [8]), (8, 8, [7, 16]), (17, 12, [11]), (10**4, 12, [11])])
def test_tokens_beyond_the_first_can_be_shown(at, first, turns):
    ids = torch.arange(20).reshape(2, 10)
    query = {"V": 20, "D": 2, "T": 10, "position": "learned", "ids": str(ids.tolist()), "home_token": at}
    app = open_app(**query)
    weight, added = torch_tables(20, 2, 123, 10)
    for (n, d), text in sums(app).items():
        assert first <= n < first + 8
        assert f"W[{n}, {d}] + P[{n % 10}, {d}]" in text
        assert float(re.split(r" = | ≈ ", text)[-1]) == pytest.approx(
            (weight[n, d] + added[n % 10, d]).item(), abs=6e-5
        )
    assert (
        f"[{first // 10}, {first % 10}] at position {first % 10} of sequence {first // 10}"
        in app.learner.outputs.figure.reading
    )
    assert [int(n) for n in re.findall(r'{"home_token": (\d+)}', unescape(app.learner.outputs.figure.drawing))] == turns
    assert app.learner.outputs.figure.height <= 390
    assert len(app.learner.outputs.figure.svg()) < 31_000
