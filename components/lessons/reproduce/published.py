"""The published results that the lessons cover, beside the values computed here."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import torch
from torch import Tensor

from components.base.presets import PRESETS, PUBLISHED
from components.caches.shared import shared
from components.embedding.positions import sinusoidal_positions
from components.embedding.tables import scaled, token_table
from components.embedding.walkthrough import init_tables, walk
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary
from components.text.windows import sliding_windows


@dataclass(frozen=True)
class PublishedResult:
    """A published result and the same result computed here, both as printed; `note` if they should differ."""

    topic: str
    what: str
    published: str
    computed: str
    note: str = ""

    @property
    def agrees(self) -> bool:
        return self.published == self.computed


Rows = Iterator[tuple[Any, ...]]  # what, as published, as computed here, and a note if they should differ


def printed(value: Any) -> str:
    """Return a value as it was published: numbers to 4 decimals, IDs and shapes as lists."""
    if isinstance(value, torch.Size):
        value = list(value)
    elif isinstance(value, Tensor):
        value = value.tolist()
    if isinstance(value, list) and isinstance(value[0], float):
        return " ".join(f"{number:.4f}" for number in value)
    return str(value)


def toy_table() -> Rows:
    facts = PUBLISHED["toy_table"]
    table = token_table(facts["vocab_size"], facts["dim"], facts["seed"])
    ids = facts["lookup_ids"]
    yield from ((f"W[{i}]", row, table.weight[i]) for i, row in enumerate(facts["weight"]))
    found = zip(facts["lookup_rows"], table(torch.tensor(ids)), strict=True)
    yield from ((f"table(ids)[{t}], ID {ids[t]}", *rows) for t, rows in enumerate(found))


def story_batch(text: str) -> Rows:
    """Yield the published windows; with the whole story as `text`, its length in tokens too."""
    facts, gpt2 = PUBLISHED["story_batch"], get_tokenizer("gpt2")
    opening = [token_id for row in facts["inputs"] for token_id in row] + facts["targets"][-1][-1:]
    inputs, targets = sliding_windows(gpt2.encode(gpt2.decode(opening)), facts["max_length"], facts["stride"])
    for name, computed in (("inputs", inputs), ("targets", targets)):
        yield from ((f"{name}[{n}]", row, computed[n]) for n, row in enumerate(facts[name]))
    if len(text) == facts["characters"]:
        yield "tokens in the whole story", facts["gpt2_tokens"], len(gpt2.encode(text))


def small_vocabulary() -> Rows:
    facts = PUBLISHED["small_vocabulary"]
    special, words = list(facts["vocabulary"])[:2], list(facts["vocabulary"])[2:]
    vocabulary = Vocabulary(words, special)
    ids = vocabulary.encode(facts["sentence"])
    table = token_table(vocabulary.n_vocab, facts["dim"], seed=123)
    rows = table(torch.tensor(ids))
    yield f"IDs of “{facts['sentence']}”", facts["ids"], ids
    yield "table.weight.shape", facts["table_shape"], table.weight.shape
    yield "vectors 0 and 3 (both “the”) are equal", True, torch.equal(rows[0], rows[3])


def text_vocabulary() -> Rows:
    facts = PUBLISHED["text_vocabulary"]
    passage = " ".join(f"word{n}" for n in range(facts["distinct_words"]))
    vocabulary = Vocabulary(passage.split())
    table = token_table(vocabulary.n_vocab, facts["dim"], seed=123)
    sentence = torch.tensor(vocabulary.encode(passage)[: facts["sentence_words"]])
    yield "special tokens", facts["special_tokens"], vocabulary.special_ids
    yield "ID of the first word", facts["first_word_id"], vocabulary.encode("word0")[0]
    yield "table.weight.shape, 50 words", facts["table_shape"], table.weight.shape
    yield "table(ids).shape, ten words", facts["output_shape"], table(sentence).shape


def input_shapes() -> Rows:
    for facts in PUBLISHED["input_shapes"]:
        dtype, dim = facts.get("ids_dtype", "int64"), facts["dim"]
        ids = torch.tensor(facts["ids"], dtype=getattr(torch, dtype))
        vectors = token_table(facts["vocab_size"], dim, seed=123)(ids)
        times = ""
        if "scaled_by" in facts:
            vectors, times = scaled(vectors, dim), f" × {facts['scaled_by']}"
        what = f"V {facts['vocab_size']:,}, D {dim}, {dtype} {printed(ids.shape)}{times}"
        yield what, facts["out_shape"], vectors.shape


def combined_batch() -> Rows:
    facts, settings = PUBLISHED["combined_batch"], PRESETS["Story batch"].settings
    steps = walk(torch.tensor(PUBLISHED["story_batch"]["inputs"]), settings, init_tables(settings))
    yield from ((f"{name}.shape", shape, steps[name].shape) for name, shape in facts["shapes"].items())
    yield "token[0, 0, :5]", facts["token_0_0_first5"], steps["token"][0, 0, :5]
    yield "position[0, :5]", facts["position_0_first5"], steps["position"][0, :5]
    yield "combined[0, 0, :5]", facts["combined_0_0_first5"], steps["combined"][0, 0, :5]


def out_of_range() -> Rows:
    facts, raised = PUBLISHED["out_of_range"], "nothing"
    try:
        token_table(facts["vocab_size"], 2, seed=123)(torch.tensor(facts["ids"]))
    except Exception as error:  # any error of torch is compared with the published one
        raised = f"{type(error).__name__}: {error}"
    yield "ID 10 into V = 10", f"{facts['error']}: {facts['message']}", raised


def sinusoidal_norms() -> Rows:
    norm = sinusoidal_positions(100, 512).norm(dim=-1).mean().item()
    yield "D 512, √(D/2)", [sqrt(512 / 2)], [norm]
    note = (
        "√(D/3), about the norm of D numbers sampled uniformly from −1 to 1. Each pair of sine and cosine adds "
        "exactly 1 to the sum of squares, and there are D/2 pairs"
    )
    yield "D 512, √(D/3)", [sqrt(512 / 3)], [norm], note


@shared(2)
def published_results(text: str = "") -> tuple[PublishedResult, ...]:
    """Return all results in the order of the lessons, cached: a table of 51.5 MB is initialized for them."""
    topics = {
        "Toy table": toy_table(),
        "Story batch": story_batch(text),
        "Small vocabulary": small_vocabulary(),
        "Text vocabulary": text_vocabulary(),
        "Input shapes": input_shapes(),
        "Combined batch": combined_batch(),
        "Error": out_of_range(),
        "Sinusoidal norms": sinusoidal_norms(),
    }
    return tuple(
        PublishedResult(topic, what, printed(published), printed(computed), *note)
        for topic, rows in topics.items()
        for what, published, computed, *note in rows
    )
