"""Random walks: whatever is done in whatever order, nothing fails, and nothing gives an answer away.

A walk has a number, which makes it the same each time; WALKS=200 takes two hundred of each kind.
"""

import os
import re
from random import Random

import pytest

from components.base.link import to_query
from components.rooms.room import Phase
from components.ui.room_questions import questions_of
from tests.app_driver import LESSONS, PAGES, AppDriver
from tests.states import WITH_QUESTIONS
from tests.ui.class_members import Learner, Member, Teacher, received, secrets_of
from tests.varied_states import varied_state

WALKS = range(int(os.environ.get("WALKS", "4")))
STEPS = 14
NOT_PRESSED = re.compile(r"[Dd]ownload|Train|Run all|Time both|Open a room|Close")  # they take long, or lead to nothing


def some_values(random: Random, *without: str) -> dict[str, str]:
    """Return a few values of an address that are not the defaults."""
    query = to_query(varied_state(random.randrange(10**6)))
    names = random.sample(sorted(query.keys() - {"train_steps", "learning_rate", *without}), 3)
    return {name: query[name] for name in names}


def open_link(app: AppDriver, random: Random) -> None:
    app.open(random.choice(PAGES), **some_values(random), present=random.choice("01"))


def press_any(app: AppDriver, random: Random) -> None:
    if buttons := [each for each in app.at.button if not each.disabled and not NOT_PRESSED.search(each.label)]:
        random.choice(buttons).click()
        app.at.query_params = app.older
        app.run().at.switch_page(LESSONS[app.learner.page].path)  # AppTest does not follow by itself
        app.run()


def answer_any(app: AppDriver, random: Random) -> None:
    if app.answers():
        options = random.choice(app.answers())
        options.set_value(random.choice(options.options))
        app.run()


def open_all(app: AppDriver, random: Random) -> None:
    app.open_sections(masked=True)


def check_alone(app: AppDriver) -> None:
    """Check that each question is asked once, and that what is masked is not sent."""
    words, page = app.words, app.learner.page
    found = [each for each in questions_of(LESSONS, page, app.app_state) if each.prompt in words]
    assert all(words.count(each.prompt) == 1 for each in found), page
    answered = {each.question for each in app.learner.score.answers}  # the browser stores these with their feedback
    if found and found[0].prompt not in answered and app.learner.outputs.figure and app.is_masked:
        assert found[0].explanation not in received(app), page


@pytest.mark.parametrize("number", WALKS)
def test_random_walk_of_one_learner_shows_no_error_and_no_answer(number):
    random, app = Random(number), AppDriver().open(PAGES[number % len(PAGES)])
    for _ in range(STEPS):
        random.choice((open_link, press_any, press_any, answer_any, open_all))(app, random)
        check_alone(app)


def step_on(teacher: Teacher, learners: list[Learner], random: Random) -> None:
    steps = [each for each in teacher.at.button if str(each.key).startswith(("room_next", "room_other"))]
    if steps:
        random.choice(steps).click()
        teacher.there()


def vote(teacher: Teacher, learners: list[Learner], random: Random) -> None:
    learner = random.choice(learners).there()
    room = learner.learner.seat.room
    if room.phase == Phase.ASK and learner.learner.seat.following:
        learner.vote(random.randrange(len(learner.learner.seat.question.options)))


def explore(teacher: Teacher, learners: list[Learner], random: Random) -> None:
    learner = random.choice(learners)
    for label in {"Explore on my own", "Back to the class"} & {*learner.labels()}:
        learner.press(label)


def change_any(teacher: Teacher, learners: list[Learner], random: Random) -> None:
    member = random.choice((teacher, *learners))
    member.at.query_params = dict(member.at.query_params) | some_values(random, "text")
    member.run()


def check_in_class(member: Member) -> None:
    """Check that a question is on the page once, and that nothing that gives its answer is sent before the reveal."""
    seat, page = member.learner.seat, member.learner.page
    votes = seat.question and seat.room.phase in (Phase.ASK, Phase.CLOSE) and page == seat.room.lesson
    if votes and (seat.hosting or seat.following):
        assert member.words.count(seat.question.prompt) == 1, page
        assert [text for text in secrets_of(seat.question) if text in received(member)] == [], page
        figure = member.learner.outputs.figure
        assert figure is None or "?" in re.sub("<.*?>", "", str(figure.drawing)), page


@pytest.mark.parametrize("number", WALKS)
def test_random_walk_of_a_class_shows_no_error_and_no_answer(number, rooms):
    random = Random(number)
    teacher = Teacher(random.choice(WITH_QUESTIONS))
    learners = [Learner(teacher.code, 1), Learner(teacher.code, 2)]
    for _ in range(STEPS):
        random.choice((step_on, step_on, vote, vote, explore, change_any))(teacher, learners, random)
        for member in (teacher, *learners):
            check_in_class(member.there())
