"""Who is in, who may come in, and whose place is kept for a moment."""

import time
from collections import Counter
from collections.abc import Callable

KEPT_SECONDS = 30.0  # a reload, or a network that was gone for a moment
SPARE = 10  # one more for every ten: for those who were given the page just before the last place was taken


class Places:
    """The places of one process, each taken by one open session.

    A place that falls free is kept for its browser for `kept_seconds`, so that a reload does not lose it. A browser
    that was given the page may still come in when others were faster, as long as one of the few spare places is left.

    >>> places = Places(1)
    >>> places.enter("anna"), places.may_open("ben"), places.may_open("anna")
    (True, False, True)
    >>> places.leave("anna"); places.may_open("ben"), places.enter("anna")
    (False, True)
    """

    def __init__(
        self, limit: int, kept_seconds: float = KEPT_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limit = limit
        self.spare = max(1, limit // SPARE)
        self.kept_seconds = kept_seconds
        self.clock = clock
        self.inside: Counter[str] = Counter()  # open sessions of each browser
        self.kept: list[tuple[float, str]] = []  # until when, and for which browser; the oldest first

    @property
    def taken(self) -> int:
        """The number of places in use or kept."""
        now = self.clock()
        while self.kept and self.kept[0][0] <= now:
            del self.kept[0]
        return self.inside.total() + len(self.kept)

    @property
    def full(self) -> bool:
        """Whether somebody new has to wait; without a limit nobody has to."""
        return bool(self.limit) and self.taken >= self.limit

    def may_open(self, browser: str) -> bool:
        """Return whether this browser is given the page: there is room, or it is in already and loads the page anew."""
        return not self.full or bool(browser and (self.inside[browser] or self._kept_for(browser) is not None))

    def enter(self, browser: str) -> bool:
        """Take a place for one session of this browser, and return whether there was one."""
        full = self.full
        place = self._kept_for(browser)
        if place is not None:
            del self.kept[place]
        elif full and not (browser and self.taken < self.limit + self.spare):
            return False
        self.inside[browser] += 1
        return True

    def leave(self, browser: str, keep: bool = True) -> None:
        """Give a place back; it is kept for a while for the browser that had it, unless told otherwise."""
        self.inside[browser] -= 1
        if not self.inside[browser]:
            del self.inside[browser]
        if keep and browser and self.limit:
            self.kept.append((self.clock() + self.kept_seconds, browser))

    def _kept_for(self, browser: str) -> int | None:
        return next((place for place, (_, whose) in enumerate(self.kept) if browser and whose == browser), None)
