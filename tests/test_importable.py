"""What programs of others import from `components`: modules, names, the order and the defaults of the parameters."""

import inspect
from importlib import import_module

import pytest

SIGNATURES = {
    "embedding.tables.token_table": "vocab_size, dim, seed",
    "embedding.positions.learned_positions": "length, dim, vocab_size, seed",
    "embedding.positions.sinusoidal_positions": "length, dim, layout='interleaved'",
    "embedding.rotary.rotate": "x, positions, layout='interleaved', base=10000.0",
    "embedding.attention_head.attention": "q, k, v, causal",
    "embedding.walkthrough.walk": "ids, settings, tables=None",
    "text.tokenizers.get_tokenizer": "name",
    "text.windows.sliding_windows": "ids, max_length, stride",
    "text.windows.window_dataloader": "ids, max_length, stride, batch_size, shuffle=False, drop_last=True, seed=None",
    "text.bpe.merge_steps": "piece",
    "text.bpe.count_merges": "text, n_merges",
    "vectors.load.load_vectors": "path",
    "vectors.analogies.analogy": "vectors, positive, negative=(), topn=10, include_inputs=False, method='add'",
    "failures.catalogue.run_failure": "name, **parameters",
    "training.training_text.training_text": "token_ids, context_length, stride",
    "training.model.Training": "text, config",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature_that_others_call_stays(name):
    module, _, function = name.rpartition(".")
    parameters = inspect.signature(getattr(import_module(f"components.{module}"), function)).parameters.values()
    found = ", ".join(str(each.replace(annotation=each.empty)) for each in parameters)
    assert found == SIGNATURES[name]
