"""Download published word vectors from the command line: python -m components.vectors.fetch_command [NAME]."""

import argparse
import sys
from collections.abc import Sequence

from components.base.text_format import readable_bytes
from components.vectors.downloads import Download, start
from components.vectors.folder import CACHE_VARIABLE, cached_vectors, vectors_cache_dir, vectors_path
from components.vectors.sources import SOURCES

STEPS = 20  # lines per phase: one every 5 %
POLL_SECONDS = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Download the vectors named on the command line, or list all sources; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m components.vectors.fetch_command",
        description=f"Download published word vectors to {vectors_cache_dir()} (another folder: set {CACHE_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the vectors to download; without it, all are listed")
    name = parser.parse_args(arguments).name
    if name is None:
        _print_sources()
        return 0
    try:
        download = start(name)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        _follow(download)
    except KeyboardInterrupt:
        print("Deleting partial files ...", file=sys.stderr, flush=True)
        download.cancel()
        download.wait()
    if download.phase != "ready":
        print(download.message, file=sys.stderr)
        return 1
    print(f"{download.message} They are in {vectors_path(name, download.folder)}")
    return 0


def _print_sources() -> None:
    print(f"Vectors to download into {vectors_cache_dir()}:")
    for source in SOURCES.values():
        here = "  (downloaded)" if cached_vectors(source.name) else ""
        size = readable_bytes(source.bytes)
        print(f"  {source.name:<24} {size:>9} to download, {source.words:>9,} words x {source.dim}{here}")
        print(f"  {'':<24} {source.note}")


def _follow(download: Download) -> None:
    printed_step = None
    finished = False
    while not finished:
        finished = download.wait(POLL_SECONDS)
        moment = download.moment
        step = (moment.phase, STEPS * moment.done // max(1, moment.total))
        if moment.running and step != printed_step:
            print(moment.message, flush=True)
            printed_step = step


if __name__ == "__main__":
    sys.exit(main())
