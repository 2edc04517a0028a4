"""A server and a browser for the tests that need a real one."""

from collections.abc import Iterator

import pytest

from tests.missing import missing

from .fuzz import warm
from .learner import tab
from .machines import Server, running_browser, running_server
from .visitor import finish


@pytest.fixture(scope="session")
def browser():
    """Chromium for all tests; without it they skip, or fail in CI."""
    running = running_browser()
    try:
        started = running.__enter__()
    except RuntimeError as error:
        missing(f"{error}: the pages are not opened in a browser.")
    yield started
    running.__exit__(None, None, None)


@pytest.fixture(scope="session")
def server(browser) -> Iterator[str]:
    """The address of one app for all tests."""
    with running_server() as app:
        yield app.address


@pytest.fixture
def fresh_server(browser) -> Iterator[str]:
    """The address of an app that nobody has visited yet."""
    with running_server() as app:
        yield app.address


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    """An app with everything loaded, for visitors without a browser; one for each file of tests."""
    with running_server() as running:
        finish(warm(running))
        yield running


@pytest.fixture
def new_learner(browser):
    """Open one more browser of a learner's own, without anything in common with the others."""
    contexts = []

    def open_browser(**options):
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}, **options))
        contexts[-1].set_default_timeout(15_000)
        return contexts[-1].new_page()

    yield open_browser
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def familiar_browser(browser):
    """A browser that has the app's scripts in its cache; each page in it is a session of its own all the same."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(familiar_browser):
    """The page of one learner, in daylight."""
    with tab(familiar_browser) as page:
        page.emulate_media(color_scheme="light")
        yield page
