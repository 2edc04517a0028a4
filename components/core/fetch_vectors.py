"""Published word vectors fetched from the command line: python -m components.core.fetch_vectors [NAME]."""

import argparse
import sys
from collections.abc import Sequence

from components.core.limits import readable_bytes
from components.core.vector_downloads import Download, start
from components.core.vector_folder import CACHE_VARIABLE, cache_folder, place_of, ready
from components.core.vector_sources import SOURCES

STEPS = 20  # lines for each phase: one every 5 %
SECONDS_TO_LOOK = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch the vectors named on the command line, or list all there are; return 0, or 1 where that failed."""
    parser = argparse.ArgumentParser(
        prog="python -m components.core.fetch_vectors",
        description=f"Fetch published word vectors into {cache_folder()} (another folder: set {CACHE_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="which vectors; without it, all are listed")
    name = parser.parse_args(arguments).name
    if name is None:
        _print_catalogue()
        return 0
    try:
        download = start(name)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        _follow(download)
    except KeyboardInterrupt:
        print("Tidying up ...", file=sys.stderr, flush=True)
        download.cancel()
        download.wait()
    if download.phase != "ready":
        print(download.sentence, file=sys.stderr)
        return 1
    print(f"{download.sentence} They are in {place_of(name, download.folder)}")
    return 0


def _print_catalogue() -> None:
    print(f"Vectors to fetch into {cache_folder()}:")
    for source in SOURCES.values():
        here = "  (is there)" if ready(source.name) else ""
        size = readable_bytes(source.bytes)
        print(f"  {source.name:<24} {size:>9} to download, {source.words:>9,} words x {source.dim}{here}")
        print(f"  {'':<24} {source.note}")


def _follow(download: Download) -> None:
    shown = None
    over = False
    while not over:
        over = download.wait(SECONDS_TO_LOOK)
        moment = download.moment
        step = (moment.phase, STEPS * moment.done // max(1, moment.total))
        if moment.running and step != shown:
            print(moment.sentence, flush=True)
            shown = step


if __name__ == "__main__":
    sys.exit(main())
