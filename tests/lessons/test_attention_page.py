import re

import pytest

from components.embedding.order import shuffled_order
from components.figures.cells import number, signed
from components.ui.download_registry import registered
from tests.app_driver import AppDriver
from tests.programs.labels import tensors_of


def open_app(**query):
    return AppDriver().open("attention", **({"position": "learned", "head": "text"} | query))


LARGE = {"dim": 64, "scale": 1, "seed": 5, "text": "The river bank lends no money to the farmer today."}


@pytest.mark.parametrize(("query", "key", "exchange", "others"), [(7, 3, "+4", {}), (6, 7, "−1", LARGE)])
def test_notice_of_clock_hands_has_the_scores_of_the_figure(query, key, exchange, others):
    app = open_app(attention_positions="rotary", attention_view="hands", query=query, key=key, **others)
    app.press("Show me")
    own, later, exchanged = re.findall(r"score ([\d.−]+)[.;] ", app.learner.outputs.figure.reading)
    assert own == later != exchanged
    moved = f"at {query + 5} and {key + 5} the score {later}: "
    assert f"A query at {query} and a key at {key} have the score {own}, {moved}" in app.words
    assert f"Exchanged, the offset is {exchange} and the score {exchanged}." in app.words


def test_shuffle_without_mask_or_positions_is_one_rounding_error():
    app = open_app(attention_positions="none", causal=0).press("Show me")
    assert re.search(r"by at most 0\.0{5}\d\d without mask and positions, a rounding error\.", app.words)
    assert "With a causal mask" not in app.words
    assert "With a causal mask alone" in app.set(attention_causal=True).words
    app = open_app(attention_positions="added", position="none", causal=0).press("Show me")
    assert re.search(r"a rounding error\. Position embeddings are off in All settings", app.words)


@pytest.mark.parametrize(("text", "number"), [("cat dog", 75), ("cat dog bird", 34)])
def test_shuffle_that_moves_no_token_is_named(text, number):
    app = open_app(text=text, order_seed=number).open_sections()
    assert f"Shuffle seed {number} leaves every token at its position: no output changes." in app.words
    assert f"Order: {', '.join(map(str, range(len(text.split()))))}." in app.words
    assert "with your settings, by up to" not in app.words


@pytest.mark.parametrize(
    ("ids", "shuffled", "nothing_changes"),
    [
        ("5 5 6", {}, True),
        ("5 6 5", {}, False),
        ("5 5 6 7", {"shuffled": 1, "order_seed": 3}, True),
        ("5 6 5 7", {"shuffled": 1, "order_seed": 9}, False),
    ],
)
def test_exchange_of_equal_tokens_changes_nothing(ids, shuffled, nothing_changes):
    app = open_app(V=10, ids=ids, **shuffled).open_sections()
    changes = [row["change of its output"] for table in app.tables() for row in table if "change of its output" in row]
    assert ({*changes} == {"0.0000000"}) == nothing_changes
    assert ("equal, so nothing changes" in app.words) == nothing_changes
    assert ("in a second layer they would change" in app.words) != nothing_changes


def test_shuffle_follows_both_tokens_to_their_new_positions():
    app = open_app(text="one two three four", attention_positions="none", causal=0, query=9, key=1)
    assert "The output of “␣four” at position 3 is" in app.words
    for values in ({"attention_shuffled": True}, {"attention_order_seed": 5}):
        app.open_sections().set(**values)
        at, key = (shuffled_order(4, app.state.choices.order_seed).index(position) for position in (3, 1))
        assert f"The output of “␣four” at position {at} is" in app.words
        assert (app.state.choices.query, app.state.choices.key) == (at, key) != (3, 1)
    choices = app.set(attention_shuffled=False).state.choices
    assert (choices.query, choices.key) == (3, 1)


def test_fewer_than_three_tokens_are_not_asked_about():
    assert "Show me" in open_app(text="cat dog bird").labels()
    assert "Show me" not in open_app(V=10, ids="5 5 5 5").labels()  # a shuffle changes nothing, with any settings
    assert "Show me" in open_app(V=10, ids="5 6 5").labels()
    assert "Show me" not in open_app(V=10, ids="5 6 5", position="none").labels()  # no change for what is not moved
    app = open_app(text="cat dog")
    assert "Show me" not in app.labels()
    assert "rotary score" in app.open_section("Check your understanding").words


def test_heatmaps_have_queries_keys_and_values():
    app = open_app(attention_positions="rotary").open_sections()
    for n, name in enumerate("qkv"):
        assert app.numbers(n) == pytest.approx(tensors_of(app)[name].flatten().tolist(), abs=5.1e-5)


def test_page_without_tokens_or_with_ids_out_of_range_shows_why():
    (sentence,) = open_app(text="").errors()
    assert sentence == "Your text has 0 tokens; attention needs one or more. Write more."
    app = open_app(V=6, ids="2 9")
    (sentence,) = app.errors()
    assert "ID 9 at position 1" in sentence
    assert not app.press("Set V to 10").errors()
    assert app.learner.outputs.figure


def open_trained(**query):
    return AppDriver().open("attention", **query)


def test_copies_of_a_word_are_read_together():
    app = open_trained(head="meaning", head_positions=0, meaning_prompt="the captain captain captain the")
    assert re.search(
        r"reads “captain”, which occurs 3 times, with a weight of (1\.00|0\.9\d)", app.press("Show me").words
    )


def test_positions_off_guess_a_third():
    app = open_trained()
    assert "“first” reads “pear” with a weight of 1.00 (0.25 before training), because" in app.words
    app.set(attention_head_positions=False).press("Show me")
    assert "Without positions it completes 80 of 240: three fruits have six orders" in app.words
    assert "gives one answer, which is right in two." in app.words
    assert "before training): less than half of all." in app.words
    app = open_trained(fruits="1 2 3 4.5 -6", head_positions=0).press("Show me")
    assert "completes 36 of 120:" in app.words
    app = open_trained(fruits="a b c d e f g h i j k l", head_positions=0, order_prompt="a")
    assert "With a single word its weight is 1.00 before and after training." in app.words
    assert re.search(r"completes 8\d\d of 2,640:", app.press("Show me").words)
    assert "gives one answer, right in two of them at most." in app.words
    words = app.set(attention_head_positions=True).open_sections().words
    assert re.search(r"depends on the word; [12],\d{3} of 2,640 are completed", words)


def test_noun_is_tried_in_the_prompt():
    app = open_trained(head="meaning").set(tried_meaning="pilot")
    assert "“the” at position 4 reads “pilot”" in app.words


@pytest.mark.parametrize(
    ("head", "prompt", "most", "second"),  # positions in the prompt
    [
        ("order", "pear plum fig first", 0, 1),
        ("order", "pear plum fig last", 2, 1),  # not “last” itself, which has the second score
        ("meaning", "the old captain misses the", 2, 1),
    ],
)
def test_lead_of_the_highest_score_comes_from_word_and_position(head, prompt, most, second):
    app = open_trained(head=head, **{f"{head}_prompt": prompt}).press("Show me")
    scores, by_position = tensors_of(app)["scores"][-1], tensors_of(app)["by_position"]
    ahead, of_position = scores[most] - scores[second], by_position[most] - by_position[second]
    read, other = prompt.split()[most], prompt.split()[second]
    reason = f"the position of “{read}”" if of_position > ahead / 2 else f"the word “{read}” itself"
    assert (
        f"because of {reason}: its score is {number(ahead)} above that of “{other}”, of which "
        f"{signed(ahead - of_position)} comes from the word and {signed(of_position)} from the position."
    ) in app.words


@pytest.mark.parametrize(("seed", "without"), [(1, "135: positions are not needed."), (19, "108.")])
def test_uneven_trained_head_has_both_counts_and_no_question(seed, without):
    app = open_trained(head="meaning", start=1, seed=seed)
    assert f"It completes 135 of 135, with positions; without them, {without} The mask" in app.words
    assert "Show me" not in app.labels()
    assert "rotary score" in app.open_section("Check your understanding").words


def test_seed_that_fails_though_it_reads_every_noun_names_none():
    pairs = "captain ship, farmer field, pilot plane"
    words = open_trained(head="meaning", start=1, seed=26, pairs=pairs).words
    assert "It completes 63 of 81: from the random numbers of seed 26" in words
    assert "It reads" not in words


def test_own_words_are_learned_and_wrong_ones_named():
    app = open_trained(fruits="red green blue", order_prompt="blue red last")
    assert "“last” reads “red”" in app.words
    assert "This head reads sentences of its own, with D = 24, not your text" in app.words
    words = ["blue", "first", "green", "last", "red"]
    assert registered(app.learner)["words"] == [{"id": n, "word": word} for n, word in enumerate(words)]
    assert len(words) == len(tensors_of(app)["token_table"])
    wrong = open_trained(fruits="red", order_prompt="red")
    assert wrong.errors() == [
        "The number of fruits is 1: enter 3 to 12. Using apple pear plum fig cherry lemon.",
        "'red' is not in the vocabulary of this head: use apple, cherry, fig, first, last, lemon, pear, plum. Using "
        "'pear plum fig first'.",
    ]


@pytest.mark.parametrize(
    ("head", "used"), [("order", "seed"), ("meaning", "seed"), ("text", "text seed"), ("gpt2", "text")]
)
def test_a_head_has_only_controls_that_change_it(head, used):
    app = open_app().open_panel("text").set(attention_head=head)
    shown = {"text": app.widgets("panel_text"), "seed": app.widgets("row_seed")}
    assert [name for name, widgets in shown.items() if widgets] == used.split()
    assert bool(app.widgets("text")) == ("text" in used)  # the field of the open panel


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("a a a", "each with a weight of 0.33."),
        ("a b a", "the largest weight, 0.46, on “a” at positions 0, 2;"),
        ("a", "with a weight of 1: "),
    ],
)
def test_weights_that_are_equal_have_no_largest(text, weight):
    shown = {"head": "text", "tokenizer": "words", "attention_positions": "none", "causal": 0, "query": 1}
    assert weight in AppDriver().open("attention", text=text, **shown).words
