import math

import pytest
import torch

from components.embedding.attention_head import HeadWeights, run_head
from components.lessons.attention.choices import Choices
from components.lessons.attention.figure import weights_figure
from tests.app_driver import AppDriver
from tests.figures.on_figure.attention import Head


def open_app(**query):
    return AppDriver().open("attention", **({"position": "learned"} | query))


def minus(text):
    return text.replace("-", "−")


def test_changes_by_a_shuffle_are_masked_until_predicted():
    app = open_app(order_seed=3)
    assert "Shuffled" not in app.words
    (masked, _) = (
        table for table in app.open_sections(masked=True).tables() if table[0].keys() & {"positions", "position"}
    )
    assert {row[column] for row in masked for column in row if column != "positions"} == {"?"}
    app.press("Show me")
    (changes, exchanged) = (table for table in app.tables() if table[0].keys() & {"positions", "position"})
    assert float(changes[0]["without a mask"]) < 1e-5 < 0.1 < float(changes[0]["with a causal mask"])
    assert f"no output changes by more than {changes[0]['without a mask']}" in app.words
    assert f"by up to {float(changes[1]['with a causal mask']):.4f}" in app.words
    assert [(row["position"], row["token"]) for row in exchanged] == [
        *zip("012345678", Head(app.state).names, strict=True)
    ]


def test_answer_shows_the_changes_and_one_token_has_none():
    app = open_app()
    app.at.radio[0].set_value("no, none")
    app.run()
    assert [box.value.startswith("**Correct.**") for box in app.at.success] == [True]
    assert "without mask and positions, as here" in app.learner.outputs.figure.drawing
    one = open_app(ids="7")
    assert "Shuffled" not in one.words
    assert not any("Shuffle the words" in section.label for section in one.at.get("expander"))


@pytest.mark.parametrize("causal", [True, False])
def test_notice_names_the_token_that_is_mixed_most(causal):
    app = open_app(causal=int(causal), attention_positions="none")
    head = Head(app.state)
    _, q, k = head.outputs(*head.run(range(9), "none"), "none", causal)
    weights = (q[5] @ k.T / math.sqrt(16))[: 6 if causal else 9].softmax(dim=0)
    most = head.names[weights.argmax()]
    assert f"␣the at position 5 mixes {len(weights)} value rows of 9, most of {most} (weight {weights.max():.2f})" in (
        app.words
    )
    assert "With a causal mask alone an output depends on which tokens come before it" in app.words


def test_notice_of_clock_hands_has_the_scores_of_the_signed_offset():
    app = open_app(attention_positions="rotary", attention_view="hands", query=7, key=3, causal=0)
    head = Head(app.state)

    def score(m, n):
        return minus(f"{(head.rotated(head.q[7], m) * head.rotated(head.k[3], n).conj()).real.sum().item() / 4:.4f}")

    assert score(7, 3) == score(12, 8) != score(3, 7)
    scores = f"A query at 7 and a key at 3 have the score {score(7, 3)}, at 12 and 8 {score(12, 8)}: it depends on the"
    assert f"{scores} signed offset −4 alone. Exchanged, the offset is +4 and the score {score(3, 7)}." in app.words
    assert "only offsets up to 0 occur" not in app.words
    assert "only offsets up to 0 occur" in app.set(attention_causal=True).words


def test_pairings_and_matrices_have_their_columns_and_numbers():
    app = open_app(attention_positions="rotary", query=6, key=1).open_sections()
    (rows,) = (table for table in app.tables() if "pairing" in table[0])
    assert [row["first pair"] for row in rows] == ["0, 1", "0, 8", "0, 8"]
    head = Head(app.state)
    _, q, k = head.outputs(head.q, head.k, head.v, "rotary", False)
    for n, (title, numbers) in enumerate({"Queries": q, "Keys": k, "Values": head.v}.items()):
        assert app.numbers(n) == pytest.approx(numbers.flatten().tolist(), abs=1e-3)
        assert f"{title} [9, 16]; {title[0].lower()}[0, 0] = {numbers[0, 0]:.4f}." in app.words


def test_without_tokens_or_with_ids_out_of_range_the_page_shows_why():
    (sentence,) = open_app(text="").errors()
    assert sentence == "Your text has 0 tokens; attention needs one or more. Write more."
    app = open_app(V=6, ids="2 9")
    (sentence,) = app.errors()
    assert "ID 9 at position 1" in sentence
    assert not app.press("Set V to 10").errors()
    assert app.learner.outputs.figure


def test_positions_that_are_off_are_not_added_and_the_page_says_so():
    app = open_app(position="none").open_sections()
    assert "Position embeddings are off in All settings" in app.words
    (rows,) = (table for table in app.tables() if "positions" in table[0])
    assert rows[1]["positions"] == "positions added (off in All settings)"
    assert float(rows[1]["without a mask"]) < 1e-5


def test_figure_of_nine_tokens_with_long_numbers_is_small():
    x = torch.randn(9, 6, generator=torch.Generator().manual_seed(9)) * 40  # weights that round to 0 and 1
    steps = run_head(x, HeadWeights(torch.eye(6), torch.eye(6), torch.ones(6, 70)), causal=False)
    figure = weights_figure(["<b>&"] * 9, steps, Choices(False, "rotary"), 0, "tokens", (0.0, 1.0), masked=False)
    assert figure.height <= 390
    assert len(figure.svg()) < 58_000
