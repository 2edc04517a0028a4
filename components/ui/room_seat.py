"""What a session stores of the room that it is in: nothing is rendered or read for a session that is in none."""

from dataclasses import dataclass, field
from time import monotonic

from components.base.limits import MAX_WRONG_CODES
from components.questions.quiz import Question
from components.rooms.room import Phase, Room

SECONDS_TO_WAIT = 60.0  # after too many wrong codes, before each further one


@dataclass
class Seat:
    """A learner's or the teacher's part in a room; a host has the secret that makes them one."""

    code: str
    following: bool = True  # to where the class is; a host leads, and follows only while the class votes
    from_host: bool = False  # whether the address is a host's; copied to another browser it leads to the class
    room: Room | None = None  # as last read
    seen: tuple[str, str] = ("", "")  # the lesson and link of the class that this session has taken over
    led: tuple[str, str] = ("", "")  # the lesson and link that this host last gave to the class
    other_numbers: tuple[str, str] = ("", "")  # the link with other numbers, and this host's own one before
    shown: Room | None = None  # as the page was rendered
    voter: str = ""  # the random number of this browser in this room
    secret: str = ""  # of a host
    is_kept: bool = False  # whether the browser has stored what it needs to come back
    claim: str = ""  # a secret that the browser has, not compared yet
    invitation: str = ""  # a word that makes this machine a host, not used yet
    has_joined: bool = False
    pick: str = ""  # the name of the question that the host has chosen to ask
    problem: str = ""  # why the room does not work at present
    refusal: str = ""  # why the last vote or step did not count
    question: Question | None = None  # asked last
    asks_about_figure: bool = False  # whether the masked figure hides the answer to this question
    own_votes: dict[int, int] = field(default_factory=dict)  # the option chosen in each round
    counts: dict[int, list[int]] = field(default_factory=dict)  # the votes of each round, once they are to be shown
    loaded: tuple = ()  # what the four above were read for: `to_load` at that time

    @property
    def hosting(self) -> bool:
        return bool(self.secret)

    @property
    def bound(self) -> bool:
        """Whether the page is where the class is."""
        return self.room is not None and (self.room.hides if self.hosting else self.following)

    @property
    def in_class(self) -> bool:
        """Whether this is a page of the class, the teacher's or one that follows it, not of one who explores alone."""
        return self.hosting or self.bound

    @property
    def to_load(self) -> tuple:
        return (self.room.question, self.room.round, self.room.phase, self.voter) if self.room else ()

    def asks_on(self, page: str) -> bool:
        """Return whether the class has a question on the page that is open, and this session is in it."""
        if self.room is None or self.question is None or not self.in_class:
            return False
        return self.room.lesson == page and self.room.phase != Phase.READY

    def hides_on(self, page: str) -> bool:
        """Return whether the class votes on a question of the page that is open: nothing may give the answer."""
        return self.room is not None and self.room.hides and self.room.lesson == page

    def reveals_on(self, page: str) -> bool:
        """Return whether the class looks at the result of a question of the page that is open."""
        return self.asks_on(page) and self.room.phase == Phase.REVEAL

    def in_address(self, query: dict[str, str]) -> dict[str, str]:
        """Return the parameters of the address: the code alone leads to where the class is."""
        if self.hosting:
            return query | {"room": self.code, "lead": "1"}
        return ({} if self.following else query) | {"room": self.code}


@dataclass
class WrongCodes:
    """How many codes of this session led to no room: after too many of them it waits."""

    count: int = 0
    wait_until: float = 0.0

    def add(self) -> None:
        self.count += 1
        if self.count >= MAX_WRONG_CODES:
            self.wait_until = monotonic() + SECONDS_TO_WAIT

    @property
    def seconds_left(self) -> int:
        return max(0, round(self.wait_until - monotonic() + 0.5))
