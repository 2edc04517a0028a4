"""Presets: named settings to start from, with the published results that some of them belong to."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from components.base.settings import Settings

DATA = Path(__file__).parents[1] / "data"
PUBLISHED = json.loads((DATA / "published.json").read_text("utf-8"))
SAMPLE_TEXT = "She left the bank for the riverbank."


@dataclass(frozen=True)
class Preset:
    """Settings, which may contain typed IDs, and a sentence on what to look for."""

    settings: Settings
    note: str


PRESETS = {
    name: Preset(note=preset.pop("note"), settings=Settings(**preset))
    for name, preset in tomllib.loads((DATA / "presets.toml").read_text("utf-8")).items()
}
