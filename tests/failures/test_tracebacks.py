"""Pasted tracebacks, raised here by models like a learner's, find their experiments; any other text is harmless."""

import time
import traceback

import numpy as np
import pytest
import torch
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from components.failures.catalogue import FAILURES, GROUPS, run_failure
from components.failures.tracebacks import failing_call, find_experiments
from components.text.tokenizers import get_tokenizer

position_tables = [nn.Embedding(5, 4)]


class Model(nn.Module):
    """A model with the names of nanoGPT."""

    def __init__(self) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(10, 4), nn.Embedding(5, 4)

    def forward(self, ids):
        return self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))


def raised(program) -> str:
    try:
        program()
    except Exception:
        return traceback.format_exc()
    raise AssertionError("nothing was raised")


TRACEBACKS = {
    "token": (lambda: Model()(torch.tensor([[3, 10]])), "id_equals_v", {}),
    "position": (lambda: Model()(torch.zeros(1, 6, dtype=torch.int64)), "past_position_table", {}),
    "longer": (lambda: torch.zeros(2, 7, 4) + torch.zeros(9, 4), "cannot_broadcast", {"T": 7, "extra": 2}),
    "shorter": (lambda: torch.zeros(2, 7, 300) + torch.zeros(7, 299), "dim_mismatch", {"width": 300}),
    "own order": (lambda: torch.zeros(2, 6, 8) + torch.zeros(4, 8), "cannot_broadcast", {}),
    "product": (lambda: torch.zeros(3, 5) @ torch.zeros(40, 8), "one_hot_without_num_classes", {"V": 40, "D": 8}),
    "huge": (lambda: torch.zeros(3, 5) @ torch.zeros(1, 1).expand(400_000, 8), "one_hot_without_num_classes", {}),
    "double": (lambda: nn.Embedding(4, 2)(torch.zeros(2).double()), "float_ids", {"wrong_dtype": "float64"}),
    "bfloat16": (lambda: nn.Embedding(4, 2)(torch.zeros(2).bfloat16()), "float_ids", {}),
    "word": (lambda: {"a": 1}["zebra"], "unknown_word", {"word": "zebra"}),
    "apostrophe": (lambda: {"a": 1}["don't"], "unknown_word", {"word": "don't"}),
    "integers": (lambda: nn.Linear(2, 2)(torch.zeros(1, 2).long()), "one_hot_integers", {}),
    "vector": (lambda: vectors()["cats"], "unknown_vector", {"key": "cats"}),
    "word of the experiment": (lambda: {"a": 1}["the"], "unknown_word", {}),
    "rows": (lambda: torch.zeros(5, 8) + torch.zeros(5, 7), "dim_mismatch", {"width": 8}),
    "argument": (lambda: Model().wte(positions(torch.tensor([3, 10]))), "id_equals_v", {}),
    "list of positions": (lambda: position_tables[0](torch.tensor(5)), "past_position_table", {}),
    "decode": (lambda: get_tokenizer("gpt2").encoding.decode([50_300]), "undecodable_id", {"token_id": 50_300}),
    "ragged": (lambda: torch.tensor([[1, 2], [3]]), "own", {"ids": "1 2; 3"}),
}


def positions(ids: torch.Tensor) -> torch.Tensor:
    return ids


def vectors() -> KeyedVectors:
    found = KeyedVectors(vector_size=2)
    found.add_vectors(["cat"], np.eye(1, 2))
    return found


@pytest.mark.parametrize(("program", "name", "values"), TRACEBACKS.values(), ids=TRACEBACKS)
def test_traceback_finds_its_experiment_first_with_its_numbers(program, name, values):
    text = raised(program)
    first, *_ = find_experiments(text)
    assert (first.experiment, dict(first.values)) == (name, values)
    assert run_failure(name, **values).run.exception in text


@pytest.mark.parametrize("name", [name for name in FAILURES if run_failure(name).run.exception])
def test_message_of_every_experiment_finds_it(name):
    text = f"Traceback (most recent call last):\n{run_failure(name).run.raised}"
    found = [each.experiment for each in find_experiments(text)]
    assert name in found or name == "own"
    (group,) = [group for group in GROUPS.values() if FAILURES[name] in group]
    assert FAILURES[found[0]] in group or name == "own"


@pytest.mark.parametrize("condition", ["srcIndex < srcSelectDimSize", 'ind >= 0 && "vectorized gather kernel index"'])
def test_message_of_a_gpu_finds_the_lookups(condition):
    text = f"Assertion `{condition}` failed.\nRuntimeError: CUDA error: device-side assert triggered"
    assert find_experiments(text)[0].experiment == "id_equals_v"


def test_message_of_a_table_without_columns_finds_the_lookups():
    text = raised(lambda: nn.Embedding(6, 0)(torch.tensor([2, 6])))
    assert find_experiments(text)[0].experiment == "id_equals_v"


def test_last_message_of_a_chain_comes_first():
    message = run_failure("dim_mismatch").run.raised
    text = f"KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n{message}"
    assert [each.experiment for each in find_experiments(text)] == ["dim_mismatch", "unknown_word"]


@pytest.mark.parametrize(
    ("call", "first"), [("self.wpe(position_ids)", "past_position_table"), ("self.wte(input_ids)", "id_equals_v")]
)
def test_call_in_a_library_distinguishes_the_tables(call, first):
    text = TRACE_310.replace("x = self.wte(ids) + self.wpe(pos)", call)
    text = text.replace("/home/me/model.py", "/usr/lib/python3/dist-packages/transformers/modeling_gpt2.py")
    assert find_experiments(text)[0].experiment == first


def test_failing_call_is_the_marked_part_outside_of_torch():
    assert failing_call(TRACE_310) == "x = self.wte(ids) + self.wpe(pos)"
    assert "wpe(" in failing_call(raised(TRACEBACKS["position"][0]))
    assert "wte" not in failing_call(raised(TRACEBACKS["position"][0]))
    assert failing_call("") == failing_call('  File "x"') == ""
    assert failing_call('  File "cut.py", line 1\n    wte(i)') == "wte(i)"


TRACE_310 = """Traceback (most recent call last):
  File "/home/me/model.py", line 9, in forward
    x = self.wte(ids) + self.wpe(pos)
  File "/usr/lib/python3/dist-packages/torch/nn/modules/sparse.py", line 190, in forward
    return F.embedding(
IndexError: index out of range in self"""


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n" * 99,
        "SyntaxError: invalid syntax",
        "KeyError: ''",
        "IndexError: list index out of range",
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
        "mat1 and mat2 shapes cannot be multiplied (" + "9" * 5_000 + "x1 and 1x1)",
        "<script>alert(1)</script> __import__('os').system('ls') {0.__class__} %s",
        "size of tensor a (" * 1_000,
        "\u202e\x00\ud800",
        "Assertion `t >= 0 && t < n_classes` failed.\nRuntimeError: CUDA error: device-side assert triggered",
        "Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed.\ndevice-side assert",
        "mat1 and mat2 must have the same dtype, but got Half and Float",
        "linear(): argument 'input' (position 1) must be Tensor, not NoneType",
    ],
)
def test_other_text_finds_nothing(text):
    assert find_experiments(text) == []


@pytest.mark.parametrize(
    "part",
    ['File "', "KeyError: '", "Key '", "size of tensor a (4) must match ", "scalar types: ", "^", "(pos", "pos", "\n"],
)
@pytest.mark.parametrize(("frame", "size"), [("", 2**20), ('File "x.py", line 1\n', 90_000)])
def test_any_amount_of_text_is_searched_quickly(part, frame, size):
    text = frame + part * (size // len(part))
    started = time.process_time()
    find_experiments(text)
    found = find_experiments(text + "\nIndexError: index out of range in self")
    assert found[0].experiment in ("id_equals_v", "past_position_table")
    assert time.process_time() - started < 2


@given(st.text() | st.text("()0123456789x^ '\nFile\"KeyError: mat1 and", max_size=200))
def test_any_text_gives_experiments_that_can_be_run(text):
    for name, values in find_experiments(text):
        FAILURES[name].with_defaults(values)
