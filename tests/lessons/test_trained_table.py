"""GPT-2's own rows on the pages that can show them: the numbers, the sentences, and what a page has without them."""

import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1.element_tree import Block

from components.base.link import to_query
from components.caches.trained import table_norms
from components.downloads.download import Download
from components.downloads.gpt2 import row_file
from components.embedding.gpt2 import Shares, helix, shares
from components.entry import LESSONS
from components.figures.raster import raster
from components.lessons.attention.gpt2_figure import heads_figure
from components.lessons.attention.page_gpt2 import known_heads
from components.lessons.positions.page import _learned
from components.text.tokenizers import get_tokenizer
from components.ui import trained_table
from tests.app_driver import AppDriver
from tests.embedding.test_gpt2 import reference
from tests.figures.drawn import all_of, chosen, floats, names, pixels, root_of, texts
from tests.figures.geometry import check_layout
from tests.gpt2_server import RangeHandler, filled_cache, random_tables, tables
from tests.questions.references.learner import sinusoidal

GPT2 = {"table": "gpt2", "position": "learned", "V": 100, "D": 8, "head": "text"}
IDS = get_tokenizer("gpt2").encode("She left the bank for the riverbank.")
TRAINED = [name for name, lesson in LESSONS.items() if lesson.trained]


@pytest.fixture(scope="module", params=["made up", "random"])
def whole(request, tmp_path_factory):
    """The whole of a made-up GPT-2: one with the structure of a trained one, one without."""
    numbers = {"made up": tables, "random": random_tables}[request.param]()
    with filled_cache(tmp_path_factory.mktemp("gpt2"), numbers):
        yield request.param == "made up", numbers


def test_lookup_fetches_the_rows_of_its_text_alone(gpt2):
    app = AppDriver().open("lookup", **GPT2).open_sections()
    assert not app.widgets("row_dim")
    assert len(RangeHandler.requests) == 2 + len({*IDS[:8]}) + 1
    assert "which rows are nearest" not in app.words
    assert not app.set(text="A text with other tokens").widgets("row_dim")
    requests = len(RangeHandler.requests)
    assert "ID 50,257 at position 0 is out of range" in AppDriver().open("lookup", **GPT2, ids="50257").errors()[0]
    assert len(RangeHandler.requests) == requests


@pytest.mark.parametrize(("page", "control"), [("home", "home_preset"), ("attention", "attention_head")])
def test_message_without_network_moves_no_control_below_it(no_downloads, cache, page, control):
    """A control that is moved by an insertion above it may lose the focus."""

    def path_to_control(block: Block) -> list[int]:
        for index, child in block.children.items():
            below = path_to_control(child) if isinstance(child, Block) else []
            if below or f"-{control}" in str(child.proto):
                return [index, *below]
        return []

    apps = [AppDriver().open(page, head="text", table=table) for table in ("random", "gpt2")]
    assert [len(app.warnings()) for app in apps] == [0, 1]
    one, other = (path_to_control(app.at.main) for app in apps)
    assert one == other != []


@pytest.mark.parametrize("page", TRAINED)
def test_page_without_network_shows_the_random_table_and_why(no_downloads, cache, page):
    app = AppDriver().open(page, **GPT2 | {"V": 50_257}, text="One two three four five six")
    (warning,) = app.warnings()
    assert "127.0.0.1 cannot be reached" in warning
    assert "python -m components.fetch gpt2" in warning
    assert "GPT-2's own rows" not in app.sections()
    settings, query = app.app_state.settings, to_query(app.app_state)
    assert (settings.table, settings.dim, app.app_state.text) == ("gpt2", 8, "One two three four five six")
    assert (query["table"], query["dim"]) == ("gpt2", "8")
    assert "50,257 × 768" not in app.words
    assert ("The rows shown are random." in app.words) == (page == "home")
    assert bool(app.widgets("row_dim")) == ("dim" in LESSONS[page].controls)
    app.open_sections()


@pytest.mark.parametrize("page", TRAINED)
def test_typed_ids_that_cannot_be_used_are_named(no_downloads, cache, page):
    app = AppDriver().open(page, **GPT2, ids="abc")
    assert "'a' is not allowed among IDs" in " ".join(app.errors())
    assert app.widgets("panel_settings")


def test_failed_fetch_is_tried_again_when_asked(gpt2):
    gpt2.mode = "missing"
    app = AppDriver().open("lookup", **GPT2)
    tried = len(RangeHandler.requests)
    app.set(row_seed=7)
    assert len(RangeHandler.requests) == tried
    gpt2.mode = ""
    app.press("Try again")
    assert not app.warnings()
    assert "V = 50,257" in app.words


def test_page_waits_once_for_a_server_that_sends_nothing(gpt2, monkeypatch):
    gpt2.mode, waited = "silent", []
    wait = Download.wait
    monkeypatch.setattr(trained_table, "SECONDS_TO_WAIT", 0.2)
    monkeypatch.setattr(Download, "wait", lambda job, seconds: waited.append(seconds) or wait(job, seconds))
    app = AppDriver().open("lookup", **GPT2).set(row_seed=7)
    assert "starting" in app.at.get("progress")[0].proto.text
    assert waited[0] > 0
    assert not any(waited[1:])
    app.press("Cancel for everyone")


def test_other_lessons_keep_the_learners_v_and_d(gpt2):
    app = AppDriver().open("windows", **GPT2)
    assert not app.warnings()
    assert RangeHandler.requests == []
    app.open("lookup").open_panel("settings")
    assert "V = 50,257" in app.words
    assert "768 and tokenizer. Your own values stay for the other lessons" in app.words
    app.set(all_context_length=1024, all_batch_size=8)
    batch = "A batch of B = 8 × T = 1,024 × D = 768 has 6,291,456 elements; the limit is 1,048,576"
    assert f"tokenizer. {batch}: they use B = 1 and T = 1,024. Your own" in app.words
    app.set(row_table="random")
    assert "V = 100" in app.words
    assert "Your own values stay" not in app.words


def test_preset_and_button_choose_the_trained_table(gpt2):
    app = AppDriver().open("home").set(home_preset="GPT-2's own rows")
    assert "are GPT-2's, trained" in app.words
    app = AppDriver().open("positions").open_sections().press("Use GPT-2's rows")
    assert "of GPT-2's first 128 rows" in app.words
    kinds = ["none", "learned (GPT-2's)", "sinusoidal (not GPT-2's)"]
    assert app.widget("row_position").options == app.open_panel("settings").widget("all_position").options == kinds


def test_sentences_of_lookup_follow_from_the_rows(whole):
    made_up, numbers = whole
    app = AppDriver().open("lookup", **GPT2, near_token=3).open_sections()
    assert "which rows are nearest" in app.words
    table = torch.from_numpy(numbers["wte.weight"])
    cosines = torch.cosine_similarity(table[3331], table, dim=1)
    of_bytes = AppDriver().open("lookup", **GPT2, text="猫", near_token=1).open_sections().words
    assert "\ufffd" not in of_bytes
    assert "With a space before it, “bytes 8C” is not one token." in of_bytes
    best = cosines.argsort(descending=True)[1:9].tolist()
    nearest, hardly = app.tables()[-2:]
    assert [row["ID"] for row in nearest] == [f"{i}" for i in best]
    assert float(nearest[0]["cosine similarity"]) == pytest.approx(cosines[best[0]].item(), abs=1e-4)
    assert "“␣can” (460) and “can” (5171)" in app.words
    assert ("training has made them similar." in app.words) == made_up
    assert "“␣bank” (3331) and “bank” (17796) are two rows" in app.words
    norms = table.norm(dim=1)
    assert table_norms() is table_norms()  # of 154 MB: computed once, not in every run
    assert f"from {norms.min():.4f} (" in app.words
    assert f"with a mean of {norms.mean():.4f}" in app.words
    marks = [row["norm"] for row in app.drawn("height")[0]]
    assert marks == pytest.approx(norms[[*dict.fromkeys(IDS[:8])]].tolist())
    first, last = (norms[start : start + 1_000].mean() for start in (256, 49_256))  # by the order of the merges
    assert f"mean norm of {first:.4f}, the 1,000 merged last (rare) {last:.4f}: the rows of frequent" in app.words
    mean = table[177:188].mean(0)
    by_unused = torch.cosine_similarity(mean, table, dim=1)
    by_unused[177:188] = -1
    assert [row["ID"] for row in hardly] == [f"{i}" for i in by_unused.argsort(descending=True)[:8].tolist()]
    assert ("“␣SolidGoldMagikarp” has rank 1." in app.words) == made_up
    assert ("“␣SolidGoldMagikarp” is not among the first 100." in app.words) == (not made_up)


def test_sentences_of_positions_follow_from_the_rows(whole):
    made_up, numbers = whole
    app = AppDriver().open("positions", **GPT2).open_sections()
    P = torch.from_numpy(numbers["wpe.weight"])
    for rows in (P[:128], P):
        means = [torch.cosine_similarity(rows[:-n], rows[n:]).mean() for n in (1, 50)]
        means = "neighbors have a mean cosine similarity of {:z.3f}, rows 50 apart {:z.3f}: ".format(*means)
        assert means.replace("-", "−") in app.words
    assert "The sinusoidal encoding has 0.973 and 0.512, by its formula." in app.words
    assert ("In them the positions form a helix" in app.words) == made_up
    assert ("This table has no helix." in app.words) == (not made_up)
    said = "that neighbors are alike was learned" if made_up else "in this table nearby positions are not more alike"
    assert re.findall(r"rows 50 apart [\d.−]+: ([^.;]*)", app.words) == [said, said]  # notice and section
    turned = AppDriver().open("positions", **GPT2, position_column=100).learner.outputs.figure
    assert "a row for each position, 0 to 127, column 64 on" in {each.text for each in texts(turned)}
    stripes = sinusoidal(range(128), P.shape[1])[:, 64:128]
    np.testing.assert_allclose(pixels(turned)["table0"], stripes.numpy(), atol=0.025)
    reading, figure, found = _learned(row_file())[0].reading, root_of(_learned(row_file())[0]), helix(P[1:])
    plane = "components {} and {}".format(*(component + 1 for component in found.plane))
    assert plane in reading
    assert plane in {"".join(each.itertext()) for each in all_of(figure, "text")}
    named = [512, 520, 1016]  # of every eighth position the middle one, the next, and the last
    rows = (P[named], sinusoidal(named, P.shape[1]))
    alike = [torch.cosine_similarity(each[0], each[n], dim=0).item() for n in (1, 2) for each in rows]
    shown = re.search(r"shown position (\S+) and (\S+), middle and last (\S+) and (\S+)\.$", reading).groups()
    assert [*map(float, shown)] == pytest.approx(alike, abs=0.006)
    centered = P[1:].double() - P[1:].double().mean(dim=0)
    points = centered @ torch.linalg.svd(centered, full_matrices=False).Vh[list(found.plane)].T
    drawn = [floats(each, "cx", "cy") for each in all_of(figure, "circle[@r='4']")]  # positions 256, 512 and 768
    x, y, width, height = floats(all_of(figure, "rect")[0], "x", "y", "width", "height")
    line = np.reshape(re.findall(r"[\d.]+", all_of(figure, "path")[0].get("d")), (-1, 2))
    for named, every in ((drawn, 256), (line.astype(float), 4)):
        offsets = np.abs(np.array(named) - [x + width / 2, y + height / 2]) / (width / 2)
        wanted = points.abs() / points.abs().max() / 1.15
        np.testing.assert_allclose(offsets, wanted[every - 1 :: every], atol=0.002)


def test_sentences_of_combine_follow_from_the_rows(whole):
    _, numbers = whole
    app = AppDriver().open("combine", **GPT2).open_sections()
    W, P = (torch.from_numpy(numbers[name]) for name in ("wte.weight", "wpe.weight"))
    sums, ranks = W[IDS[:4]] + P[:4], []
    for row, token_id in zip(sums, IDS, strict=False):
        cosines = torch.cosine_similarity(row, W, dim=1)
        ranks.append(int((cosines > cosines[token_id]).sum()) + 1)
    (shown,) = [table for table in app.tables() if "rank of the token" in table[0]]
    assert [row["rank of the token"] for row in shown] == [f"{rank:,}" for rank in ranks]
    token, position = W[IDS[:8]].norm(dim=1).mean(), P[:4].norm(dim=1).mean()
    larger = "larger" if token > 1.1 * position else "smaller" if position > 1.1 * token else ""
    norms = f"{larger} norms than" if larger else "about the same norms as"
    assert f"the token embeddings of this batch have {norms} their position embeddings" in app.words
    found = r"a cosine similarity of ([\d.-]+) to the token \(random rows: ([\d.-]+)\): (.*) of the token is left"
    ((cosine, with_random, kept),) = re.findall(found, app.words)
    batch = W[IDS[:8]]
    wanted = torch.cosine_similarity(batch + P[[0, 1, 2, 3] * 2], batch, dim=1).mean().item()
    assert float(cosine) == pytest.approx(wanted, abs=1e-4)
    more = float(cosine) - float(with_random)
    assert kept == ("as much" if abs(more) <= 0.02 else "more" if more > 0 else "less")


@pytest.mark.parametrize("page", TRAINED)
def test_page_of_a_long_text_and_context_is_rendered(gpt2, page):
    text = "The can of worms can be opened. " * 300
    app = AppDriver().open(page, **GPT2, text=text, context_length=1024, batch_size=64).open_sections()
    assert not app.warnings()
    check_layout(app.learner.outputs.figure)


def test_heads_of_gpt2_are_described_by_their_weights(whole):
    _, numbers = whole
    text = "The can of worms can be opened."
    app = AppDriver().open("attention", head="gpt2", gpt2_head=3, query=4, text=text).open_sections()
    ids = get_tokenizer("gpt2").encode(text)
    x = numbers["wte.weight"][ids] + numbers["wpe.weight"][: len(ids)]
    weights, _ = reference(x, [each for name, each in numbers.items() if name.startswith("h.0.")])
    copies = weights[:, 4, 1].tolist()  # " can" occurs at 1 and at 4
    best = int(np.argmax(copies))
    assert f"Head {best} " in app.words
    assert f"earlier copies of the same token: {copies[best]:.2f} on average." in app.words
    (table,) = [table for table in app.tables() if "head" in table[0]]
    shown = [float(row["on earlier copies of the same token"]) for row in table]
    assert shown == pytest.approx(copies, abs=1e-4)
    ranks = [sorted(copies, reverse=True).index(copies[head]) + 1 for head in (1, 10)]
    assert f"(ranks {ranks[0]} and {ranks[1]} of 12)" in app.words
    assert f"weights {weights[3, 4, 0]:.2f} The" in app.learner.outputs.figure.reading
    long = AppDriver().open("attention", head="gpt2", text="The can " * 400).learner.outputs.figure
    n = len(get_tokenizer("gpt2").encode("The can " * 400))
    assert f"Tokens 0 to 8 of {n:,}, read by GPT-2's head 1." in long.reading
    typed = AppDriver().open("attention", head="gpt2", ids="1 2 1; 4 5 6").learner.outputs.figure
    assert "The first sequence: 3 IDs, read by GPT-2's head 1." in typed.reading
    without = AppDriver().open("attention", head="gpt2", text="One two three")
    assert "No token occurs twice here" in without.words
    found = [shares(torch.from_numpy(each), torch.tensor(ids)) for each in weights]
    maps = heads_figure([raster(each, 1.0) for each in weights], found, 10)
    check_layout(maps)
    assert (maps.lit, chosen(maps)) == ("h10", [{"gpt2_head": head} for head in range(12)])
    assert {f"head {head}" for head in range(12)} <= {each.text for each in texts(maps)}
    for head, (each, drawn) in enumerate(zip(weights, pixels(maps).values(), strict=True)):
        np.testing.assert_allclose(drawn, each, atol=0.025)
        assert names(maps)[f"h{head}"] == (
            f"Head {head}: mean weight on earlier copies of the same token {copies[head]:.2f}, on the token before "
            f"{np.diag(each, -1).mean():.2f}, on the first token {each[1:, 0].mean():.2f}"
        )


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ((3, 1), "as here (ranks 3 and 1 of 12)"),
        ((6, 1), "here 10 alone is among the first three (ranks 6 and 1 of 12)"),
        ((2, 4), "here 1 alone is among the first three (ranks 2 and 4 of 12)"),
        ((5, 4), "here other heads do so more (ranks 5 and 4 of 12)"),
    ],
)
def test_heads_1_and_10_are_named_first_only_if_they_are(ranks, said):
    order = [head for head in range(12) if head not in (1, 10)]
    for rank, head in sorted(zip(ranks, (1, 10), strict=True)):
        order.insert(rank - 1, head)
    found = [Shares(1 - order.index(head) / 12, 0.0, 0.0) for head in range(12)]
    assert known_heads(found).endswith(f"read earlier copies: {said}.")
