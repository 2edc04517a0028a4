"""The published results that the lessons cover, beside the values computed here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from threading import Condition

import torch
from cachetools import LRUCache, cached
from torch import Tensor

from components.base.presets import PRESETS, PUBLISHED
from components.base.settings import Settings
from components.embedding.norm_ratio import row_norms
from components.embedding.positions import sinusoidal_positions
from components.embedding.tables import scaled, token_table
from components.embedding.walkthrough import Tables, init_tables, walk
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
        """Whether all printed digits agree."""
        return self.published == self.computed


@dataclass(frozen=True)
class Topic:
    """The results of one topic, and the one that stands for it."""

    title: str
    results: tuple[PublishedResult, ...]
    shown: PublishedResult

    @property
    def agreeing(self) -> str:
        """How many of the results that should agree do."""
        expected = [result for result in self.results if not result.note]
        return f"{sum(result.agrees for result in expected)} of {len(expected)}"


SHOWN = {"Text vocabulary": 2, "Combined batch": 7}  # the index of the result that stands for its topic, else 0


def by_topic(results: Iterable[PublishedResult]) -> list[Topic]:
    """Return the results by topic, in their order."""
    groups = {title: tuple(found) for title, found in groupby(results, key=lambda result: result.topic)}
    return [Topic(title, found, found[SHOWN.get(title, 0)]) for title, found in groups.items()]


def digits(numbers: Iterable[float]) -> str:
    """Return numbers as they were published: to 4 decimals.

    >>> digits([0.30001, -1.5])
    '0.3000 -1.5000'
    """
    return " ".join(f"{number:.4f}" for number in numbers)


def _shape(tensor: Tensor) -> str:
    return str(list(tensor.shape))


def toy_table() -> list[PublishedResult]:
    """Return the results of the six-row table and of the four rows looked up in it."""
    facts = PUBLISHED["toy_table"]
    table = token_table(facts["vocab_size"], facts["dim"], facts["seed"])
    rows = [(f"W[{i}]", row, table.weight[i]) for i, row in enumerate(facts["weight"])]
    looked_up = table(torch.tensor(facts["lookup_ids"]))
    rows += [
        (f"table(ids)[{t}], ID {facts['lookup_ids'][t]}", row, looked_up[t])
        for t, row in enumerate(facts["lookup_rows"])
    ]
    return [PublishedResult("Toy table", what, digits(row), digits(computed.tolist())) for what, row, computed in rows]


def story_batch(text: str = "") -> list[PublishedResult]:
    """Return the results of the published windows; with the whole story as `text`, that of its length too."""
    facts, gpt2 = PUBLISHED["story_batch"], get_tokenizer("gpt2")
    opening = [token_id for row in facts["inputs"] for token_id in row] + facts["targets"][-1][-1:]
    inputs, targets = sliding_windows(gpt2.encode(gpt2.decode(opening)), facts["max_length"], facts["stride"])
    results = [
        PublishedResult("Story batch", f"{name}[{n}]", str(row), str(computed[n].tolist()))
        for name, computed in (("inputs", inputs), ("targets", targets))
        for n, row in enumerate(facts[name])
    ]
    if len(text) == facts["characters"]:
        tokens = len(gpt2.encode(text))
        results.append(
            PublishedResult("Story batch", "tokens in the whole story", str(facts["gpt2_tokens"]), str(tokens))
        )
    return results


def combined_batch(tables_for: Callable[[Settings], Tables] = init_tables) -> list[PublishedResult]:
    """Return the results of the shapes and first numbers of the published sum."""
    facts = PUBLISHED["combined_batch"]
    settings = PRESETS["Story batch"].settings
    steps = walk(torch.tensor(PUBLISHED["story_batch"]["inputs"]), settings, tables_for(settings))
    results = [
        PublishedResult("Combined batch", f"{name}.shape", str(shape), _shape(steps[name]))
        for name, shape in facts["shapes"].items()
    ]
    for name, key in (
        ("token", "token_0_0_first5"),
        ("position", "position_0_first5"),
        ("combined", "combined_0_0_first5"),
    ):
        row = steps[name].reshape(-1, facts["dim"])[0, :5]
        index = "[0, :5]" if name == "position" else "[0, 0, :5]"
        results.append(PublishedResult("Combined batch", name + index, digits(facts[key]), digits(row.tolist())))
    return results


def vocabularies() -> list[PublishedResult]:
    """Return the results of the two word vocabularies."""
    topic, facts = "Small vocabulary", PUBLISHED["small_vocabulary"]
    special, words = list(facts["vocabulary"])[:2], list(facts["vocabulary"])[2:]
    vocabulary = Vocabulary(words, special)
    ids = vocabulary.encode(facts["sentence"])
    table = token_table(vocabulary.n_vocab, facts["dim"], seed=123)
    rows = table(torch.tensor(ids))
    results = [
        PublishedResult(topic, f"IDs of “{facts['sentence']}”", str(facts["ids"]), str(ids)),
        PublishedResult(topic, "table.weight.shape", str(facts["table_shape"]), _shape(table.weight)),
        PublishedResult(topic, "rows 0 and 3 (both “the”) are equal", "True", str(torch.equal(rows[0], rows[3]))),
    ]
    topic, facts = "Text vocabulary", PUBLISHED["text_vocabulary"]
    passage = " ".join(f"word{n}" for n in range(facts["distinct_words"]))
    vocabulary = Vocabulary.from_text(passage)
    table = token_table(vocabulary.n_vocab, facts["dim"], seed=123)
    sentence = torch.tensor(vocabulary.encode(passage)[: facts["sentence_words"]])
    return [
        *results,
        PublishedResult(topic, "special tokens", str(facts["special_tokens"]), str(vocabulary.special_ids)),
        PublishedResult(topic, "ID of the first word", str(facts["first_word_id"]), str(vocabulary.encode("word0")[0])),
        PublishedResult(topic, "table.weight.shape, 50 words", str(facts["table_shape"]), _shape(table.weight)),
        PublishedResult(topic, "table(ids).shape, ten words", str(facts["output_shape"]), _shape(table(sentence))),
    ]


def input_shapes() -> list[PublishedResult]:
    """Return the results on the output shape: the input shape + [D]."""
    results = []
    for facts in PUBLISHED["input_shapes"]:
        dtype = getattr(torch, facts.get("ids_dtype", "int64"))
        ids = torch.tensor(facts["ids"], dtype=dtype)
        vectors = token_table(facts["vocab_size"], facts["dim"], seed=123)(ids)
        times = ""
        if "scaled_by" in facts:
            vectors, times = scaled(vectors, facts["dim"]), f" × {facts['scaled_by']}"
        what = f"V {facts['vocab_size']:,}, D {facts['dim']}, {str(dtype)[6:]} {_shape(ids)}{times}"
        results.append(PublishedResult("Input shapes", what, str(facts["out_shape"]), _shape(vectors)))
    return results


def errors_and_norms() -> list[PublishedResult]:
    """Return the results of the published error, raised here, and of the norms of position rows."""
    facts = PUBLISHED["out_of_range"]
    try:
        token_table(facts["vocab_size"], 2, seed=123)(torch.tensor(facts["ids"]))
        raised = "nothing"
    except Exception as error:  # any error of torch is compared with the published one
        raised = f"{type(error).__name__}: {error}"
    dim = 512
    row = row_norms(sinusoidal_positions(100, dim)).mean().item()
    return [
        PublishedResult("Error", "ID 10 into V = 10", f"{facts['error']}: {facts['message']}", raised),
        PublishedResult("Sinusoidal norms", "D 512, √(D/2)", digits([sqrt(dim / 2)]), digits([row])),
        PublishedResult(
            "Sinusoidal norms",
            "D 512, √(D/3)",
            digits([sqrt(dim / 3)]),
            digits([row]),
            note="published but incorrect: each pair of sine and cosine adds 1 to the square, and there are D/2 pairs",
        ),
    ]


@cached(LRUCache(2), condition=Condition())
def published_results(text: str = "") -> tuple[PublishedResult, ...]:
    """Return all results in the order of the lessons, cached: a table of 51.5 MB is initialized for them."""
    return (
        *toy_table(),
        *story_batch(text),
        *vocabularies(),
        *input_shapes(),
        *combined_batch(),
        *errors_and_norms(),
    )
