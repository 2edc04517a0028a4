"""Read a Vega-Lite specification as JSON from stdin and write it as SVG to stdout; svg_file.py runs this file."""

import json
import sys

import vl_convert

if __name__ == "__main__":
    sys.stdout.write(vl_convert.vegalite_to_svg(json.load(sys.stdin)))
