"""Learners without a browser, who go from page to page."""

import asyncio

from tests.e2e.websocket_client import Visitor, visitor

PAUSE = 0.3  # seconds between two moves of one learner


async def open_page(who: Visitor, page: str, query: str) -> float:
    """Open a page and return the seconds until it was drawn. Raises RuntimeError where the page failed."""
    answer = await who.open(page, query)
    if answer.exceptions:
        raise RuntimeError(f"{page or 'home'}: {answer.exceptions[0]}")
    return answer.seconds


async def visit(address: str, page: str = "lookup") -> None:
    """Open a page of the server at `address` once, and leave."""
    async with visitor(address) as who:
        await open_page(who, page, "")


async def walk(who: Visitor, pages: list[str], query: str) -> None:
    """Open several pages one after the other."""
    for page in pages:
        await open_page(who, page, query)
        await asyncio.sleep(PAUSE)
