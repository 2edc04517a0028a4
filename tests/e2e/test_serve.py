"""serve.py in a browser: every page under its security policy, by either command; and a full server."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from .multi_process import ANYWHERE, STREAMLIT, UVICORN, ask
from .page_actions import (
    LESSONS,
    at_rest,
    drawn,
    entry,
    in_address,
    main_of,
    no_traceback,
    open_expander,
    path_of,
    tab,
    type_number,
    upload_words,
    visit,
    watch_console,
)
from .server_processes import Server, running_server

VIOLATIONS = """window.violations = []; document.addEventListener("securitypolicyviolation",
    event => window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""


@pytest.fixture(scope="module", params=[STREAMLIT, UVICORN], ids=["streamlit", "uvicorn"])
def either(request, browser) -> Iterator[Server]:
    """serve.py, started by one command and then by the other."""
    with running_server(request.param, folder=ANYWHERE) as server:
        yield server


@pytest.fixture(scope="module")
def served(browser):
    with running_server(STREAMLIT, folder=ANYWHERE) as server:
        yield server.address


@pytest.fixture
def full_at_two(browser):
    with running_server(STREAMLIT, folder=ANYWHERE, env={"EMBEDDING_LAB_SESSIONS": "2"}) as server:
        yield server.address


@pytest.fixture(scope="module")
def dark_browser(browser):
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    context.add_init_script(VIOLATIONS)
    yield context
    context.close()


@pytest.fixture
def watched(dark_browser, served):
    """A page whose console errors and policy violations fail the test."""
    with tab(dark_browser) as page:
        errors = watch_console(page, served)
        yield page
        assert errors == []
        assert page.evaluate("window.violations") == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_page_does_not_violate_the_policy(watched, served, lesson):
    page = watched
    visit(page, served, lesson, "dim=8&text=a+cat+and+a+hat+and+a+cat")
    no_traceback(page)
    if lesson not in ("home", "glossary"):
        open_expander(page, "The code")
        programs = page.get_by_test_id("stExpander").filter(has_text="The code").get_by_test_id("stCode")
        expect(programs.first).to_be_visible()
    at_rest(page)


def test_dialogs_and_files_do_not_violate_the_policy(watched, served):
    page = watched
    visit(page, served, "lookup", "vocab_size=60&dim=8&present=1&tokenizer=words")
    page.get_by_test_id("stVegaLiteChart").first.hover()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as PNG").first.click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    page.get_by_role("button", name="Share", exact=True).first.click()
    picture = page.get_by_role("dialog").get_by_test_id("stImage").locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Download", exact=True).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Prepare SVG").click()
    for name in ("This lesson, notebook", "Download lookup-1.svg"):
        with page.expect_download() as download:
            dialog.get_by_role("button", name=name).click()
        assert download.value.path().stat().st_size > 100
    visit(page, served, "word2vec", "vectors=upload")
    upload_words(page)
    expect(main_of(page)).to_contain_text("1. queen")


def test_policy_blocks_scripts_of_others(new_learner, served):
    page = new_learner()
    page.add_init_script(VIOLATIONS)
    visit(page, served, "glossary")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    page.wait_for_function("window.violations.length > 0")
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("lesson", ["home", "one_hot", "glossary"])
def test_deep_link_opens_its_page_with_its_settings(new_learner, either, lesson):
    page = new_learner()
    visit(page, either.address, lesson, "vocab_size=60&dim=8&text=sesame+in+the+address")
    if lesson != "glossary":
        expect(entry(page, "V")).to_have_value("60")
        type_number(page, "Seed", 7)
        in_address(page, seed="7", text="sesame in the address")
    else:  # the settings file is read: its theme
        colour = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).color")
        assert colour == "rgb(14, 21, 30)"


def test_log_does_not_contain_the_text(either):
    assert ask(f"{either.address}/?text=sesame")[0] == 200
    assert "sesame" not in either.log()


@pytest.mark.parametrize("path", ["/", "/tokens", "/favicon.png", "/_stcore/health", "/_stcore/upload_file/a/b"])
def test_every_answer_has_the_security_headers(served, path):
    _, headers, _ = ask(served + path, "PUT" if "upload" in path else "GET")
    assert "'sha256-" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_full_server_keeps_its_sessions_and_refuses_new_ones(new_learner, full_at_two):
    anna, ben, clara = new_learner(), new_learner(), new_learner(color_scheme="dark")
    visit(anna, full_at_two, "home", "text=mine")
    assert ask(f"{full_at_two}/ready")[0] == 200
    visit(ben, full_at_two, "home")
    status, headers, words = ask(f"{full_at_two}/ready")
    assert (status, words) == (503, "full: 2 of 2 places taken\n")
    assert ask(f"{full_at_two}/_stcore/health")[0] == 200
    status, headers, _ = ask(full_at_two)
    assert status == 503
    assert 20 <= int(headers["retry-after"]) <= 40
    clara.goto(f"{full_at_two}/{path_of('tokens')}?text=hers")
    expect(clara.get_by_role("heading", name="Full for the moment")).to_be_visible()
    assert clara.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 30)"
    for _ in range(3):
        anna.reload()
        drawn(anna, "home")
        in_address(anna, text="mine")
    type_number(ben, "Seed", 9)
    in_address(ben, seed="9")
    assert ask(f"{full_at_two}/ready")[2] == "full: 2 of 2 places taken\n"


def test_freed_slot_is_given_to_a_waiting_learner(new_learner, full_at_two):
    stream = full_at_two.replace("http", "ws") + "/_stcore/stream"
    clara = new_learner()
    with connect(stream, subprotocols=["streamlit"]), connect(stream, subprotocols=["streamlit"]):
        clara.goto(f"{full_at_two}/glossary?seed=5")
        again = clara.get_by_role("link", name="Try again now")
        again.click()
        expect(clara.get_by_role("heading", name="Full for the moment")).to_be_visible()
    again.click()
    drawn(clara, "glossary")
    in_address(clara, seed="5")
