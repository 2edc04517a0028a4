"""A head trained on each task, without a global seed; that it equals plain torch is shown by the lesson's program."""

from functools import partial

import pytest
import torch

from components.training import attention_training
from components.training.attention_training import HeadConfig, train_head
from components.training.reading_tasks import Meaning, Order, read_prompt


@pytest.mark.parametrize("seed", [1, 123])
@pytest.mark.parametrize(
    ("task", "positions", "right", "total"),
    [(Order(), True, 240, 240), (Order(), False, 80, 240), (Meaning(), True, 135, 135), (Meaning(), False, 135, 135)],
)
def test_head_finds_its_word_unless_only_the_position_tells(task, positions, right, total, seed):
    state = torch.get_rng_state()
    head = train_head(HeadConfig(task, seed, positions))
    assert torch.equal(torch.get_rng_state(), state)
    assert (head.tests.right, head.tests.total) == (right, total)
    assert len(head.tests.looked_at) == len(task.fruits if isinstance(task, Order) else task.pairs)
    if right == total:
        assert min(head.tests.looked_at.values()) > 0.8
    else:
        assert max(head.tests.looked_at.values()) < 1 / 3
    prompt = task.first_prompt().split()
    even, sharp = (head.read([prompt], frame).weights[0, -1] for frame in (0, -1))
    assert even.tolist() == pytest.approx([1 / len(prompt)] * len(prompt), abs=0.03)
    assert sharp[task.source(prompt)] > (0.8 if right == total else 0)


def test_recorded_step_is_a_training_that_ends_there(monkeypatch):
    head, recorded = train_head(HeadConfig(Order(), 4)), attention_training.RECORDED
    for frame in (0, 1, len(recorded) // 2):
        monkeypatch.setattr(attention_training, "RECORDED", tuple(sorted({0, recorded[frame]})))
        shorter = train_head(head.config)
        assert all(map(torch.equal, head.frames[frame], shorter.frames[-1]))
    assert not torch.equal(head.frames[-2].key, head.frames[-1].key)


def test_mask_changes_nothing_that_the_last_word_reads():
    head = train_head(HeadConfig(Order(), 2))
    prompt = ["pear", "plum", "fig", "last"]
    for frame in (0, 5, -1):
        one, other = (head.read([prompt], frame, causal) for causal in (True, False))
        assert torch.equal(one.logits, other.logits)
        assert torch.equal(one.weights[0, -1], other.weights[0, -1])
    assert one.weights[0, 0, 1] == 0 < other.weights[0, 0, 1]


def test_prompts_differ_in_last_word_after_own_or_three_fruits():
    assert Order().prompts(["fig"]) == {asked: f"apple pear plum {asked}" for asked in ("first", "last")}
    assert Order().prompts(["fig", "plum", "last"])["first"] == "fig plum first"


def test_failed_seed_reads_some_nouns_and_falls_back_on_one_word():
    tests = train_head(HeadConfig(Meaning(), 2, positions=False, std=1.0)).tests
    assert (tests.right, tests.total, tests.fallback) == (81, 135, "ship")
    assert [noun for noun, weight in tests.looked_at.items() if weight < 0.5] == ["captain", "baker", "painter"]


READ_PROMPT = partial(read_prompt, vocabulary=("a", "b"), most=3)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (Order.read, "a b", "The number of fruits is 2: enter 3 to 12."),
        (Order.read, "a b c d e f g h i j k l m", "The number of fruits is 13: enter 3 to 12."),
        (Order.read, " ", "The number of fruits is 0: enter 3 to 12."),
        (Order.read, "a b last", "'last' has another role in these sentences: use another word."),
        (Order.read, "a b a", "'a' is there more than once: use each word once."),
        (Order.read, f"a b {'c' * 17}", f"'{'c' * 17}' has 17 characters: use words of at most 16."),
        (Meaning.read, "a b, c", "'c' is not a pair: write a noun and its word, then a comma."),
        (Meaning.read, "a b, b c", "'b' is on both sides of the pairs: use another word on one side."),
        (Meaning.read, "a b, c old", "'old' has another role in these sentences: use another word."),
        (Meaning.read, "", "The number of pairs is 0: enter 2 to 10."),
        (READ_PROMPT, "a c", "'c' is not in the vocabulary of this head: use a, b."),
        (READ_PROMPT, "a b a b", "The prompt has 4 words: write 1 to 3, as in the sentences of the training."),
    ],
)
def test_words_that_cannot_be_used_are_named_with_the_limit(read, text, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        read(text)


def test_as_many_words_as_the_limits_allow_are_read():
    assert [len(Order.read(text).fruits) for text in ("a, b;\u3000c\u3000", "a b c d e f g h i j k l")] == [3, 12]
    assert Order.read(f"a b {'c' * 16}").fruits[2] == "c" * 16
