"""The budgets of the project, measured, and by how much they are missed:

python -m bench [reruns] [pages] [classes] [hall] [memory] [rooms] [trained] [1:sessions or 2:sessions ...]

It takes half an hour and needs the machine to itself; the load average is printed before and after each part.
"""

import platform
import sys
from datetime import date
from importlib.metadata import version

import psutil

from bench import classes, hall, memory, pages, reruns, rooms, trained
from bench.servers import load_average

PARTS = {
    "reruns": reruns.measure,
    "pages": pages.measure,
    "classes": classes.measure,
    "hall": hall.measure,
    "memory": memory.measure,
    "rooms": rooms.measure,
    "trained": trained.measure,
}


def main() -> None:
    sizes = tuple(each for each in sys.argv[1:] if ":" in each)
    wanted = [each for each in sys.argv[1:] if ":" not in each]
    if unknown := [each for each in wanted if each not in PARTS]:
        sys.exit(f"{', '.join(unknown)}: no such part; there are {', '.join(PARTS)}.")
    print(
        f"{date.today()}, {psutil.cpu_count()} cores, {psutil.virtual_memory().total / 2**30:.0f} GiB, "
        f"Python {platform.python_version()}, Streamlit {version('streamlit')}, torch {version('torch')}."
    )
    for part in wanted or (["classes"] if sizes else PARTS):
        print(f"\n## {part}\n\n{load_average()}\n", flush=True)
        PARTS[part](sizes) if part == "classes" and sizes else PARTS[part]()
        print(f"\n{load_average()}", flush=True)


if __name__ == "__main__":
    main()
