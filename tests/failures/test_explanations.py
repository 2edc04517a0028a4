"""What the error lab says, sentence by sentence, checked against the libraries themselves."""

import numpy as np
import pytest
import tiktoken
import torch
from gensim.models import KeyedVectors
from torch import nn
from torch.nn import functional as F

from components.embedding.tables import token_table
from components.failures.catalogue import run_failure
from components.text.tokenizers import get_tokenizer

TABLE = nn.Embedding.from_pretrained(torch.arange(18.0).reshape(6, 3))


def raised(code) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        code()
    return f"{caught.type.__name__}: {caught.value}"


def test_the_tables_are_those_of_every_lesson():
    variables = run_failure("own", V=7, D=5, T=3, seed=9).run.variables
    assert torch.equal(variables["token_table"].weight, token_table(7, 5, 9).weight)


def test_an_id_equal_to_v_is_told_without_id_table_and_limit():
    message = run_failure("id_equals_v", V=77).message
    assert not any(part in message for part in ("77", "76", "token", "table"))
    assert torch.equal(TABLE(torch.tensor(5)), TABLE.weight[5])


def test_an_id_far_above_is_neither_hashed_nor_wrapped_and_distinct_ids_can_be_numbered():
    assert raised(lambda: TABLE(torch.tensor([10**6]))) == raised(lambda: TABLE(torch.tensor([6])))
    repaired = run_failure("id_far_above").fixed.variables
    assert repaired["rows"].tolist() == [[0, 1]]
    assert get_tokenizer("gpt2").n_vocab - 1 == 50_256


def test_indexing_wraps_a_lookup_does_not_and_the_remainder_does():
    assert torch.equal(TABLE.weight[-1], TABLE.weight[5])
    assert raised(lambda: TABLE(torch.tensor(-1))) == raised(lambda: TABLE(torch.tensor(6)))
    assert torch.equal(TABLE(torch.tensor(-1) % 6), TABLE.weight[5])
    assert raised(lambda: TABLE.weight[-7]).startswith("IndexError")
    assert "-7 % 6 is 5" in run_failure("negative_id", back=7).fixed.code + run_failure("negative_id", back=7).change
    assert "indexing would fail as well" in run_failure("negative_id", back=7).explanation


def test_a_lookup_takes_int64_and_int32_and_nothing_else():
    for dtype in (torch.int64, torch.int32):
        assert torch.equal(TABLE(torch.tensor([1], dtype=dtype)), TABLE.weight[[1]])
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bool, torch.uint8, torch.int8, torch.int16):
        assert "Long, Int" in raised(lambda dtype=dtype: TABLE(torch.tensor([1]).to(dtype)))
    assert torch.tensor([2.0]).dtype is torch.float32
    assert (torch.tensor([1, 2]) > 1).dtype is torch.bool
    assert torch.tensor([1.7, -1.7]).long().tolist() == [1, -1]


def test_the_message_about_a_list_counts_the_table_first():
    assert "position 2" in run_failure("list_not_tensor").message
    assert torch.equal(F.embedding(torch.tensor([1]), TABLE.weight), torch.embedding(TABLE.weight, torch.tensor([1])))
    assert torch.tensor([[0, 1]]).dtype is torch.int64


def test_the_repair_of_too_long_a_sequence_keeps_its_last_tokens():
    outcome = run_failure("past_position_table", V=100, T=4, extra=3)
    assert outcome.run.variables["ids"].tolist() == [[0, 1, 2, 3, 4, 5, 6]]
    assert outcome.fixed.variables["ids"].tolist() == [[3, 4, 5, 6]]
    assert all(0 <= i < 100 for i in outcome.run.variables["ids"].flatten().tolist())


def test_shapes_are_compared_from_the_last_axis_and_the_message_counts_axes_of_the_result():
    assert run_failure("cannot_broadcast").message.endswith("dimension 1")
    assert run_failure("dim_mismatch").message.endswith("dimension 2")
    assert "256" in run_failure("dim_mismatch").message
    assert "255" in run_failure("dim_mismatch").message
    assert (torch.ones(2, 4, 3) + torch.ones(1, 3)).shape == (2, 4, 3)  # only equal, or 1, fits


def test_unsqueeze_1_adds_every_token_to_every_position_and_the_diagonal_was_meant():
    outcome = run_failure("silent_pairs", T=5, D=2)
    right = outcome.fixed.result
    assert outcome.result.shape == (5, 5, 2)
    token = outcome.run.variables["token"]
    position = outcome.run.variables["position"].squeeze(1)
    for i in range(5):
        for j in range(5):
            assert torch.equal(outcome.result[i, j], token[j] + position[i])
        assert torch.equal(outcome.result[i, i], right[i])


def test_unsqueeze_1_on_a_batch_gives_each_sequence_one_position_and_b_must_be_t_or_1():
    outcome = run_failure("silent_batch", T=3, D=2)
    token = outcome.run.variables["token"]
    position = outcome.run.variables["position"].squeeze(1)
    for b in range(3):
        assert torch.equal(outcome.result[b], token[b] + position[b])
    assert outcome.result.shape == outcome.fixed.result.shape
    assert not torch.equal(outcome.result, outcome.fixed.result)
    assert raised(lambda: torch.ones(2, 3, 2) + torch.ones(3, 1, 2)).startswith("RuntimeError")
    assert (torch.ones(1, 3, 2) + torch.ones(3, 1, 2)).shape == (3, 3, 2)


def test_empty_tables_are_built_and_fail_at_the_lookup_or_never():
    assert nn.Embedding(0, 3).weight.shape == (0, 3)
    assert nn.Embedding(6, 0).weight.shape == (6, 0)
    outcome = run_failure("no_rows")
    assert outcome.failed == "token_table(ids)"
    assert outcome.message != run_failure("id_equals_v").message
    assert run_failure("no_columns").result.shape == (1, 2, 0)
    assert 3 // 4 == 0


def test_padding_idx_is_a_row_without_gradient_that_a_new_table_fills_with_zeros():
    with torch.random.fork_rng():
        table = nn.Embedding(6, 3, padding_idx=2)
    assert not table.weight[2].any()
    table(torch.arange(6)).sum().backward()
    assert table.weight.grad.abs().sum(dim=1).gt(0).tolist() == [True, True, False, True, True, True]
    for inside in (0, 5, -1, -6):
        nn.Embedding.from_pretrained(TABLE.weight, padding_idx=inside)
    for outside in (6, -7):
        assert raised(lambda i=outside: nn.Embedding.from_pretrained(TABLE.weight, padding_idx=i)).startswith("Assert")


def test_padding_idx_minus_1_is_the_last_row_and_none_is_no_row():
    outcome = run_failure("padding_idx_negative")
    assert outcome.result.tolist() == [0, 0, 0]
    assert outcome.fixed.result.tolist() == [1, 1, 1]
    assert outcome.run.variables["token_table"].padding_idx == 5


def test_one_hot_makes_as_many_columns_as_the_largest_id_needs():
    assert F.one_hot(torch.tensor([0, 1, 4])).shape == (3, 5)
    assert (F.one_hot(torch.tensor([0, 5])).float() @ TABLE.weight).shape == (2, 3)
    outcome = run_failure("one_hot_without_num_classes")
    ids = outcome.fixed.variables["ids"]
    assert torch.equal(outcome.fixed.result, outcome.fixed.variables["W"][ids])


def test_a_product_of_matrices_converts_nothing_but_sums_and_products_of_numbers_do():
    hot = F.one_hot(torch.tensor([0, 5]), num_classes=6)
    assert hot.dtype is torch.int64
    assert raised(lambda: hot @ TABLE.weight).startswith("RuntimeError")
    assert (hot.T[:, :1] * TABLE.weight).dtype is torch.float32
    assert (hot.T[:, :1] + TABLE.weight).dtype is torch.float32


def test_a_vocabulary_says_the_word_and_nothing_else_and_byte_pairs_know_every_text():
    assert run_failure("unknown_word", word="zebra").message == repr("zebra")
    assert run_failure("unknown_word", word="cat").exception is None
    assert "nothing fails" in run_failure("unknown_word", word="cat").explanation
    assert run_failure("unknown_word", word="zebra").fixed.result == [1, 0, 3]
    gpt2 = get_tokenizer("gpt2")
    assert gpt2.decode(gpt2.encode("qzx Ω 猫")) == "qzx Ω 猫"


def test_word_vectors_know_spellings_only():
    vectors = KeyedVectors(2)
    vectors.add_vectors(["king", "queen"], np.eye(2))
    for word in ("kings", "King", "xyz"):
        with pytest.raises(KeyError):
            vectors[word]
    assert list(run_failure("unknown_vector", key="queens").fixed.result) == ["queen"]
    assert run_failure("unknown_vector", key="zebra").fixed.result == {}
    assert run_failure("unknown_vector", key="king").exception is None


def test_a_special_token_is_refused_by_gpt2_in_the_same_words_and_encoded_as_it_is_told():
    gpt2 = get_tokenizer("gpt2").encoding
    outcome = run_failure("special_token", text="Hi ")
    assert raised(lambda: gpt2.encode("Hi <|endoftext|>")) == outcome.run.raised
    encoding = outcome.run.variables["encoding"]
    text = "Hi <|endoftext|>"
    assert outcome.fixed.result == list(text.encode())
    assert encoding.encode(text, allowed_special={"<|endoftext|>"})[-1] == 256
    assert gpt2.encode(text, allowed_special={"<|endoftext|>"})[-1] == 50_256


def test_an_id_without_a_token_fails_and_beyond_32_bits_in_another_way():
    assert run_failure("undecodable_id", token_id=2**32 - 1).exception is KeyError
    outcome = run_failure("undecodable_id", token_id=2**32)
    assert outcome.exception is OverflowError
    assert "32 bits" in outcome.explanation
    assert outcome.fixed.result == "Hi"
    assert raised(lambda: get_tokenizer("gpt2").encoding.decode([50_257])).startswith("KeyError")


@pytest.mark.parametrize("character", ["é", "☕", "猫", "🙂"])
def test_part_of_a_character_becomes_the_replacement_character_and_its_bytes_are_lost(character):
    outcome = run_failure("half_character", character=character)
    encoding: tiktoken.Encoding = outcome.run.variables["encoding"]
    assert outcome.result == "\ufffd"
    assert encoding.encode(outcome.result) != encoding.encode(character)[:1]
    assert encoding.decode_bytes(encoding.encode(character)) == character.encode()
    assert outcome.fixed.result == character
    assert f"{len(character.encode())} bytes" in outcome.explanation
