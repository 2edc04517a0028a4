import math

import pytest
import torch

from components.embedding.attention_head import HeadWeights, run_head
from components.lessons.attention.choices import Choices
from components.lessons.attention.figure import weights_figure
from tests.app_driver import AppDriver
from tests.figures.on_figure.attention import Head


def open_app(**query):
    return AppDriver().open("attention", **({"position": "learned", "head": "text"} | query))


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
    app.at.radio[0].set_value("yes, even of one that stays")
    app.run()
    assert [box.value.startswith("**Correct.**") for box in app.at.success] == [True]
    assert "without mask and positions, as here" in app.learner.outputs.figure.drawing
    one = open_app(ids="7")
    assert "Shuffled" not in one.words
    assert not any("Shuffle the words" in section.label for section in one.at.get("expander"))


@pytest.mark.parametrize("causal", [True, False])
def test_notice_names_the_token_that_is_mixed_most(causal):
    app = open_app(causal=int(causal), attention_positions="none", query=5)
    head = Head(app.state)
    _, q, k = head.outputs(*head.run(range(9), "none"), "none", causal)
    weights = (q[5] @ k.T / math.sqrt(16))[: 6 if causal else 9].softmax(dim=0)
    most = head.names[weights.argmax()]
    assert f"␣the at position 5 mixes {len(weights)} value rows of 9, most of {most} (weight {weights.max():.2f})" in (
        app.words
    )
    assert "With a causal mask alone an output depends on which tokens come before it" in app.words


def test_notice_of_clock_hands_has_the_scores_of_the_signed_offset():
    app = open_app(attention_positions="rotary", attention_view="hands", query=7, key=3)
    assert "Answer the question to see it at other positions." in app.words
    app.press("Show me")
    head = Head(app.state)

    def score(m, n):
        return minus(f"{(head.rotated(head.q[7], m) * head.rotated(head.k[3], n).conj()).real.sum().item() / 4:.4f}")

    assert score(7, 3) == score(12, 8) != score(3, 7)
    scores = f"A query at 7 and a key at 3 have the score {score(7, 3)}, at 12 and 8 {score(12, 8)}: it depends on the"
    assert f"{scores} signed offset −4 alone. Exchanged, the offset is +4 and the score {score(3, 7)}." in app.words


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
    figure = weights_figure(
        ["<b>&"] * 9, steps, Choices(causal=False, attention_positions="rotary"), 0, "tokens", (0.0, 1.0), masked=False
    )
    assert figure.height <= 390
    assert len(figure.svg()) < 60_000


def open_trained(**query):
    return AppDriver().open("attention", **query)


def test_positions_off_are_masked_until_predicted_and_guess_a_third():
    app = open_trained()
    assert "of 240 prompts right: with positions" in app.learner.outputs.figure.drawing
    assert "80" not in app.words.replace("about 80", "")
    assert "“first” reads “pear” with a weight of 1.00 (0.25 before training), because of its position" in app.words
    app.at.radio[0].set_value("about 80")
    app.run()
    assert [box.value.startswith("**Correct.**") for box in app.at.success] == [True]
    assert "With positions it completes 240 of 240, without 80." in app.words
    app.set(attention_head_positions=False)
    assert "Without positions it completes 80 of 240: three fruits have six orders" in app.words
    assert "it has found no word to look at." in app.words


def test_nouns_are_found_without_positions_because_of_what_they_are():
    app = open_trained(head="meaning", head_positions=0).press("Show me")
    assert "because of what it is" in app.words
    assert "It completes 135 of 135, with positions off: what the noun is suffices." in app.words
    assert "“the” reads “pilot”" in app.set(tried_meaning="pilot").words


def test_seed_that_fails_is_named_with_what_it_does_not_read():
    app = open_trained(head="meaning", head_positions=0, start=1, seed=2)
    assert "It completes 81 of 135: from the random numbers of seed 2" in app.words
    assert "reads captain, baker, painter with less than 0.5, and answers these alike" in app.words
    falls_back = open_trained(head="meaning", start=1, seed=6).open_sections()
    assert "though it does not look at pilot" in falls_back.words
    assert "Without a noun the head answers “plane” most often" in falls_back.words
    assert "plane is the word it falls back on if it finds no other noun" in falls_back.words


def test_own_words_are_learned_and_wrong_ones_named():
    app = open_trained(fruits="red green blue", order_prompt="blue red last")
    assert "“last” reads “red”" in app.words
    assert "This head reads sentences of its own, not your text" in app.words
    wrong = open_trained(fruits="red", order_prompt="red")
    assert wrong.errors() == [
        "There are 1 fruits: enter 3 to 12. Using apple pear plum fig cherry lemon.",
        "“red” is not in the vocabulary of this head: use apple, cherry, fig, first, last, lemon, pear, plum. Using "
        "“pear plum fig first”.",
    ]


def test_film_of_a_trained_head_with_many_words_is_small():
    app = open_trained(head="meaning", meaning_prompt="the old captain often misses the")
    assert app.learner.outputs.figure.height <= 390
    assert len(app.learner.outputs.figure.svg()) < 52_000
