"""Download published word vectors from the command line: python -m components.vectors.fetch_command [NAME]."""

import argparse
import sys
from collections.abc import Sequence

from components.base.cache_folder import CACHE_VARIABLE, cache_folder
from components.base.text_format import readable_bytes
from components.downloads.fetch_command import fetched
from components.vectors.sources import SOURCES


def main(arguments: Sequence[str] | None = None) -> int:
    """Download the vectors named on the command line, or list all sources; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m components.vectors.fetch_command",
        description=f"Download published word vectors to {cache_folder()} (another folder: set {CACHE_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", choices=SOURCES, help="the vectors to download; without it, all are listed")
    name = parser.parse_args(arguments).name
    if name is None:
        print(f"Vectors to download into {cache_folder()}:")
        for source in SOURCES.values():
            here = "  (downloaded)" if source.ready else ""
            size, memory = readable_bytes(source.bytes), readable_bytes(source.memory_bytes)
            print(f"  {source.name:<24} {size:>9} to download, {source.words:>9,} words x {source.dim}{here}")
            print(f"  {'':<24} {memory:>9} of memory while they are prepared, once")
            print(f"  {'':<24} {source.note}")
        return 0
    source = SOURCES[name]
    if not fetched(source):
        return 1
    print(f"{source.words:,} words, {source.dim} numbers each, are in {source.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
