"""What is installed is what constraints.txt names."""

import os
import re
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
INSTALLERS = {"pip", "setuptools", "wheel"}


@pytest.mark.skipif(sys.platform != "linux", reason="constraints.txt lists the packages of Linux.")
def test_installed_packages_are_those_of_the_constraints():
    assert "-c constraints.txt" in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pairs = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    constrained = {canonicalize_name(name): version for name, version in pairs}
    # A build such as "+cpu" has the same version; a developer's environment may have more than that of CI.
    found = {canonicalize_name(each.metadata["Name"]): each.version.partition("+")[0] for each in distributions()}
    wanted = found.keys() - INSTALLERS if os.environ.get("CI") else constrained.keys()
    assert {name: version for name, version in found.items() if name in wanted} == constrained
