"""A chart as an SVG file, rendered by vl-convert in its own process, because it takes 180 MB for a second."""

import json
import subprocess
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any

CONVERTER = "import json, sys, vl_convert; sys.stdout.write(vl_convert.vegalite_to_svg(json.load(sys.stdin)))"
TIMEOUT_SECONDS = 30
WIDTH = 720  # pixels
_one_at_a_time = Lock()


def chart_svg(spec: Mapping[str, Any], colors: Mapping[str, list[str]]) -> bytes:
    """Return a Vega-Lite specification with its data as SVG; `colors` are the color ranges of the theme by name.

    Raises RuntimeError if the specification cannot be rendered. The message is shown to learners.
    """
    themed = {"width": WIDTH, **spec, "config": {"range": dict(colors), "background": "#FFFFFF"}}
    with _one_at_a_time:
        command, content = [sys.executable, "-c", CONVERTER], json.dumps(themed).encode()
        try:
            return subprocess.run(
                command, input=content, capture_output=True, timeout=TIMEOUT_SECONDS, check=True
            ).stdout
        except subprocess.SubprocessError:  # also if it takes too long
            raise RuntimeError("The picture could not be rendered; the chart's own menu offers a PNG.") from None
