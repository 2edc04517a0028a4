"""Fetch GPT-2's tables and first layer before class: python -m components.downloads.fetch_command gpt2."""

import argparse
import sys
from collections.abc import Sequence

from components.base.cache_folder import CACHE_VARIABLE, cache_folder
from components.base.text_format import readable_bytes
from components.downloads.download import start
from components.downloads.gpt2 import ADDRESS_VARIABLE, address, cache_path
from components.downloads.gpt2_offers import FirstLayerOffer, WholeTable
from components.downloads.published_file import Offer

SECONDS_PER_LINE = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what is named on the command line, or list what there is; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m components.downloads.fetch_command",
        description=f"Fetch GPT-2's token and position embedding tables and its first layer into {cache_folder()} "
        f"(another folder: set {CACHE_VARIABLE}; another address: set {ADDRESS_VARIABLE}).",
    )
    parser.add_argument("name", nargs="?", choices=["gpt2"], help="what to fetch; without it, all is listed")
    name = parser.parse_args(arguments).name
    offers = FirstLayerOffer(), WholeTable()
    if name is None:
        print(f"From {address()}:")
        for offer in offers:
            print(f"  gpt2  {readable_bytes(offer.bytes):>9}  {offer.title}{'  (fetched)' * offer.ready}")
        return 0
    if all(map(fetched, offers)):
        print(f"All is in {cache_path()}")
        return 0
    return 1


def fetched(offer: Offer) -> bool:
    """Download an offer, and print its progress; return whether it is there."""
    download = start(offer)
    try:
        while not download.wait(SECONDS_PER_LINE):
            print(download.progress.message, flush=True)
    except KeyboardInterrupt:
        download.cancel()
        download.wait()
    ready = download.progress.state == "ready"
    print(download.progress.message, file=sys.stdout if ready else sys.stderr)
    return ready


if __name__ == "__main__":
    sys.exit(main())
