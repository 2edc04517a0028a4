"""Programs run in fresh interpreters: many in one, each with variables of its own, or one truly alone."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

RUNNER = """
import contextlib, io, json, sys
import numpy, torch
printed = []
for code in json.load(open(sys.argv[1], encoding="utf-8")):
    torch.set_printoptions(profile="default", sci_mode=None, linewidth=80)
    numpy.set_printoptions(linewidth=75, suppress=False)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(code, "<snippet>", "exec"), {"__name__": "__main__"})
        except Exception as error:
            print(f"ENDED BY {type(error).__name__}: {error}")
    printed.append(out.getvalue())
json.dump(printed, open(sys.argv[2], "w", encoding="utf-8"))
"""
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|nan|inf)(?!\w)")


def alone(arguments: list[str], folder: Path) -> str:
    """Run Python in a folder without this project; return what it printed, and fail if it ends with an error."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {
        "PYTHONIOENCODING": "utf-8",
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    run = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def run_many(programs: list[str], at_once: int = 2) -> dict[str, str]:
    """Return what each program prints; they share `at_once` interpreters."""
    programs = list(dict.fromkeys(programs))
    parts = [programs[n::at_once] for n in range(at_once)]

    def run(part: list[str]) -> list[str]:
        with TemporaryDirectory() as folder:
            given, printed = Path(folder, "given.json"), Path(folder, "printed.json")
            given.write_text(json.dumps(part), "utf-8")
            alone(["-c", RUNNER, str(given), str(printed)], Path(folder))
            return json.loads(printed.read_text("utf-8"))

    with ThreadPoolExecutor(at_once) as pool:
        printed = [*pool.map(run, parts)]
    return {code: out for part, outs in zip(parts, printed, strict=True) for code, out in zip(part, outs, strict=True)}


def numbers(printed: str) -> list[float]:
    """Return every number in what a program printed, in order; thousands are written without commas."""
    return [float(number) for number in NUMBER.findall(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", printed))]
