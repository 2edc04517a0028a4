"""Without the internet: every page works, a missing tokenizer is offered, and no other server is asked."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from .page_actions import LESSONS, title_of
from .server_processes import ROOT


@pytest.fixture(scope="module")
def seen(browser, tmp_path_factory):
    """What every page shows without a network: server and browser run in an empty network namespace."""
    inside = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("unshare -n is not permitted here: the network cannot be taken away.")
    folder = tmp_path_factory.mktemp("nothing-downloaded-yet")
    visit = subprocess.run(
        [*inside, sys.executable, "-m", "tests.e2e.visit_offline"],
        cwd=ROOT,
        env=os.environ | {"TIKTOKEN_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert visit.returncode == 0, visit.stderr[-2_000:]
    return json.loads(visit.stdout)


@pytest.mark.parametrize("lesson", LESSONS)
def test_page_works_offline(seen, lesson):
    assert seen["pages"][lesson] == {"heading": title_of(lesson), "exceptions": 0, "alerts": []}


def test_missing_tokenizer_is_offered_offline(seen):
    assert seen["exceptions"] == 0
    assert "cl100k_base (tokenizer) is not on this server yet: 1.7 MB to download" in seen["offer"]
    assert "Until then choose gpt2, which needs no download." in seen["offer"]


def test_no_other_server_is_requested(seen):
    assert sorted(set(seen["elsewhere"])) == []
