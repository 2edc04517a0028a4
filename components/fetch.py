"""Download published files before class: python -m components.fetch [NAME]; without a name all are listed."""

import argparse
import sys
from collections.abc import Sequence

from components.base.cache_folder import CACHE_VARIABLE, cache_folder
from components.base.text_format import readable_bytes
from components.downloads.download import start
from components.downloads.gpt2_offers import FirstLayerOffer, WholeTable
from components.downloads.published_file import Offer
from components.vectors.load import load_vectors
from components.vectors.sources import SOURCES, Source

SECONDS_PER_LINE = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Download what is named on the command line, or list what there is; return the exit code."""
    offers = {"gpt2": [FirstLayerOffer(), WholeTable()], **{name: [source] for name, source in SOURCES.items()}}
    parser = argparse.ArgumentParser(
        prog="python -m components.fetch",
        description=f"Download to {cache_folder()} (another folder: set {CACHE_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", choices=offers, help="what to download; without it, all is listed")
    name = parser.parse_args(arguments).name
    if name is not None:
        return 0 if all(map(fetched, offers[name])) else 1
    print(f"To download into {cache_folder()}:")
    for each, parts in offers.items():
        for offer in parts:
            print(f"  {each:<24} {readable_bytes(offer.bytes):>9}  {offer.title}{'  (downloaded)' * offer.ready}")
        if source := SOURCES.get(each):
            memory = f"{readable_bytes(source.memory_bytes)} of memory while they are prepared, once"
            print(f"  {'':<24} {source.words:,} words x {source.dim}, {memory}\n  {'':<24} {source.note}")
    return 0


def fetched(offer: Offer) -> bool:
    """Download an offer, and print its progress; return whether it is there and, of word vectors, can be loaded."""
    download = start(offer)
    try:
        while not download.wait(SECONDS_PER_LINE):
            print(download.progress.message, flush=True)
    except KeyboardInterrupt:
        download.cancel()
        download.wait()
    if download.progress.state != "ready":
        print(download.progress.message, file=sys.stderr)
        return False
    try:
        if isinstance(offer, Source):
            load_vectors(offer.target)
    except ValueError as error:
        print(f"{error} {offer.target}", file=sys.stderr)
        return False
    print(f"{download.progress.message} {offer.target}")
    return True


if __name__ == "__main__":
    sys.exit(main())
