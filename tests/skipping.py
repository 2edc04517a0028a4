"""Skip a test whose requirements are not installed; in CI, where all are, fail it."""

import os
from pathlib import Path
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def shared_file(name: str) -> Path:
    """Return a file of the folder `shared` beside the project; without it the test skips, or fails in CI."""
    path = Path(__file__).parents[2] / "shared" / name
    if not path.exists():
        skip_or_fail(f"{path} is missing: it is not part of this project")
    return path
