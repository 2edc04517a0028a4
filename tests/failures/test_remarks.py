import pytest
import torch
from torch import nn
from torch.nn import functional as F

from components.failures.catalogue import FAILURES, run_failure
from components.failures.remarks import LOOKUPS, PRODUCTS, REMARKS, SUMS, TABLES, WORDS


def group(remark: str) -> list:
    return [run_failure(name) for name, said in REMARKS.items() if said == remark]


def test_every_experiment_has_its_remark():
    assert list(REMARKS) == list(FAILURES)


def test_only_experiments_with_a_lookup_hear_of_tables():
    assert all("token_table(" in outcome.code for outcome in group(LOOKUPS))
    assert all("nn." not in outcome.code for remark in (SUMS, PRODUCTS, WORDS) for outcome in group(remark))


@pytest.mark.parametrize("ids", [torch.tensor([6]), torch.tensor([-1]), torch.tensor([1.0]), [1]])
def test_both_tables_complain_in_the_same_words(ids):
    told = []
    for rows in (6, 4):
        with pytest.raises((IndexError, RuntimeError, TypeError)) as caught:
            nn.Embedding.from_pretrained(torch.ones(rows, 3))(ids)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert "table" not in told[0]


@pytest.mark.parametrize("remark", [SUMS, TABLES, WORDS])
def test_some_of_a_group_raise_and_some_do_not_where_the_remark_says_so(remark):
    assert {outcome.exception is None for outcome in group(remark)} == {True, False}


def test_wrong_tables_fail_while_built_at_the_first_lookup_or_never():
    failed = [outcome.failed.split("(")[0] for outcome in group(TABLES)]
    assert failed == ["token_table", "", "nn.Embedding.from_pretrained", ""]


def test_a_product_stretches_no_axis_and_converts_no_dtype_and_a_lookup_needs_none():
    table, ids = torch.rand(6, 3), torch.tensor([0, 5])
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        torch.ones(2, 1) @ table
    with pytest.raises(RuntimeError, match="dtype"):
        F.one_hot(ids, num_classes=6) @ table
    assert torch.equal(nn.Embedding.from_pretrained(table)(ids), F.one_hot(ids, num_classes=6).float() @ table)


def test_words_and_tokens_fail_each_in_its_own_way():
    raised = [outcome.exception and outcome.exception.__name__ for outcome in group(WORDS)]
    assert raised == ["KeyError", "KeyError", "ValueError", "KeyError", None]
