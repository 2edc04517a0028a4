import re

import pytest
import torch
from torch.utils.data import DataLoader

from components.base.presets import SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)


def starts(tokens, T, stride):
    """Return the starts of the windows, found by trying: a window needs T inputs and one more token as target."""
    return [start for start in range(0, tokens, stride) if start + T + 1 <= tokens]


@pytest.mark.parametrize(
    ("T", "stride", "B", "drop_last"), [(1, 1, 3, 1), (4, 4, 2, 0), (4, 3, 3, 1), (6, 7, 2, 1), (4, 7, 2, 0)]
)
def test_windows_and_unused_tokens_are_those_found_by_trying(T, stride, B, drop_last):
    app, n = AppDriver().open("windows", T=T, B=B, drop_last=drop_last, stride=stride), len(IDS)
    begun = starts(n, T, stride)
    kept = begun[: len(begun) // B * B] if drop_last else begun
    in_any, in_kept = ({position for s in some for position in range(s, s + T + 1)} for some in (begun, kept))
    use = {name: [row["times"] for row in app.drawn("use")[0] if row["use"] == name] for name in ("input", "target")}
    assert use["input"] == [sum(s <= position < s + T for s in kept) for position in range(n)]
    assert use["target"] == [sum(s < position <= s + T for s in kept) for position in range(n)]
    end = max(in_any) + 1
    counts = n - end, end - len(in_any), len(in_any - in_kept)
    unused = "{} left over at the end, {} skipped (stride > T), {} in the dropped last batch".format(*counts)
    assert f"Unused (red): {unused}" in app.words
    assert re.search(rf"here at most {max(*use['input'], *use['target'])} times?\.", app.words)
    assert app.at.latex[0].value.endswith(f"= {len(begun)}\n$$")


@pytest.mark.parametrize(("seed", "shuffle"), [(1, False), (1, True), (123, True)])
def test_batches_are_those_of_the_dataloader(seed, shuffle):
    windows = [(torch.tensor(IDS[s : s + 3]), torch.tensor(IDS[s + 1 : s + 4])) for s in starts(len(IDS), 3, 2)]
    batches = list(DataLoader(windows, 2, shuffle, generator=torch.Generator().manual_seed(seed)))
    app = AppDriver().open("windows", T=3, stride=2, B=2, seed=seed).set(setting_shuffle=shuffle)
    for part in ("batch_size=2", f"shuffle={shuffle}", "drop_last=False", f"manual_seed({seed})"):
        assert part in app.code()[0]
    for number in (0, len(batches) - 1):
        app.set(batch=number)
        assert app.code()[1:3] == [str(side) for side in batches[number]]
    assert app.open("lookup").open_sections().code()[0].startswith(f"ids = torch.tensor({batches[-1][0].tolist()}")


@pytest.mark.parametrize(("T", "end"), [(16, ""), (18, " …")])
def test_long_text_is_quoted_and_shown_in_parts(T, end):
    text = " ".join(f"w{n}" for n in range(120))
    app = AppDriver().open("windows", text=text, tokenizer="words", T=T, stride=2).set(windows_start=100)
    given, wanted = (" ".join(f"w{n}" for n in range(start, start + 16)) + end for start in (0, 1))
    assert f"Window 0: inputs “{given}”, targets “{wanted}”" in app.words
    assert ("the first 16 of 18 tokens" in app.words) == bool(end)
    assert {row["position"] for row in app.drawn("use")[0]} == set(range(100, 120))


def test_drop_last_leaves_out_a_short_batch_but_not_the_only_one():
    app = AppDriver().open("windows", B=3, batch=1)
    assert "`[1, 4]` [B, T]" in app.words
    assert "`[3, 4]` [B, T]" in app.set(setting_drop_last=True).words
    (sentence,) = AppDriver().open("windows", B=64, drop_last=1).errors()
    assert "drop_last discards" in sentence
    assert "B = 64" in sentence
