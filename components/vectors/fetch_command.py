"""Download published word vectors from the command line: python -m components.vectors.fetch_command [NAME]."""

import argparse
import sys
from collections.abc import Sequence

from components.base.text_format import readable_bytes
from components.downloads.cache_folder import CACHE_VARIABLE, cache_folder
from components.downloads.download import start
from components.vectors.sources import SOURCES

SECONDS_PER_LINE = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Download the vectors named on the command line, or list all sources; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m components.vectors.fetch_command",
        description=f"Download published word vectors to {cache_folder()} (another folder: set {CACHE_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", choices=SOURCES, help="the vectors to download; without it, all are listed")
    name = parser.parse_args(arguments).name
    if name is None:
        _print_sources()
        return 0
    source = SOURCES[name]
    download = start(source)
    try:
        while not download.wait(SECONDS_PER_LINE):
            print(download.progress.message, flush=True)
    except KeyboardInterrupt:
        print("Deleting partial files ...", file=sys.stderr, flush=True)
        download.cancel()
        download.wait()
    if download.progress.state != "ready":
        print(download.progress.message, file=sys.stderr)
        return 1
    print(f"{download.progress.message} {source.words:,} words, {source.dim} numbers each, are in {source.target}")
    return 0


def _print_sources() -> None:
    print(f"Vectors to download into {cache_folder()}:")
    for source in SOURCES.values():
        here = "  (downloaded)" if source.ready else ""
        size, memory = readable_bytes(source.bytes), readable_bytes(source.memory_bytes)
        print(f"  {source.name:<24} {size:>9} to download, {source.words:>9,} words x {source.dim}{here}")
        print(f"  {'':<24} {memory:>9} of memory while they are prepared, once")
        print(f"  {'':<24} {source.note}")


if __name__ == "__main__":
    sys.exit(main())
