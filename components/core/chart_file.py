"""A chart as SVG, drawn without a browser by vl-convert, in a process of its own: it takes 180 MB for a second.

Run as a module it reads a specification as JSON and writes the picture.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any

SECONDS = 30
WIDTH = 720  # pixels
_one_at_a_time = Lock()


def chart_svg(specification: Mapping[str, Any], colors: Mapping[str, list[str]]) -> bytes:
    """Return a Vega-Lite specification with its data as an SVG picture; `colors` are the theme's ranges by name.

    Raises RuntimeError where it cannot be drawn.

    >>> spec = {"mark": "point", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}}
    >>> chart_svg(spec, {})[:4]
    b'<svg'
    """
    whole = {"width": WIDTH, **specification, "config": {"range": dict(colors), "background": "#FFFFFF"}}
    with _one_at_a_time:
        made = subprocess.run(
            [sys.executable, __file__], input=json.dumps(whole).encode(), capture_output=True, timeout=SECONDS
        )
    if made.returncode:
        raise RuntimeError("The picture could not be drawn; the chart's own menu gives a PNG.")
    return made.stdout


if __name__ == "__main__":
    import vl_convert

    sys.stdout.write(vl_convert.vegalite_to_svg(json.load(sys.stdin)))
