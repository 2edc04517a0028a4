"""What a test needs and does not find."""

import os
from typing import NoReturn

import pytest


def missing(reason: str) -> NoReturn:
    """Skip the test, saying why; in CI, where everything is to be there, let it fail."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
