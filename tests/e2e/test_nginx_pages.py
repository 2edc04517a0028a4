"""Every page in a browser behind nginx: nothing violates the security policy, and uploads and downloads pass."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .behind_nginx import Fleet, ask, running_fleet
from .page_actions import (
    LESSONS,
    at_rest,
    drawn,
    main_of,
    no_traceback,
    open_expander,
    tab,
    text_area,
    upload_words,
    visit,
    watch_console,
)

VIOLATIONS = """window.violations = []; document.addEventListener("securitypolicyviolation",
    event => window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""


@pytest.fixture(scope="module")
def fleet(browser, tmp_path_factory) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("nginx")) as running:
        yield running


@pytest.fixture(scope="module")
def dark_browser(browser) -> Iterator[BrowserContext]:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    context.add_init_script(VIOLATIONS)
    yield context
    context.close()


@pytest.fixture
def watched(dark_browser, fleet) -> Iterator[Page]:
    """A page whose console errors and policy violations fail the test."""
    with tab(dark_browser) as page:
        errors = watch_console(page, fleet.address)
        yield page
        assert errors == []
        assert page.evaluate("window.violations") == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_page_does_not_violate_the_policy(watched, fleet, lesson):
    page = watched
    visit(page, fleet.address, lesson, "dim=8&text=a+cat+and+a+hat+and+a+cat")
    no_traceback(page)
    if lesson not in ("home", "glossary"):
        open_expander(page, "The code")
        programs = page.get_by_test_id("stExpander").filter(has_text="The code").get_by_test_id("stCode")
        expect(programs.first).to_be_visible()
    at_rest(page)


def test_dialogs_and_files_do_not_violate_the_policy(watched, fleet):
    page = watched
    visit(page, fleet.address, "lookup", "vocab_size=60&dim=8&present=1&tokenizer=words")
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
    visit(page, fleet.address, "word2vec", "vectors=upload")
    upload_words(page)
    expect(main_of(page)).to_contain_text("1. queen")


def test_policy_blocks_scripts_of_others(new_learner, fleet):
    page = new_learner()
    page.add_init_script(VIOLATIONS)
    visit(page, fleet.address, "glossary")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    page.wait_for_function("window.violations.length > 0")
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("path", ["/", "/tokens", "/favicon.png", "/_stcore/health", "/_stcore/upload_file/a/b"])
def test_every_answer_has_each_security_header_once(fleet, path):
    _, headers, _ = ask(fleet.address + path, "PUT" if "upload" in path else "GET")
    assert headers["content-security-policy"].count("'sha256-") == 1
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"


def test_link_with_the_longest_text_passes(fleet, new_learner):
    page = new_learner()
    text = "x" * 2_999
    visit(page, fleet.address, "tokens", f"text={text}")
    expect(text_area(page)).to_have_value(text)
    page.reload()
    drawn(page, "tokens")
    status, _, _ = ask(f"{fleet.address}/tokens?packed_text={'A' * 9_000}", Referer=f"{fleet.address}/{'A' * 9_000}")
    assert status == 200
