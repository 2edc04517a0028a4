"""Open every page without a network, and print as JSON what each showed.

Run by test_offline.py inside a network namespace of its own: python -m tests.e2e.visit_offline
"""

import json

from .page_actions import LESSONS, at_rest, drawn, path_of, visit
from .server_processes import running_browser, running_server


def main() -> None:
    seen: dict = {"pages": {}, "elsewhere": []}
    with running_server() as app, running_browser() as browser:
        server = app.address
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(15_000)
        page.on("request", lambda request: seen["elsewhere"].append(request.url) if foreign(request, server) else None)
        for lesson in LESSONS:
            visit(page, server, lesson)
            seen["pages"][lesson] = {
                "heading": page.get_by_role("heading", level=1).inner_text(),
                "exceptions": page.get_by_test_id("stException").count(),
                "alerts": page.get_by_test_id("stMain").get_by_role("alert").all_inner_texts(),
            }
        page.goto(f"{server}/{path_of('tokens')}?tokenizer=cl100k_base")
        drawn(page, "tokens")
        page.get_by_test_id("stMain").get_by_role("button", name="Download (1.7 MB)").wait_for()
        at_rest(page)
        seen["offer"] = page.get_by_test_id("stMain").inner_text()
        seen["exceptions"] = page.get_by_test_id("stException").count()
    print(json.dumps(seen))


def foreign(request, server: str) -> bool:
    return not request.url.startswith((server, server.replace("http", "ws"), "data:", "blob:"))


if __name__ == "__main__":
    main()
