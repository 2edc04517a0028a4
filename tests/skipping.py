"""Skip a test whose requirements are not installed; in CI, where all are, fail it."""

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
