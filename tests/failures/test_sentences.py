"""What the texts of the error lab claim in cases other than the approved ones, and what no text of a program shows."""

import re

import pytest
import torch

from components.embedding.tables import token_table
from components.failures.catalogue import run_failure
from components.text.tokenizers import get_tokenizer


@pytest.mark.parametrize(
    ("name", "values", "exception", "part", "said"),
    [
        ("negative_id", {"back": 6}, "IndexError", "explanation", "marks padding or an unknown word in the data."),
        ("negative_id", {"back": 7}, "IndexError", "explanation", r"\(V = 6\), so indexing would fail as well."),
        ("negative_id", {"back": 7}, "IndexError", "avoid", "−7 % 6 is 5, a row that is not meant"),
        (
            "float_ids",
            {"wrong_dtype": "bool"},
            "RuntimeError",
            "change",
            r"^long\(\) converts them to int64, but restores nothing",
        ),
        ("unknown_word", {"word": "cat"}, "", "explanation", "so nothing fails: enter a word that is not."),
        ("unknown_vector", {"key": "king"}, "", "explanation", "so nothing fails: enter a word that has none."),
        ("undecodable_id", {"token_id": 2**32 - 1}, "KeyError", "explanation", "for example padded to a round number."),
        ("new_random_row", {"V": 2048, "D": 1, "seed": 7}, "", "explanation", "the largest in none of 1,000 random"),
        ("undecodable_id", {"token_id": 2**32}, "OverflowError", "explanation", "for a smaller ID without a token."),
    ],
)
def test_text_of_a_special_case_names_what_its_run_does(name, values, exception, part, said):
    outcome = run_failure(name, **values)
    assert outcome.run.exception == exception
    assert re.search(said, getattr(outcome, part))
    assert bool(outcome.invalid_values) == bool(exception)


def test_id_of_more_than_32_bits_is_invalid_for_another_reason():
    smaller, larger = (run_failure("undecodable_id", token_id=id).invalid_values for id in (2**32 - 1, 2**32))
    assert (smaller[0].reason, larger[0].reason) == ("the tokens have the IDs 0 to 256", "more than 32 bits")


def test_own_looks_up_the_table_of_the_other_lessons():
    table = run_failure("own", V=7, D=5, seed=9).run.variables["token_table"]
    assert torch.equal(table.weight, token_table(7, 5, 9).weight)


def test_positions_with_a_misplaced_axis_are_added_as_explained():
    pairs, batch = run_failure("silent_pairs", T=5, D=2), run_failure("silent_batch", T=3, D=2)
    assert torch.equal(pairs.run.result.diagonal().T, pairs.fixed.result)
    token, position = batch.run.variables["token"], batch.run.variables["position_rows"]
    assert torch.equal(batch.run.result, torch.stack([token[b] + position[b] for b in range(3)]))


def test_special_token_raises_gpt2s_error_unless_it_is_allowed():
    run, text = run_failure("special_token", text="Hi ").run, "Hi <|endoftext|>"
    with pytest.raises(ValueError, match="disallowed special token") as caught:
        get_tokenizer("gpt2").encoding.encode(text)
    assert run.message == str(caught.value)
    assert run.variables["encoding"].encode(text, allowed_special={"<|endoftext|>"})[-1] == 256


@pytest.mark.parametrize(("size", "character"), [(2, "é"), (3, "☕"), (3, "猫"), (4, "🙂")])
def test_first_byte_of_a_character_is_counted_replaced_and_lost(size, character):
    outcome = run_failure("half_character", character=character)
    assert (outcome.run.result, outcome.fixed.result) == ("\ufffd", character)
    assert f"is {size} bytes in UTF-8 and here {size} tokens" in outcome.explanation
    encoding = outcome.run.variables["encoding"]
    assert encoding.encode(outcome.run.result) != encoding.encode(character)[:1]


def test_step_with_the_table_unfrozen_is_that_of_sgd():
    fixed = run_failure("frozen_table", V=9, D=4).fixed
    head = fixed.variables["head"].detach() + 0.1 * fixed.variables["before"][[0, 8]].sum(dim=0)
    assert torch.allclose(fixed.result[[0, 8]], -0.1 * head.expand(2, 4), atol=1e-6)


def test_max_norm_changes_the_rows_whose_norm_is_above_1():
    outcome = run_failure("max_norm_writes", V=9)
    norms = outcome.run.variables["before"].norm(dim=1)
    assert [value.value for value in outcome.invalid_values] == [row for row in (0, 8) if norms[row] > 1] == [8]
    assert [*map(str, outcome.invalid_values)] == ["ids[0, 1] = 8: the lookup changed its row in the table"]
    assert "has changed 1 of 9 rows" in outcome.explanation
    short = run_failure("max_norm_writes", V=2, D=1)
    assert short.run.variables["before"].abs().max() < 1
    assert "no row has changed: none that was looked up has a norm above 1" in short.explanation
    assert torch.allclose(outcome.run.variables["vectors"], outcome.fixed.variables["vectors"], atol=1e-5)


def test_last_row_gets_a_gradient_unless_padding_idx_is_negative():
    outcome = run_failure("padding_idx_negative", V=9)
    assert (outcome.run.result.tolist(), outcome.fixed.result.tolist()) == ([0, 0, 0], [1, 1, 1])


def test_new_random_row_wins_many_predictions_and_the_mean_none():
    outcome = run_failure("new_random_row", V=2_000, D=16)
    assert outcome.run.result > 0.4
    assert outcome.fixed.result == 0


def test_mean_of_a_large_table_is_not_much_like_any_single_row():
    rows = token_table(2_000, 64, 123).weight.detach()
    assert torch.cosine_similarity(rows, rows.mean(dim=0, keepdim=True)).max() < 0.5
