"""The fixtures of the browser tests."""

from tests.e2e.conftest import browser, familiar_browser, page

__all__ = ["browser", "familiar_browser", "page"]
