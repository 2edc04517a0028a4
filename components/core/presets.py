"""Starting points: settings with the IDs they belong to, the published batches among them."""

import json
from dataclasses import dataclass
from pathlib import Path

from components.core.settings import Settings

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "published.json").read_text("utf-8"))

SAMPLE_TEXT = "The river bank is steep. The bank in town lends money, and the river does not care."


@dataclass(frozen=True)
class Preset:
    """Settings, and IDs as typed (none: the learner's own text); `note` says in one sentence what to look for."""

    settings: Settings
    note: str
    ids: str = ""


def _rows(batch: list[list[int]]) -> str:
    return "; ".join(" ".join(map(str, row)) for row in batch)


_SHAPES = PUBLISHED["input_shapes"]

PRESETS: dict[str, Preset] = {
    "My text": Preset(
        Settings(),
        "GPT-2's tokens of your own text, in vectors short enough to read.",
    ),
    "Toy table": Preset(
        Settings(vocab_size=6, dim=3, seed=123, context_length=4, batch_size=1),
        "Six rows of three numbers: the whole table fits on the screen.",
        ids=_rows([PUBLISHED["toy_table"]["lookup_ids"]]),
    ),
    "Story batch": Preset(
        Settings(vocab_size=50_257, dim=256, seed=123, context_length=4, stride=4, batch_size=8),
        "Eight windows of a short story in GPT-2's IDs; the sums are published.",
        ids=_rows(PUBLISHED["story_batch"]["inputs"]),
    ),
    "Small vocabulary": Preset(
        Settings(vocab_size=12, dim=512, seed=123, context_length=5, stride=5, batch_size=1, tokenizer="words"),
        "The cat in the hat: the same word has the same row wherever it stands.",
        ids=_rows([PUBLISHED["small_vocabulary"]["ids"]]),
    ),
    "Notebook table": Preset(
        Settings(vocab_size=20, dim=5, seed=123, context_length=4, batch_size=2),
        "A batch [2, 4] into a table of 20 rows gives [2, 4, 5].",
        ids=_rows(_SHAPES[0]["ids"]),
    ),
    "Scaled": Preset(
        Settings(vocab_size=500, dim=20, seed=123, context_length=8, stride=8, batch_size=2, scale=True),
        "The token vectors times sqrt(20), as the first Transformer did it.",
        ids=_rows(_SHAPES[4]["ids"]),
    ),
    "GPT-2 small": Preset(
        Settings(vocab_size=50_257, dim=256, seed=123, context_length=8, stride=8, batch_size=2),
        "GPT-2's own V; its D of 768 would take 154.4 MB, so D is 256 here.",
    ),
}
