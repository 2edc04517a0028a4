"""What the explanations, changes and remarks of the error lab claim, checked against what their programs compute."""

import numpy as np
import pytest
import torch

from components.embedding.tables import token_table
from components.failures.catalogue import run_failure
from components.text.tokenizers import get_tokenizer

GPT2 = get_tokenizer("gpt2").encoding


def test_lookup_experiments_compute_what_they_claim():
    outcome = run_failure("own", V=7, D=5, T=3, seed=9)
    assert torch.equal(outcome.run.variables["token_table"].weight, token_table(7, 5, 9).weight)
    assert run_failure("id_far_above").fixed.variables["ids"].tolist() == [[0, 1]]
    outcome = run_failure("negative_id", V=6, back=7)
    assert (
        "And counted from the end, −7 is before the first row (V = 6), so indexing would fail as well."
        in outcome.explanation
    )
    assert "−7 % 6 is 5, a row that is not meant" in outcome.avoid
    assert outcome.fixed.variables["ids"].tolist() == [[0, 6]]
    assert outcome.fixed.variables["token_table"].padding_idx == 6
    assert "A typical cause" in run_failure("negative_id", V=6, back=6).explanation
    assert "truncates" in run_failure("float_ids", wrong_dtype="float16").change
    assert "truncates" not in run_failure("float_ids", wrong_dtype="bool").change
    outcome = run_failure("past_position_table", V=100, T=4, extra=3)
    assert outcome.run.variables["ids"].tolist() == [[0, 1, 2, 3, 4, 5, 6]]
    assert outcome.fixed.variables["ids"].tolist() == [[3, 4, 5, 6]]
    assert len(outcome.invalid_values) == 3
    assert run_failure("no_columns").run.result.shape == (1, 2, 0)
    outcome = run_failure("padding_idx_negative", V=9)
    assert (outcome.run.result.tolist(), outcome.fixed.result.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert "it means row 8" in outcome.explanation


def test_addition_experiments_compute_what_they_claim():
    assert run_failure("cannot_broadcast").run.message.endswith("dimension 1")
    assert run_failure("dim_mismatch").run.message.endswith("dimension 2")
    pairs, batch = run_failure("silent_pairs", T=5, D=2), run_failure("silent_batch", T=3, D=2)
    token, position = pairs.run.variables["token"], pairs.run.variables["position"].squeeze(1)
    for i in range(5):
        assert torch.equal(pairs.run.result[i], token + position[i])
        assert torch.equal(pairs.run.result[i, i], pairs.fixed.result[i])
    token, position = batch.run.variables["token"], batch.run.variables["position"].squeeze(1)
    assert torch.equal(batch.run.result, torch.stack([token[b] + position[b] for b in range(3)]))
    assert torch.equal(batch.fixed.result, token + position)
    for name in ("cannot_broadcast", "dim_mismatch"):
        fixed = run_failure(name).fixed
        assert torch.equal(fixed.result, fixed.variables["token"] + fixed.variables["position"][:4])
    for name in ("one_hot_without_num_classes", "one_hot_integers"):
        fixed = run_failure(name, V=9).fixed
        assert torch.equal(fixed.result, fixed.variables["W"][fixed.variables["ids"]])
        assert int(fixed.variables["ids"].max()) == (7 if name == "one_hot_without_num_classes" else 8)


def test_word_experiments_compute_what_they_claim():
    assert run_failure("unknown_word", word="zebra").run.message == repr("zebra")
    assert run_failure("unknown_word", word="zebra").fixed.result == [1, 0, 3]
    assert "nothing fails" in run_failure("unknown_word", word="cat").explanation
    for key in ("kings", "King", "xyz"):
        assert run_failure("unknown_vector", key=key).run.exception == "KeyError"
    assert run_failure("unknown_vector", key="zebra").fixed.result == {}
    assert np.array_equal(run_failure("unknown_vector", key="queens").fixed.result["queen"], [0, 1])
    outcome = run_failure("unknown_vector", key="king")
    assert (outcome.run.exception, outcome.invalid_values) == ("", [])
    assert "nothing fails" in outcome.explanation


def test_tokenizer_experiments_compute_what_they_claim():
    outcome, text = run_failure("special_token", text="Hi "), "Hi <|endoftext|>"
    with pytest.raises(ValueError, match="disallowed special token") as caught:
        GPT2.encode(text)
    assert outcome.run.raised == f"ValueError: {caught.value}"
    encoding = outcome.run.variables["encoding"]
    assert outcome.fixed.result == list(text.encode())
    assert encoding.encode(text, allowed_special={"<|endoftext|>"})[-1] == 256
    assert GPT2.n_vocab - 1 == 50_256
    refusals = [(2**32 - 1, "KeyError", "No token has"), (2**32, "OverflowError", "the 32 bits")]
    for token_id, exception, words in refusals:
        outcome = run_failure("undecodable_id", token_id=token_id)
        assert (outcome.run.exception, outcome.fixed.result) == (exception, "Hi")
        assert words in outcome.explanation
    for size, character in [(2, "é"), (3, "☕"), (3, "猫"), (4, "🙂")]:
        outcome = run_failure("half_character", character=character)
        assert (outcome.run.result, outcome.fixed.result) == ("\ufffd", character)
        assert f"is {size} bytes in UTF-8 and here {size} tokens" in outcome.explanation
        assert encoding.encode(outcome.run.result) != encoding.encode(character)[:1]


def test_training_experiments_compute_what_they_claim():
    frozen = run_failure("frozen_table", V=9, D=4)
    assert not frozen.run.result.any()
    head = frozen.fixed.variables["head"].detach() + 0.1 * frozen.fixed.variables["before"][[0, 8]].sum(dim=0)
    assert torch.allclose(frozen.fixed.result[[0, 8]], -0.1 * head.expand(2, 4), atol=1e-6)
    assert not frozen.fixed.result[1:8].any()
    for D in (1, 3, 64):
        outcome = run_failure("max_norm_writes", V=9, D=D)
        norms = outcome.run.variables["before"].norm(dim=1)
        changed = [row for row in (0, 8) if norms[row] > 1]
        assert [value.value for value in outcome.invalid_values] == changed
        assert f"has changed {len(changed)} of 9 rows" in outcome.explanation
        assert torch.allclose(outcome.run.variables["vectors"], outcome.fixed.variables["vectors"], atol=1e-5)
    share = run_failure("new_random_row", V=2_000, D=16)
    logits = share.run.variables["contexts"] @ share.run.variables["W"].T
    assert float(share.run.result) == pytest.approx(float((logits[:, -1] > logits[:, :-1].amax(dim=1)).float().mean()))
    assert float(share.run.result) > 0.4
    assert float(share.fixed.result) == 0
    added = run_failure("added_token")
    assert torch.allclose(added.fixed.variables["W"][3], added.run.variables["W"].mean(dim=0))
    rows = token_table(2_000, 64, 123).weight.detach()
    assert torch.cosine_similarity(rows, rows.mean(dim=0, keepdim=True)).max() < 0.5  # "not much like any single token"
