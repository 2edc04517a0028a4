import math
import re
from xml.etree import ElementTree

import pytest
import torch
from torch.nn import functional as F

from components.embedding.attention_head import HeadWeights, run_head
from components.lessons.attention.choices import Choices
from components.lessons.attention.figure import weights_figure
from components.lessons.attention.hands import hands_figure, three_pairs
from components.lessons.attention.reading import sequence_of
from components.ui.download_registry import registered
from tests.app_driver import AppDriver, torch_tables

TEXT = "She left the bank for the riverbank."
IDS = [3347, 1364, 262, 3331, 329, 262, 7850, 17796, 13]
V, D, SEED = 50_257, 16, 123
KINDS = pytest.mark.parametrize("kind", ["none", "added", "rotary"])


def open_app(**query):
    return AppDriver().open("attention", **({"text": TEXT, "D": D, "seed": SEED, "position": "learned"} | query))


def expected_rows(kind, order=tuple(range(9))):
    """Return the input of the head [9, 16], from torch's own tables."""
    token, position = torch_tables(V, D, SEED, 9)
    rows = token[[IDS[t] for t in order]]
    return rows + position if kind == "added" else rows


def expected_head(x, kind, causal):
    """Return outputs and unrotated queries and keys, by torch's attention and complex numbers, from the seed alone."""
    query, key, value = torch.randn(3, D, D, generator=torch.Generator().manual_seed(SEED + 1)) / math.sqrt(D)
    q, k = x @ query, x @ key
    turned = [rotated(each, range(len(x))) for each in (q, k)] if kind == "rotary" else [q, k]
    return F.scaled_dot_product_attention(*turned, x @ value, is_causal=causal), turned, (q, k)


def rotated(x, positions):
    angles = torch.tensor([[t / 10_000 ** (2 * i / D) for i in range(D // 2)] for t in positions])
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def minus(text):
    return text.replace("-", "−")


@KINDS
@pytest.mark.parametrize("causal", [True, False])
def test_figure_has_the_outputs_weights_and_scores_of_torch(kind, causal):
    app = open_app(attention_positions=kind, causal=int(causal))
    out, (q, k), _ = expected_head(expected_rows(kind), kind, causal)
    found = registered(app.learner)
    assert found["sequence"].array.tolist() == IDS
    assert torch.allclose(torch.from_numpy(found["out"].array), out, atol=1e-5)
    scores = q @ k.T / math.sqrt(D)
    mask = torch.ones(9, 9).tril().bool() if causal else torch.ones(9, 9).bool()
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=1)
    assert torch.allclose(torch.from_numpy(found["weights"].array), weights, atol=1e-5)
    named = ", ".join(minus(f"{out[5, d]:.2f} in column {d}") for d in (0, 1, 2, 3, 15))
    assert f"␣the at position 5: weights {weights[5, 0]:.2f} She" in app.learner.outputs.figure.reading
    assert app.learner.outputs.figure.reading.endswith(f"output {named}")
    drawing = app.learner.outputs.figure.drawing
    assert drawing.count("−∞") == (36 if causal else 0)
    assert all(minus(f">{scores[8, s]:.2f}<") in drawing for s in range(9))


@KINDS
def test_shuffled_words_are_read_in_the_new_order_at_the_same_positions(kind):
    app = open_app(attention_positions=kind, shuffled=1, order_seed=7, causal=0)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(7)).tolist()
    out, *_ = expected_head(expected_rows(kind, order), kind, causal=False)
    found = registered(app.learner)
    assert found["sequence"].array.tolist() == [IDS[t] for t in order]
    assert torch.allclose(torch.from_numpy(found["x"].array), expected_rows(kind, order))
    assert torch.allclose(torch.from_numpy(found["out"].array), out, atol=1e-5)


def test_changes_by_a_shuffle_are_masked_until_predicted_and_those_of_torch():
    app = open_app(attention_positions="added", order_seed=3)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(3)).tolist()
    assert "Shuffled, an output changes by" in app.learner.outputs.figure.drawing
    assert "Shuffled" not in app.learner.outputs.figure.reading + app.words
    (masked, _) = (
        table for table in app.open_sections(masked=True).tables() if table[0].keys() & {"positions", "position"}
    )
    assert {row[column] for row in masked for column in row if column != "positions"} == {"?"}
    app.press("Show me")
    (changes, exchanged) = (table for table in app.tables() if table[0].keys() & {"positions", "position"})
    for row, kind in zip(changes, ("none", "added", "rotary"), strict=True):
        for column, causal in (("without a mask", False), ("with a causal mask", True)):
            outs = [expected_head(expected_rows(kind, each), kind, causal)[0] for each in (range(9), order)]
            change = max((outs[1][order.index(t)] - outs[0][t]).abs().max().item() for t in range(9))
            assert float(row[column]) == pytest.approx(change, abs=2e-5)
    assert float(changes[0]["without a mask"]) < 1e-5
    assert float(changes[0]["with a causal mask"]) > 0.1
    assert f"no output changes by more than {changes[0]['without a mask']}" in app.words
    assert f"by up to {float(changes[1]['with a causal mask']):.4f}" in app.words
    assert f"changes by {changes[0]['without a mask']} without" in app.learner.outputs.figure.reading
    numbers = [float(row["change of its output"]) for row in exchanged]
    assert min(numbers[:2]) > 0.1
    assert max(numbers[2:]) < 1e-5


def test_answer_shows_the_changes_and_one_token_has_none():
    app = open_app()
    app.at.radio[0].set_value("no, none")
    app.run()
    assert [box.value.startswith("**Correct.**") for box in app.at.success] == [True]
    assert "without mask and positions, as here" in app.learner.outputs.figure.drawing
    one = open_app(ids="7")
    assert "Shuffled" not in one.learner.outputs.figure.drawing + one.words
    assert not any("Shuffle the words" in section.label for section in one.at.get("expander"))


def test_clock_hands_show_that_the_score_depends_on_the_signed_offset():
    app = open_app(attention_positions="rotary", attention_view="hands", query=7, key=3, causal=0)
    _, _, (q, k) = expected_head(expected_rows("rotary"), "rotary", causal=False)

    def score(m, n):
        return (rotated(q[7:8], [m]) @ rotated(k[3:4], [n]).T).item() / 4

    reading = app.learner.outputs.figure.reading
    shown = re.findall(r"(\d+) reads (\d+), offset (\S+?)(?:, [\w ]+)?: score (\S+?)[;.] ", reading)
    assert [row[:3] for row in shown] == [("7", "3", "−4"), ("12", "8", "−4"), ("3", "7", "+4")]
    scores = [float(row[3].replace("−", "-")) for row in shown]
    assert scores == pytest.approx([score(7, 3), score(12, 8), score(3, 7)], abs=1.1e-4)
    assert scores[0] == scores[1] != scores[2]
    assert minus(f"have the score {scores[0]:.4f}, at 12 and 8 {scores[1]:.4f}") in app.words
    assert "only offsets up to 0 occur" not in app.words
    assert "only offsets up to 0 occur" in app.set(attention_causal=True).words


@pytest.mark.parametrize("columns", [2, 4, 8, 10, 64])
def test_terms_of_the_pairs_add_up_and_turn_by_their_rates(columns):
    random = torch.Generator().manual_seed(columns)
    query, key = torch.randn(2, columns, generator=random)
    placed = three_pairs(query, key, 2, 6)
    figure = hands_figure(["a"] * 9, placed, query, key)
    assert [(each.m, each.n) for each in placed] == [(2, 6), (7, 11), (6, 2)]
    for each in placed:
        assert each.terms.sum().item() == pytest.approx((each.query @ each.key).item() / math.sqrt(columns), abs=1e-5)
    sizes = [math.hypot(*vector[:2].tolist()) for vector in (query, key)]
    angle = float(re.search(r"at (\d+)°; plus", figure.reading)[1])
    term = sizes[0] * sizes[1] * math.cos(math.radians(angle)) / math.sqrt(columns)
    assert placed[0].terms[0].item() == pytest.approx(term, abs=0.03)
    assert figure.drawing.count('class="hand"') == 3 * min(4, columns // 2)
    ElementTree.fromstring(figure.file())


def test_pairings_and_the_call_of_torch_have_their_numbers():
    app = open_app(attention_positions="rotary", query=6, key=1).open_sections()
    (rows,) = (table for table in app.tables() if "pairing" in table[0])
    _, (q, k), _ = expected_head(expected_rows("rotary"), "rotary", causal=False)
    scores = [float(row["score of query 6, key 1"]) for row in rows]
    assert scores[0] == pytest.approx((q[6] @ k[1]).item() / 4, abs=1e-4)
    assert scores[2] == scores[0] != scores[1]
    differences = [float(row["largest difference to neighbors"]) for row in rows]
    assert differences[0] == 0
    assert differences[1] > 0.1
    assert differences[2] < 1e-5
    assert [row["first pair"] for row in rows] == ["0, 1", "0, 8", "0, 8"]
    assert float(re.search(r"of the figure by at most (\S+)\.$", app.words, re.M)[1]) < 1e-5
    assert app.numbers(0) == pytest.approx(q.flatten().tolist(), abs=1e-3)


def test_tokens_of_a_long_text_are_moved_and_those_of_a_short_one_are_all_read():
    app = open_app(text="one two three four five six seven eight nine ten eleven twelve", first_token=99)
    slider = app.learner.outputs.figure.slider
    assert (slider.choice, slider.value, slider.high) == ("first_token", 3, 3)
    assert "Tokens 3 to 11 of 12" in app.learner.outputs.figure.reading
    assert open_app().learner.outputs.figure.slider is None
    assert "The whole text: 2 tokens" in open_app(text="a bank").learner.outputs.figure.reading
    assert "The first sequence: 3 IDs" in open_app(ids="1 2 3; 4 5 6").learner.outputs.figure.reading


def test_without_tokens_or_with_ids_out_of_range_the_page_shows_why():
    (sentence,) = open_app(text="").errors()
    assert sentence == "Your text has 0 tokens; attention needs one or more. Write more."
    app = open_app(V=6, ids="2 9")
    (sentence,) = app.errors()
    assert "ID 9 at position 1" in sentence
    assert not app.press("Set V to 10").errors()
    assert app.learner.outputs.figure


def test_positions_that_are_off_are_not_added_and_the_page_says_so():
    app = open_app(position="none", attention_positions="added").open_sections()
    assert "Position embeddings are off in All settings" in app.words
    assert torch.allclose(torch.from_numpy(registered(app.learner)["x"].array), expected_rows("none"))
    (rows,) = (table for table in app.tables() if "positions" in table[0])
    assert rows[1]["positions"] == "positions added (off in All settings)"
    assert float(rows[1]["without a mask"]) < 1e-5


@pytest.mark.parametrize(("ids", "found"), [("", range(5, 14)), ("7 8; 9 9", [7, 8])])
def test_sequence_of_takes_nine_tokens_or_the_first_typed_sequence(ids, found):
    settings = open_app(ids=ids).state.settings
    assert sequence_of(range(20), settings, 5) == [*found]


@pytest.mark.parametrize("n", [1, 2, 9])
@pytest.mark.parametrize("kind", ["added", "rotary"])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("masked", [True, False])
def test_figure_of_any_size_is_small_with_a_stop_for_each_query(n, kind, causal, masked):
    x = torch.randn(n, 6, generator=torch.Generator().manual_seed(n)) * 40  # weights that round to 0 and 1
    steps = run_head(x, HeadWeights(torch.eye(6), torch.eye(6), torch.ones(6, 70)), causal)
    choices = Choices(causal=causal, attention_positions=kind)
    figure = weights_figure(["<b>&"] * n, steps, choices, 0, "tokens", (0.0, 1.0), masked)
    assert figure.drawing.count("data-stop") == n
    assert figure.drawing.count('class="readout" data-part') == n
    assert figure.drawing.count("<use") == (n * (n + 1) // 2 if causal else n * n)
    assert figure.height <= 390
    assert len(figure.svg()) < 58_000
    assert "<b>" not in figure.drawing
    assert (">?<" in figure.drawing) == masked
    ElementTree.fromstring(figure.file())
