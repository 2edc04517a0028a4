"""The questions of a room: computed from the state in which they were asked, so that all screens have the same."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from components.base.link import AppState, read_query, to_query
from components.caches.shared import shared
from components.questions.quiz import Question
from components.rooms.room import Asked, Refused
from components.ui.code_view import handout_of
from components.ui.lesson import Lesson
from components.ui.quiz import lesson_questions

Lessons = Mapping[str, Lesson]
QUESTIONS_CACHED, STATES_CACHED = 256, 64
SEEDS_TO_TRY = 5


def link_of(state: AppState) -> str:
    """Return the settings and the text that a class follows. Raises Refused if the text does not fit."""
    query = to_query(replace(state, present=False))
    if "long_text" in query:
        raise Refused(
            f"The text has {len(state.text):,} characters, too many for a room: shorten it. Until then the class stays "
            "with the one before."
        )
    return urlencode(query)


@shared(STATES_CACHED, key=lambda lessons, link: link)
def state_of(lessons: Lessons, link: str) -> AppState:
    """Return the state of a link that `link_of` made."""
    defaults = AppState({name: lesson.choices() for name, lesson in lessons.items()})
    return read_query(defaults, dict(parse_qsl(link, keep_blank_values=True)))[0]


def questions_of(lessons: Lessons, page: str, state: AppState) -> Iterator[Question]:
    return lesson_questions(state.lesson(page), lessons[page])


@shared(QUESTIONS_CACHED, key=lambda lessons, asked: asked)
def question_of(lessons: Lessons, asked: Asked) -> tuple[Question | None, bool]:
    """Return the question that was asked, and whether it is the first of its lesson, whose answer the figure masks.

    The question is None if this version of the app has it no longer.
    """
    if asked.lesson in lessons:
        for number, each in enumerate(questions_of(lessons, asked.lesson, state_of(lessons, asked.link))):
            if each.name == asked.name and len(each.options) == asked.options:
                return each, number == 0
    return None, False


def with_other_numbers(lessons: Lessons, page: str, state: AppState, question: Question) -> AppState | None:
    """Return a state in which the same question has other numbers, if possible another answer, or None.

    It has others of the lesson's OTHER_CHOICES, another seed, D, T or text, in this order; the text is one of the
    lesson's OTHER_TEXTS or, without any, the same without its first word. None of them leads to a page that shows an
    error instead of the lesson, unless this one does.
    """
    first = None
    lesson, settings = lessons[page], state.settings
    works = shows_lesson(lesson, state)
    seeds = [{"seed": (settings.seed + n) % 2**32} for n in range(1, SEEDS_TO_TRY + 1)]
    sizes = [{"dim": 8 if settings.dim != 8 else 12}, {"context_length": 6}, {"context_length": 3}]
    others = getattr(lesson.page, "OTHER_CHOICES", [])
    changes = [(state.text, {}, each) for each in others] + [(state.text, each, {}) for each in (*seeds, *sizes)]
    texts = getattr(lesson.page, "OTHER_TEXTS", [state.text.partition(" ")[2]])
    changes += [(text, {}, {}) for text in texts if text.strip()]
    for text, changed, chosen in changes:
        try:
            choices = {**state.lessons, page: replace(state.lessons[page], **chosen)}
            other = replace(state, text=text, settings=replace(settings, **changed), lessons=choices)
        except ValueError:  # the table or the batch would be too large
            continue
        if works and not shows_lesson(lesson, other):
            continue
        found = next((each for each in questions_of(lessons, page, other) if each.name == question.name), None)
        if found and asked_for(found) != asked_for(question):
            if found.answer != question.answer:
                return other
            first = first or other
    return first


def shows_lesson(lesson: Lesson, state: AppState) -> bool:
    return not lesson.has_program or handout_of(lesson.page, state.lesson(lesson.name)) is not None


def asked_for(question: Question) -> tuple[str, set[str]]:
    return question.prompt, {option.text for option in question.options}
