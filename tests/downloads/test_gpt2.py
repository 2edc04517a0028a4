"""GPT-2's rows from a server that redirects and answers ranges, correctly or not, into one file for all processes."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from filelock import FileLock

from components import fetch
from components.downloads import download as downloads
from components.downloads import gpt2_offers, ranges
from components.downloads.download import last_download, start
from components.downloads.gpt2 import POSITIONS, TOKENS, cache_path, row_file
from components.downloads.gpt2_offers import FirstLayerOffer, Rows, WholeTable
from tests.downloads.test_download import SOON, run
from tests.gpt2_server import MadeUpFile, RangeHandler, V, tables

IDS = [3347, 1364, 262, 3331, 329]
ROW = 3_072
ROOT = Path(__file__).parents[2]


def rows(*ids: int, positions: bool = False) -> Rows:
    return Rows(frozenset(ids or IDS), positions)


def fetched_rows() -> list[int]:
    file = row_file()
    return [] if file is None else sorted({*range(V)} - {*file.missing(TOKENS)})


def test_rows_of_a_text_are_fetched_alone_and_once(gpt2, cache, monkeypatch):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(cache / "new" / "inner"))  # as ~/.cache of a new machine
    assert not rows().ready
    assert run(rows()).progress.message == "GPT-2's rows: ready."
    table = row_file().numbers(TOKENS)
    assert np.array_equal(table[IDS], tables()[TOKENS][IDS])
    assert not table.flags.writeable
    assert (table.ctypes.data % 64, RangeHandler.file.begin % 2) == (0, 1)  # the published data is at an odd byte
    assert RangeHandler.requests[:2] == [(0, 8), (8, RangeHandler.file.begin - 8)]
    begin = row_file().begins[TOKENS]
    assert sorted(RangeHandler.requests[2:]) == [(begin + ROW * i, ROW) for i in sorted(IDS)]
    assert cache_path().stat().st_blocks * 512 < 400_000  # sparse
    assert run(rows(*IDS, 263)).progress.state == "ready"
    assert ranges._redirected[f"{gpt2.address}/model.safetensors"][0] == f"{gpt2.address}/cdn/model.safetensors"
    assert RangeHandler.requests[7:] == [(begin + ROW * 263, ROW)]
    assert fetched_rows() == sorted([*IDS, 263])


@pytest.mark.parametrize(("later", "state"), [(59.9, "failed"), (60.1, "ready")])
def test_address_that_a_redirect_has_led_to_is_used_for_a_minute(gpt2, monkeypatch, later, state):
    of_a_server_that_is_gone = ("http://127.0.0.1:1/", 100.0)
    monkeypatch.setitem(ranges._redirected, f"{gpt2.address}/model.safetensors", of_a_server_that_is_gone)
    monkeypatch.setattr(ranges, "monotonic", lambda: 100.0 + later)
    assert run(rows()).progress.state == state


def test_neighboring_rows_and_positions_take_one_range_each(gpt2):
    run(rows(0, 1, 2, positions=True))
    assert sorted(count for _, count in RangeHandler.requests[2:]) == [3 * ROW, 1_024 * ROW]
    assert np.array_equal(row_file().numbers(POSITIONS), tables()[POSITIONS])
    assert (row_file().has(POSITIONS), row_file().has(POSITIONS, TOKENS)) == (True, False)


BROKEN = {  # mode: what a learner reads
    "whole": "answered with the whole file instead of a part of it (200 instead of 206).",
    "page": "sent a web page instead of numbers.",
    "text": "what arrived for wte.weight is not finite float32 numbers of the size of weights.",
    "not_finite": "what arrived for wte.weight is not finite float32 numbers of the size of weights.",
    "other_part": "sent another part of the file: Content-Range is 'bytes ",
    "other_size": ": it is another one.",
    "short": "was closed before all 15.4 kB arrived.",  # 5 rows of 3,072 bytes
    "longer": "announced 6144 bytes instead of 3072.",
    "unannounced": "sent 6,144 bytes instead of 3,072.",
    "missing": "answered with error 404",
    "limited": "has limited the number of requests from this network for a while. Try again in five minutes.",
    "stalled": "sent nothing for 1.5 seconds.",
}


def test_file_of_the_published_address_has_the_published_size(gpt2, monkeypatch):
    monkeypatch.setattr(gpt2_offers, "ADDRESS", gpt2_offers.address())
    problem = f"the file has {RangeHandler.file.size:,} bytes, not the published 548,105,171."
    assert problem in run(rows()).progress.message


@pytest.mark.parametrize("mode", BROKEN)
def test_broken_answer_leaves_no_row_and_a_sentence(gpt2, monkeypatch, mode):
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (2.0, 1.5))
    gpt2.mode = "" if mode in ("not_finite", "other_size") else mode
    if gpt2.mode:  # already the header is broken
        assert run(rows()).progress.state == "failed"
        assert not cache_path().exists()
    monkeypatch.setattr(RangeHandler, "faulty_from", RangeHandler.file.begin)
    gpt2.mode = mode
    progress = run(rows()).progress
    assert (progress.state, fetched_rows()) == ("failed", [])
    assert progress.message.startswith("GPT-2's rows could not be downloaded: ")
    assert BROKEN[mode] in progress.message
    gpt2.mode = ""
    assert run(rows()).progress.state == "ready"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"wte.weight": {"dtype": "F16"}}, "the tensor wte.weight is not [50257, 768] numbers of float32 (F32)"),
        ({"wpe.weight": None}, "the file has no tensor wpe.weight."),
        ({"wte.weight": {"shape": [V, 767]}}, "the tensor wte.weight is not [50257, 768] numbers of float32"),
        ({"wte.weight": {"data_offsets": [2**40, 2**40 + 154_389_504]}}, "the tensor wte.weight ends beyond"),
        ({"wte.weight": {"data_offsets": "x"}}, "the header of the file cannot be read"),
        ({"h.0.attn.c_attn.bias": {"data_offsets": [0, ROW]}}, "h.0.attn.c_attn.bias is not [2304] numbers of float32"),
    ],
)
def test_header_that_is_not_of_gpt2_is_refused(gpt2, monkeypatch, changes, problem):
    monkeypatch.setattr(RangeHandler, "file", MadeUpFile(**changes))
    progress = run(rows()).progress
    assert (progress.state, problem in progress.message) == ("failed", True), progress.message
    assert row_file() is None


def test_fetch_that_waits_for_another_process_can_be_cancelled(gpt2):
    with FileLock(f"{cache_path()}.header.lock"):
        download = start(rows())
        time.sleep(0.2)  # until it waits
        assert download.cancel()
        assert download.wait(SOON)


def test_whole_table_that_is_cancelled_keeps_rows_and_goes_on(gpt2):
    gpt2.mode, RangeHandler.faulty_from = "stalled", RangeHandler.file.begin
    download = start(WholeTable())
    while download.running and not fetched_rows():
        time.sleep(0.05)
    assert run(rows(0)).progress.state == "ready"  # rows do not wait for the end of the table
    assert download.cancel()
    assert download.wait(SOON)
    kept_whole = (
        "The download of GPT-2's whole token embedding table was cancelled, and what had arrived whole is stored."
    )
    assert download.progress.message == kept_whole
    kept = fetched_rows()
    assert kept == [*range(len(kept))]
    assert np.array_equal(row_file().numbers(TOKENS)[kept], tables()[TOKENS][kept])
    gpt2.mode = ""
    assert run(WholeTable()).progress.state == "ready"
    assert RangeHandler.requests[-1][1] == ROW * (V - len(kept))


def test_too_small_a_disk_is_named_before_the_download(gpt2, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100_000_000))
    assert "needs 154.4 MB of disk" in run(WholeTable()).progress.message
    assert run(rows()).progress.state == "ready"


def test_two_processes_fetch_every_row_once(gpt2):
    program = (
        "import sys; from components.downloads.download import start\n"
        "from components.downloads.gpt2_offers import Rows\n"
        "job = start(Rows(frozenset(map(int, sys.argv[1:])))); job.wait(); print(job.progress.state)"
    )
    ids = [range(100, 140, 2), range(100, 160, 2)]
    commands = [[sys.executable, "-c", program, *map(str, each)] for each in ids]
    running = [subprocess.Popen(each, cwd=ROOT, stdout=subprocess.PIPE, text=True) for each in commands]
    assert [process.communicate(timeout=60)[0] for process in running] == ["ready\n"] * 2
    assert fetched_rows() == [*ids[1]]
    assert len(RangeHandler.requests) == 2 + len(ids[1])
    assert np.array_equal(row_file().numbers(TOKENS)[ids[1]], tables()[TOKENS][ids[1]])


def test_damaged_file_is_replaced(gpt2):
    run(rows())
    cache_path().unlink()  # a mapped file must not be made shorter
    cache_path().write_bytes(b"damaged")
    assert row_file() is None
    assert run(rows()).progress.state == "ready"
    assert fetched_rows() == sorted(IDS)


def test_command_lists_and_fetches_all_that_is_published(gpt2, capsys):
    assert fetch.main([]) == 0
    offered = ("  10.2 MB  GPT-2's first layer", " 154.4 MB  GPT-2's whole token embedding table")
    assert capsys.readouterr().out.splitlines()[1:3] == [f"  {'gpt2':<24} {each}" for each in offered]
    assert fetch.main(["gpt2"]) == 0
    assert capsys.readouterr().out.endswith(f"table: ready. {cache_path()}\n")
    for offer, n_bytes in ((FirstLayerOffer(), 10_238_976), (WholeTable(), 154_389_504)):
        progress = last_download(offer).progress
        assert (offer.ready, offer.bytes, progress.done, progress.total) == (True, n_bytes, n_bytes, n_bytes)
    assert all(np.array_equal(row_file().numbers(name), array) for name, array in tables().items())
    gpt2.mode = "missing"
    cache_path().unlink()
    assert fetch.main(["gpt2"]) == 1
    assert "error 404" in capsys.readouterr().err
