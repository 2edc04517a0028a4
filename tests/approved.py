"""Texts that are compared with an approved file, which has a line for each."""

from collections.abc import Iterable
from pathlib import Path


def compare(approved: Path, lines: Iterable[str], tmp_path: Path) -> None:
    found = tmp_path / approved.name
    found.write_text("\n".join([*lines, ""]), "utf-8")
    same = found.read_text("utf-8").splitlines() == approved.read_text("utf-8").splitlines()
    assert same, f"diff {approved} {found}; if all of it is meant, copy it"
