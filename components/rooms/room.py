"""A room as it is read: where the class is, which phase its question is in, and how many have answered.

A question goes through the phases Ask, Close and Reveal, with a second round of Ask and Close if the teacher wants one.
Each step of the teacher raises `step` by one; a screen that shows another step is out of date.
"""

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    READY = "ready"  # the class looks at the lesson
    ASK = "ask"  # votes are accepted
    CLOSE = "close"  # votes are refused, and nothing of them is shown
    REVEAL = "reveal"  # the results are shown


@dataclass(frozen=True)
class Room:
    """A room as stored; `question` is the number of the question asked last, 0 before the first."""

    code: str
    lesson: str
    link: str  # the teacher's settings and text, as in the address of a page
    phase: Phase
    question: int
    round: int  # 1 or 2
    step: int
    joined: int
    answered: int  # in this round
    teacher_seen: float  # seconds since the epoch

    @property
    def hides(self) -> bool:
        """Whether the answer must not be on any screen."""
        return self.phase in (Phase.ASK, Phase.CLOSE)


@dataclass(frozen=True)
class Asked:
    """A question as asked: its lesson, its name there, the state that its numbers come from, how many options."""

    lesson: str
    name: str
    link: str
    options: int


class RoomError(Exception):
    """Raised if a room cannot be used as wished. The message is shown to teacher or learner."""


class NoRoom(RoomError):
    """Raised if there is no room with this code, or no longer."""


class Refused(RoomError):
    """Raised if a step or a vote comes too late, is not allowed, or exceeds a limit."""


class Unavailable(RoomError):
    """Raised if the store cannot be reached, is full or locked; the same call may succeed later."""
