"""A teacher and learners in one room, and what their browsers get."""

from components.questions.quiz import Question
from tests.app_driver import LESSONS, AppDriver


class Member(AppDriver):
    """Somebody in a room."""

    def there(self) -> "Member":
        """Go where the class is: AppTest does not follow a switch of pages by itself."""
        self.run()
        seat = self.learner.seat
        if (seat.hosting or seat.following) and self.learner.page != seat.room.lesson:
            self.at.switch_page(LESSONS[seat.room.lesson].path)
            self.run()
        return self


class Teacher(Member):
    def __init__(self, page: str = "lookup", **query: object) -> None:
        super().__init__()
        self.open(page, **query).press("Class").press("Open a room")
        self.code = self.learner.seat.code
        self.run()

    def step(self, label: str) -> "Teacher":
        """Press a step of the strip, while the browser has the address before, and follow it to the lesson."""
        self.button(label).click()
        self.at.query_params = self.older
        return self.there()


class Learner(Member):
    def __init__(self, code: str, number: int = 1) -> None:
        super().__init__()
        self.at.query_params = {"room": code}
        self.at.run()
        self.learner.seat.voter = f"{number:032x}"  # what the browser would send
        self.there()

    def vote(self, number: int) -> "Learner":
        room = self.learner.seat.room
        self.widget(f"room_vote_{room.question}_{room.round}_{number}").click()
        return self.run()


def received(app: AppDriver) -> str:
    """Return everything that the browser gets."""
    parts = [each.proto.SerializeToString() for each in app.elements() if each.proto is not None]
    return b"".join(parts).decode("utf-8", "replace")


def secrets_of(question: Question) -> list[str]:
    """Return the texts that give away which option is right."""
    return [question.explanation, *(each for o in question.options for each in (o.misconception, o.feedback) if each)]
