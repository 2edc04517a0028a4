"""What is installed is what constraints.txt names, and what the project carries has its licence beside it."""

import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INSTALLERS = {"pip", "setuptools", "wheel"}


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def constrained_versions() -> dict[str, str]:
    """Return the version of each package in constraints.txt."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines())
    pairs = (line.split("==") for line in lines if line)
    return {normalized(name): version for name, version in pairs}


def installed_versions() -> dict[str, str]:
    """Return the version of each installed package, without the label of a build such as "+cpu"."""
    found = {normalized(each.metadata["Name"]): each.version.partition("+")[0] for each in distributions()}
    return {name: version for name, version in found.items() if name not in INSTALLERS}


@pytest.mark.skipif(sys.platform != "linux", reason="constraints.txt lists the packages of Linux.")
def test_installed_packages_are_those_of_the_constraints():
    assert "-c constraints.txt" in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    constrained, installed = constrained_versions(), installed_versions()
    if not os.environ.get("CI"):  # a developer's environment may have more
        installed = {name: version for name, version in installed.items() if name in constrained}
    assert installed == constrained


def test_installed_packages_have_what_they_require():
    check = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout


def test_notices_cover_the_merge_list():
    notices = (ROOT / "NOTICES").read_text("utf-8")
    for line in (
        "components/data/gpt2_merges.bpe.gz",
        "Modified MIT License",
        "Copyright (c) 2019 OpenAI",
        "Copyright (c) 2023 Alison Joveliano Ferrenha",
    ):
        assert line in notices
