"""Fixtures: servers, and browsers to visit them."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.e2e.page_actions import tab
from tests.e2e.server_processes import Server, by_name, running_browser, running_server
from tests.skipping import skip_or_fail

SECONDS_TO_ACT = 60  # on a busy machine


@pytest.fixture(scope="session")
def browser():
    """Start Chromium for all tests; without it they are skipped, or fail in CI."""
    with ExitStack() as running:
        try:
            started = running.enter_context(running_browser())
        except RuntimeError as error:
            skip_or_fail(f"{error}: the pages are not opened in a browser.")
        yield started


@pytest.fixture(scope="session")
def app() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.fixture
def server(browser, app) -> str:
    """Return the address of the app for tests with a browser, always the same: files are cached by address."""
    return by_name(app.address)


@pytest.fixture(scope="session")
def familiar_browser(browser):
    """Return a browser that has the app's scripts in its cache; each page in it is a session of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SECONDS_TO_ACT * 1_000)
    yield context
    context.close()


@pytest.fixture
def page(familiar_browser):
    """Return the page of one learner, in the light theme, whose scripts must not fail."""
    errors: list[str] = []
    with tab(familiar_browser) as page:
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
    assert errors == []
