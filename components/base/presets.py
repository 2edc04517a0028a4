"""Presets: named settings to start from, with the published token IDs that they belong to."""

import json
from dataclasses import dataclass
from pathlib import Path

from components.base.settings import Settings

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "published.json").read_text("utf-8"))

SAMPLE_TEXT = "She left the bank for the riverbank."


@dataclass(frozen=True)
class Preset:
    """Settings, which may contain typed IDs, and a sentence on what to look for."""

    settings: Settings
    note: str


def _typed(batch: list[list[int]]) -> str:
    return "; ".join(" ".join(map(str, sequence)) for sequence in batch)


PRESETS: dict[str, Preset] = {
    "My text": Preset(Settings(), "GPT-2's tokens of your own text, in vectors short enough to read."),
    "Toy table": Preset(
        Settings(
            vocab_size=6, dim=3, position="learned", batch_size=1, ids=_typed([PUBLISHED["toy_table"]["lookup_ids"]])
        ),
        "Six rows of three elements: the whole table fits on the screen.",
    ),
    "Story batch": Preset(
        Settings(dim=256, position="learned", batch_size=8, ids=_typed(PUBLISHED["story_batch"]["inputs"])),
        "Eight windows of a short story in GPT-2's IDs; the sums are published.",
    ),
    "Small vocabulary": Preset(
        Settings(
            vocab_size=12,
            dim=512,
            position="learned",
            context_length=5,
            stride=5,
            batch_size=1,
            tokenizer="words",
            ids=_typed([PUBLISHED["small_vocabulary"]["ids"]]),
        ),
        "The cat in the hat: the same word has the same row at every position.",
    ),
    "Notebook table": Preset(
        Settings(vocab_size=20, dim=5, position="learned", ids=_typed(PUBLISHED["input_shapes"][0]["ids"])),
        "The lookup of a batch [2, 4] in a table of 20 rows returns [2, 4, 5].",
    ),
    "Scaled": Preset(
        Settings(
            vocab_size=500,
            dim=20,
            position="learned",
            context_length=8,
            stride=8,
            scale=True,
            ids=_typed(PUBLISHED["input_shapes"][4]["ids"]),
        ),
        "The token embeddings times sqrt(20), as in the first Transformer.",
    ),
    "GPT-2's vocabulary, D = 256": Preset(
        Settings(dim=256, position="learned"),
        "GPT-2's V; with the D = 768 of its smallest model the table would take 154.4 MB. Here both tables are sampled "
        "from N(0, 1); GPT-2 began with standard deviations of 0.02 (tokens) and 0.01 (positions).",
    ),
    "GPT-2's own rows": Preset(
        Settings(position="learned", table="gpt2"),
        "The trained embeddings of your text, D = 768: about 3 kB for each token are fetched, and 3 MB of positions.",
    ),
}
