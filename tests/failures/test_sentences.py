"""What the explanations, changes and remarks of the error lab claim, checked against the libraries themselves."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from components.embedding.tables import token_table
from components.failures.catalogue import FAILURES, run_failure
from components.failures.remarks import LOOKUPS, PRODUCTS, REMARKS, SUMS, TABLES, WORDS
from components.text.tokenizers import get_tokenizer

TABLE = nn.Embedding.from_pretrained(torch.arange(18.0).reshape(6, 3))
GPT2 = get_tokenizer("gpt2").encoding


def raised(code) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        code()
    return f"{caught.type.__name__}: {caught.value}"


def test_claims_about_lookups_are_true_of_torch():
    larger = nn.Embedding.from_pretrained(torch.ones(2**17, 1))
    messages = {raised(lambda i=i: TABLE(torch.tensor([i]))) for i in (6, 10**6, -1)}
    assert len(messages | {raised(lambda: larger(torch.tensor([2**17])))}) == 1  # neither the ID nor the table
    assert torch.equal(TABLE.weight[-1], TABLE.weight[5])  # indexing wraps, a lookup does not
    for dtype in (torch.int64, torch.int32):
        assert torch.equal(TABLE(torch.tensor([1], dtype=dtype)), TABLE.weight[[1]])
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bool, torch.uint8, torch.int8, torch.int16):
        assert "Long, Int" in raised(lambda dtype=dtype: TABLE(torch.tensor([1]).to(dtype)))
    assert torch.tensor([1.7, -1.7]).long().tolist() == [1, -1]
    assert "position 2" in raised(lambda: TABLE([[0, 1]]))


def test_claims_about_padding_idx_are_true_of_torch():
    with torch.random.fork_rng():
        table = nn.Embedding(6, 3, padding_idx=2)
    table(torch.arange(6)).sum().backward()
    assert not table.weight[2].any()
    assert table.weight.grad.any(dim=1).tolist() == [True, True, False, True, True, True]
    for inside in (0, 5, -1, -6):
        nn.Embedding.from_pretrained(TABLE.weight, padding_idx=inside)
    for outside in (6, -7):
        assert raised(lambda i=outside: nn.Embedding.from_pretrained(TABLE.weight, padding_idx=i)).startswith("Assert")


def test_claims_about_products_and_sums_are_true_of_torch():
    hot = F.one_hot(torch.tensor([0, 5]))  # the batch contains ID V - 1, so there are enough columns
    assert torch.equal(hot.float() @ TABLE.weight, TABLE(torch.tensor([0, 5])))
    assert "dtype" in raised(lambda: hot @ TABLE.weight)
    assert (hot.T[:, :1] * TABLE.weight).dtype is (hot.T[:, :1] + TABLE.weight).dtype is torch.float32
    assert "cannot be multiplied" in raised(lambda: torch.ones(2, 1) @ TABLE.weight)
    assert raised(lambda: torch.ones(2, 3, 2) + torch.ones(3, 1, 2)).startswith("RuntimeError")
    assert (torch.ones(1, 3, 2) + torch.ones(3, 1, 2)).shape == (3, 3, 2)


def test_lookup_experiments_compute_what_their_sentences_claim():
    outcome = run_failure("own", V=7, D=5, T=3, seed=9)
    assert torch.equal(outcome.run.variables["token_table"].weight, token_table(7, 5, 9).weight)
    assert run_failure("id_far_above").fixed.variables["rows"].tolist() == [[0, 1]]
    outcome = run_failure("negative_id", V=6, back=7)
    assert "And -7 is before the first of 6 rows, so indexing would fail as well." in outcome.explanation
    assert "the remainder, -7 % 6 is 5, hides" in outcome.change
    assert "A typical cause" in run_failure("negative_id", V=6, back=6).explanation
    assert "truncates" in run_failure("float_ids", wrong_dtype="float16").change
    assert "truncates" not in run_failure("float_ids", wrong_dtype="bool").change
    outcome = run_failure("past_position_table", V=100, T=4, extra=3)
    assert outcome.run.variables["ids"].tolist() == [[0, 1, 2, 3, 4, 5, 6]]
    assert outcome.fixed.variables["ids"].tolist() == [[3, 4, 5, 6]]
    assert len(outcome.invalid_values) == 3
    assert run_failure("no_columns").result.shape == (1, 2, 0)
    outcome = run_failure("padding_idx_negative", V=9)
    assert (outcome.result.tolist(), outcome.fixed.result.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert "it means row 8" in outcome.explanation


def test_addition_experiments_compute_what_their_sentences_claim():
    assert run_failure("cannot_broadcast").message.endswith("dimension 1")
    assert run_failure("dim_mismatch").message.endswith("dimension 2")
    pairs, batch = run_failure("silent_pairs", T=5, D=2), run_failure("silent_batch", T=3, D=2)
    token, position = pairs.run.variables["token"], pairs.run.variables["position"].squeeze(1)
    for i in range(5):
        assert torch.equal(pairs.result[i], token + position[i])
        assert torch.equal(pairs.result[i, i], pairs.fixed.result[i])
    token, position = batch.run.variables["token"], batch.run.variables["position"].squeeze(1)
    assert torch.equal(batch.result, torch.stack([token[b] + position[b] for b in range(3)]))
    assert torch.equal(batch.fixed.result, token + position)
    for name in ("one_hot_without_num_classes", "one_hot_integers"):
        fixed = run_failure(name, V=9).fixed
        assert torch.equal(fixed.result, fixed.variables["W"][fixed.variables["ids"]])
        assert int(fixed.variables["ids"].max()) == (7 if name == "one_hot_without_num_classes" else 8)


def test_word_experiments_compute_what_their_sentences_claim():
    assert run_failure("unknown_word", word="zebra").message == repr("zebra")
    assert run_failure("unknown_word", word="zebra").fixed.result == [1, 0, 3]
    assert "nothing fails" in run_failure("unknown_word", word="cat").explanation
    for key in ("kings", "King", "xyz"):
        assert run_failure("unknown_vector", key=key).exception is KeyError
    assert run_failure("unknown_vector", key="zebra").fixed.result == {}
    assert np.array_equal(run_failure("unknown_vector", key="queens").fixed.result["queen"], [0, 1])
    outcome = run_failure("unknown_vector", key="king")
    assert (outcome.exception, outcome.invalid_values) == (None, [])
    assert "nothing fails" in outcome.explanation


def test_tokenizer_experiments_compute_what_their_sentences_claim():
    outcome, text = run_failure("special_token", text="Hi "), "Hi <|endoftext|>"
    assert raised(lambda: GPT2.encode(text)) == outcome.run.raised
    encoding = outcome.run.variables["byte_encoding"]()
    assert outcome.fixed.result == list(text.encode())
    assert encoding.encode(text, allowed_special={"<|endoftext|>"})[-1] == 256
    assert raised(lambda: GPT2.decode([50_257])).startswith("KeyError")
    assert GPT2.n_vocab - 1 == 50_256
    for token_id, exception, words in [(2**32 - 1, KeyError, "No token has"), (2**32, OverflowError, "the 32 bits")]:
        outcome = run_failure("undecodable_id", token_id=token_id)
        assert (outcome.exception, outcome.fixed.result) == (exception, "Hi")
        assert words in outcome.explanation
    for size, character in [(2, "é"), (3, "☕"), (3, "猫"), (4, "🙂")]:
        outcome = run_failure("half_character", character=character)
        assert (outcome.result, outcome.fixed.result) == ("\ufffd", character)
        assert f"is {size} bytes in UTF-8 and here {size} tokens" in outcome.explanation
        assert encoding.encode(outcome.result) != encoding.encode(character)[:1]


def test_remarks_hold_for_the_experiments_of_their_group():
    assert list(REMARKS) == list(FAILURES)
    groups = {group: [run_failure(name) for name in REMARKS if REMARKS[name] == group] for group in REMARKS.values()}
    assert all("token_table(" in outcome.code for outcome in groups[LOOKUPS])
    assert all("nn." not in outcome.code for group in (SUMS, PRODUCTS, WORDS) for outcome in groups[group])
    for group in (SUMS, TABLES, WORDS):
        assert {outcome.exception is None for outcome in groups[group]} == {True, False}
