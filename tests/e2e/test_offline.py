"""Without the internet: every page works, a missing tokenizer is offered, and nothing tries to reach another machine.

The test runs this file as a program in a network namespace of its own: python -m tests.e2e.test_offline
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from .page_actions import LESSONS, LessonPage, title_of
from .server_processes import APP, ROOT, running_browser, running_server

# Python imports a module of this name at its start: it records each name looked up and each connection opened.
SITECUSTOMIZE = """
import os, sys

def record(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        with open(os.environ["RECORDED_CONNECTIONS"], "a") as file:
            print(event, args, file=file)

sys.addaudithook(record)
"""
OWN_MACHINE = ("127.0.0.1", "'localhost'", "'::'", "::1")


def main() -> None:
    """Open every page without a network, and print as JSON what each shows and what the browser requests elsewhere."""
    seen: dict = {"pages": {}}
    requests: list[str] = []
    command = [part for part in APP if part not in ("--server.address", "127.0.0.1")]  # as the README starts it
    with running_server(command) as app, running_browser() as browser:
        page = LessonPage(browser.new_page())
        own = (app.address, app.address.replace("http", "ws"), "data:", "blob:")
        page.on("request", lambda request: requests.append(request.url))
        page.visit(app.address)
        for lesson in LESSONS:
            page.follow(lesson)
            heading = page.get_by_role("heading", level=1).inner_text()
            alerts = page.main.get_by_role("alert").all_inner_texts()
            seen["pages"][lesson] = [heading, alerts]
        page.visit(app.address, "tokens", "tokenizer=cl100k_base")
        page.main.get_by_role("button", name="Download (1.7 MB)").wait_for()
        seen["offer"] = page.main.inner_text()
        seen["elsewhere"] = [url for url in requests if not url.startswith(own)]
        seen["printed"] = [line.split()[-1] for line in app.log().splitlines() if "URL: " in line]
        seen["address"] = app.address.replace("127.0.0.1", "localhost")
    print(json.dumps(seen))


def test_every_page_works_offline_and_nothing_is_requested_elsewhere(browser, tmp_path):
    inside = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("unshare -n is not permitted here: the network cannot be taken away.")
    (tmp_path / "sitecustomize.py").write_text(SITECUSTOMIZE)
    (tmp_path / "connections").touch()
    env = {"TIKTOKEN_CACHE_DIR": str(tmp_path), "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    env["RECORDED_CONNECTIONS"] = str(tmp_path / "connections")
    command = [*inside, sys.executable, "-m", "tests.e2e.test_offline"]
    visits = subprocess.run(command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, timeout=600)
    assert visits.returncode == 0, visits.stderr[-2_000:]
    seen = json.loads(visits.stdout)
    assert seen["pages"] == {lesson: [title_of(lesson), []] for lesson in LESSONS}
    assert "cl100k_base (tokenizer) is not on this server yet: 1.7 MB to download" in seen["offer"]
    assert "Until then choose gpt2, which needs no download." in seen["offer"]
    assert seen["elsewhere"] == []
    assert seen["printed"] == [seen["address"]]
    connections = (tmp_path / "connections").read_text().splitlines()
    assert connections, "nothing was recorded"
    assert [line for line in connections if not any(own in line for own in OWN_MACHINE)] == []


if __name__ == "__main__":
    main()
