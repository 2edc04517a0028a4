"""All figures in one run, for the README:

python -m tests.bench.run [part ...]
"""

import platform
import shutil
import subprocess
import sys
from datetime import date
from importlib.metadata import version

import psutil

from tests.e2e.server_processes import ROOT

PARTS = ("budgets", "journey", "pages", "classroom", "replicas", "alternatives", "training", "words")


def machine() -> str:
    """Return the day, the machine and what runs on it, in one sentence."""
    chromium = shutil.which("chromium")
    browser = subprocess.run([chromium, "--version"], capture_output=True, text=True).stdout if chromium else ""
    return (
        f"Measured on {date.today()} on a machine with {psutil.cpu_count()} cores and "
        f"{psutil.virtual_memory().total / 2**30:.0f} GiB, {platform.system()}, Python {platform.python_version()}, "
        f"Streamlit {version('streamlit')}, torch {version('torch')}, {browser.split(' built')[0].strip()}."
    )


def main() -> None:
    """Run the parts one after the other, each with the machine to itself."""
    wanted = sys.argv[1:] or PARTS
    if unknown := [part for part in wanted if part not in PARTS]:
        sys.exit(f"{', '.join(unknown)}: no such part; there are {', '.join(PARTS)}.")
    print(machine())
    failed = []
    for part in wanted:
        print(f"\n## {part}\n", flush=True)
        if subprocess.run([sys.executable, "-m", f"tests.bench.{part}"], cwd=ROOT).returncode:
            failed.append(part)
    if failed:
        sys.exit(f"Not measured: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
