"""A class in one room: what teacher and learners get in each phase, and what they must not get."""

import csv
import io
import re
from itertools import islice, pairwise
from time import time
from unittest.mock import Mock
from urllib.parse import urlencode

import pytest
import streamlit as st
from streamlit.testing.v1.element_tree import Block

from components.base.limits import MAX_ROOM_LINK_BYTES, MAX_WRONG_CODES
from components.base.link import VERSION, to_query
from components.base.settings import Settings
from components.lessons.tokens.page import TEXTS
from components.questions.quiz import Option, Question, grade
from components.rooms import store
from components.rooms.room import Asked, Phase, Unavailable
from components.rooms.store import AWAY, OUT_OF_DATE, room_store
from components.ui import room_browser, room_run, room_screen, room_seat, share_dialog
from components.ui.markdown import escape_markdown
from components.ui.room_questions import SEEDS_TO_TRY, link_of, question_of, questions_of, state_of, with_other_numbers
from components.ui.room_results import debrief, results_html, should_vote_again
from components.ui.room_run import is_out_of_date, look, seconds_between_looks
from tests.app_driver import LESSONS, QUESTIONS, AppDriver
from tests.states import WITH_QUESTIONS, app_state
from tests.ui.class_members import Learner, Member, Teacher, received, secrets_of
from tests.varied_states import varied_state

pytestmark = pytest.mark.usefixtures("rooms")
SAME_ANSWER = {"positions", "errors"}  # to questions on what is so whatever the numbers are
HOSTILE = "<img src=x onerror=alert(1)> \u202eabc **x** :red[y]"


@pytest.fixture
def teacher(rooms) -> Teacher:
    """Somebody who has opened a room for Lookup."""
    return Teacher()


@pytest.fixture
def learner(teacher) -> Learner:
    return Learner(teacher.code)


def test_class_votes_twice_and_sees_result_with_own_answers(teacher, files):
    first, second = Learner(teacher.code, 1), Learner(teacher.code, 2)
    assert "The question of the class appears here" in first.words
    assert "of this section give the answer: they are shown after the vote." in first.open_sections().words
    question = teacher.step("Ask").learner.seat.question
    assert all(f":material/radio_button_unchecked: {option.text}" in teacher.words for option in question.options)
    are_wrong = [bool(option.misconception) for option in question.options]
    wrong, right = are_wrong.index(True), are_wrong.index(False)
    first.there().vote(right).vote(wrong)  # changed
    second.there().vote(right)
    assert "2 of 2 answered" in teacher.run().words
    assert "closed at 2 of 2" in teacher.step("Close").words
    assert teacher.labels()[-1] == "Again"  # 50 % are right
    assert teacher.button("Again").key.startswith("room_next_")  # the default, which Space presses
    assert "vote:" not in teacher.words
    assert "The vote is closed" in first.there().words
    marks = ["checked" if index == wrong else "unchecked" for index in range(len(question.options))]
    assert re.findall(r":material/radio_button_(\w+): ", first.words) == marks
    assert f":material/radio_button_checked: **{question.options[wrong].text}** (your answer)" in first.words
    teacher.step("Again")
    assert all("Talk to your neighbor, then answer again." in words for words in (teacher.words, first.there().words))
    first.vote(right)
    teacher.step("Close").step("Reveal")
    result = first.there().words
    assert "first vote: 1 of 2" in result
    assert "second vote: 1 of 1" in result
    assert f"{question.options[wrong].text} <b>● Your answer, first vote</b>" in result
    assert f"{question.options[right].text} <b>✓ Correct answer</b> <b>● Your answer, second vote</b>" in result
    assert result.count("● Your answer") == 2
    assert f"**Correct.** {grade(question, question.options[right].text).feedback}" in result
    assert not first.is_masked
    assert all(sentence in teacher.words for sentence in debrief(question, teacher.learner.seat.counts))
    teacher.step("Next")
    assert teacher.learner.seat.pick == "rows"
    for screen in (first.there(), teacher):  # the figure stays open, and the next question is in the strip alone
        assert screen.learner.seat.room.phase == Phase.READY
        assert not screen.is_masked
        assert screen.answers() == []
    assert teacher.step("Next lesson").learner.page == first.there().learner.page == "one_hot"
    teacher.press("Class")
    votes = {wrong: ["1", "0"], right: ["1", "1"]}
    rows = [
        ["1", "Lookup", question.prompt, each.text, *(["", each.misconception] if wrong_one else ["correct", ""])]
        for each, wrong_one in zip(question.options, are_wrong, strict=True)
    ]
    rows = [[*row, *votes.get(index, ["0", "0"])] for index, row in enumerate(rows)]
    columns = ["question", "lesson", "prompt", "answer", "correct", "misconception", "first vote", "second vote"]
    assert [*csv.reader(io.StringIO(files[f"class-{teacher.code}.csv"].decode()))] == [columns, *rows]


def test_qr_code_of_the_share_dialog_leads_into_the_class(teacher, learner, monkeypatch):
    shown = Mock()
    monkeypatch.setattr(share_dialog, "show_qr", shown)
    for each in (teacher, learner):
        link, of_lesson = (block.value for block in each.press("Share").at.code)
        assert shown.call_args.args[0] == link == f"/?room={teacher.code}"
        assert of_lesson.startswith("/lookup?")
        assert "The class that you are in; this link leads to where it is:" in received(each)
        whose = "your" if each is teacher else "the class's"
        assert f"with {whose} settings and {whose} text" in received(each)


def test_teachers_page_asks_nothing_but_can_show_the_answer(teacher):
    assert teacher.answers() == []
    assert QUESTIONS not in teacher.sections()
    assert teacher.is_masked
    assert not teacher.press("Show without a vote").is_masked
    assert not teacher.press("Present").press("Exit").app_state.present
    learner = Learner(teacher.code)
    assert learner.is_masked
    assert ("after the vote" in received(learner)) > ("answer to see it" in received(learner))


@pytest.mark.parametrize("page", WITH_QUESTIONS)
def test_nothing_that_gives_the_answer_is_sent_before_the_reveal(page):
    teacher = Teacher(page)
    learner = Learner(teacher.code)
    n_asked = 1 + (page == "lookup")  # the second one has no figure, and so the same screen on every lesson
    for number, question in enumerate(islice(questions_of(LESSONS, page, teacher.app_state), n_asked)):
        if number:
            teacher.step("Next")
        teacher.step("Ask")
        for step in ("Close", "Reveal"):
            learner.there()
            assert learner.learner.seat.question == question == teacher.learner.seat.question
            for screen in (learner, teacher):
                assert question.prompt in screen.words
                assert [text for text in secrets_of(question) if text in received(screen)] == []
                figure = screen.learner.outputs.figure
                assert (figure is None) <= (page == "reproduce" or not screen.learner.seat.asks_about_figure)
                assert figure is None or screen.learner.seat.asks_about_figure
                assert screen.sections() == []
                assert "Download" not in screen.labels()
            if page == "combine":  # a term of it has the shape that is asked for
                assert "gives [B, T, D]" not in received(learner.press("Help"))
            teacher.step(step)
        assert question.explanation in learner.there().words
        assert "no votes" in learner.words


def test_training_for_an_answer_runs_when_the_class_sees_it():
    teacher = Teacher("training")
    learner = Learner(teacher.code)
    teacher.learner.score.open_figures.add("training ")  # that figure is open already, with nothing trained
    teacher.step("Ask")
    learner.there()
    assert learner.state.choices.train_steps == 0
    teacher.step("Close").step("Reveal")
    for screen in (teacher, learner.there()):
        assert screen.state.choices.train_steps == 200
        assert "is 0.94 after 200 steps" in screen.words


def test_learner_has_the_numbers_of_the_teacher_until_exploring(monkeypatch):
    lists, show = [], st.navigation
    monkeypatch.setattr(st, "navigation", lambda *pages, **how: lists.append(how["position"]) or show(*pages, **how))
    teacher = Teacher("combine", text="mine", dim=8, seed=5)
    lists.clear()
    learner = Learner(teacher.code)
    assert (learner.learner.page, learner.app_state) == ("combine", teacher.app_state)
    assert not learner.widgets("row_dim")
    assert QUESTIONS not in learner.sections()  # those that the class will be asked
    assert learner.learner.address.query == {"room": teacher.code}
    assert lists[0] == lists[-1] == "hidden"  # the first one before the room is read
    assert seconds_between_looks(teacher.learner.seat) < 1.5 < seconds_between_looks(learner.learner.seat)
    monkeypatch.setattr(room_run, "_members", dict.fromkeys(range(600)))
    assert 10 <= seconds_between_looks(learner.learner.seat) <= 12  # 60 looks a second
    learner.press("Explore on my own").set(row_dim=12)
    assert lists[-1] == "sidebar"
    assert learner.learner.address.query["dim"] == "12"
    teacher.set(row_dim=10)
    assert learner.there().app_state.settings.dim == 12
    teacher.step("Ask")
    learner.there()
    assert learner.learner.hides_answers  # also for somebody who looks on alone
    assert ("after the vote" in received(learner)) > ("answer to see it" in received(learner))
    assert "what gives the answer is hidden until its result is shown." in learner.words
    learner.press("Back to the class")
    assert learner.there().app_state == teacher.app_state
    assert learner.app_state.settings.dim == 10


def test_question_without_other_numbers_is_not_asked_again():
    teacher = Teacher("home", text="hello")
    teacher.learner.seat.pick = "context"
    for step in ("Ask", "Close", "Reveal", "Ask with other numbers"):
        teacher.run().step(step)
    assert teacher.learner.seat.question.name == "context"
    assert "This question has no other numbers: ask another one." in teacher.words


def test_question_that_the_host_has_chosen_is_asked(teacher):
    names = [each.name for each in questions_of(LESSONS, "lookup", teacher.app_state)]
    teacher.set(**{f"room_question_of_lookup_{teacher.learner.seat.room.step}": names[1]}).step("Ask")
    assert teacher.learner.seat.question.name == names[1]


def test_page_without_questions_offers_its_host_none_to_ask():
    assert "Ask" not in Teacher("glossary").labels()


def test_question_and_figure_of_a_class_have_the_same_text():
    teacher = Teacher("tokens")
    learner = Learner(teacher.code)
    teacher.step("Ask")
    learner.there().set(**{"try": "Toucan"})
    assert learner.app_state.text == TEXTS["Toucan"]["text"]
    assert "Back to the class" in learner.labels()
    assert "How many tokens" not in learner.words
    learner.press("Back to the class")
    assert learner.there().app_state == teacher.app_state
    before = teacher.app_state
    teacher.set(**{"try": "Toucan"})
    assert teacher.app_state == before
    assert "change them after that" in teacher.warnings()[0]
    teacher.step("Close").step("Reveal").step("Ask with other numbers")
    other = TEXTS["German compound"]["text"]  # Toucan has as many tokens as the text before
    assert teacher.app_state.text == learner.there().app_state.text == other
    teacher.step("Close").step("Reveal")
    learner.there().set(**{"try": "Toucan"})
    assert f"GPT-2 make of “{TEXTS['Toucan']['text']}”" in learner.words
    assert other not in learner.words


def test_next_restores_the_hosts_text_unless_it_was_changed():
    teacher = Teacher("tokens")
    own = teacher.set(text="Owls hoot at night.").app_state
    result = ("Close", "Reveal")
    for step in ("Ask", *result, "Ask with other numbers", *result, "Ask with other numbers", *result):
        teacher.step(step)
    assert teacher.app_state.text != own.text
    assert teacher.step("Next").app_state == own
    for step in ("Ask", *result, "Ask with other numbers", *result):
        teacher.step(step)
    assert teacher.set(**{"try": "Toucan"}).step("Next").app_state.text == TEXTS["Toucan"]["text"]


def test_projected_page_stays_projected_with_other_numbers(teacher):
    teacher.press("Present")
    for step in ("Ask", "Close", "Reveal", "Ask with other numbers"):
        assert teacher.step(step).app_state.present


def test_cancel_takes_back_question_votes_and_other_numbers(files):
    teacher = Teacher("tokens")
    learner, own = Learner(teacher.code), teacher.set(text="Owls hoot at night.").app_state
    for step in ("Ask", "Close", "Reveal", "Ask with other numbers"):
        teacher.step(step)
    learner.there().vote(0)
    assert teacher.step("Cancel").app_state == learner.there().app_state == own
    assert "The question of the class appears here." in learner.words
    assert [each for each in teacher.labels() if each in ("Ask", "Cancel", "Close")] == ["Ask"]
    teacher.press("Class")
    counts = files[f"class-{teacher.code}.csv"].decode()
    assert {row["question"] for row in csv.DictReader(io.StringIO(counts))} == {"1"}
    assert "Cancel" not in teacher.step("Ask").step("Close").step("Again").labels()


@pytest.mark.parametrize("by", ["a button", "Back"])
def test_open_figure_is_masked_in_a_vote_and_open_after_leaving(by):
    learner = AppDriver().open("lookup").press("Show me")
    teacher, before = Teacher(), dict(learner.at.query_params)
    teacher.step("Ask")
    learner.at.query_params = {"room": teacher.code}
    learner.run()
    assert learner.is_masked
    if by == "Back":
        learner.at.query_params = before
    else:
        learner.press("Class").press("Leave the class")
    assert not learner.run().is_masked
    assert "room" not in learner.at.query_params


def test_older_address_does_not_lead_back_into_a_class_left(learner):
    learner.press("Explore on my own").set(row_dim=12).press("Class").press("Leave the class")
    assert learner.learner.seat is None
    assert "room" not in learner.at.query_params


def test_other_numbers_make_another_question_on_every_lesson():
    for page in WITH_QUESTIONS:
        state = app_state()
        question = next(questions_of(LESSONS, page, state))
        other = with_other_numbers(LESSONS, page, state, question)
        found = next(each for each in questions_of(LESSONS, page, other) if each.name == question.name)
        assert (found.prompt, {*found.options}) != (question.prompt, {*question.options}), page
        assert (found.answer == question.answer) is (page in SAME_ANSWER), page


@pytest.mark.parametrize(
    ("page", "name", "text", "settings", "found"),
    [
        ("windows", "count", "the cat sat on the", Settings(), True),
        ("windows", "stride_T", "the cat sat on the mat", Settings(context_length=5, stride=5), True),
        ("lookup", "same_row", "hello", Settings(), False),
        ("home", "context", "hello", Settings(), False),
        ("combine", "same_block", "a b a", Settings(ids="1 2 3 4 5 6", context_length=6), False),
    ],
)
def test_other_numbers_do_not_lead_to_an_error(page, name, text, settings, found):
    state = app_state(settings, text)
    question = next(each for each in questions_of(LESSONS, page, state) if each.name == name)
    other = with_other_numbers(LESSONS, page, state, question)
    assert other is None or not AppDriver().open(page, **to_query(other)).errors()
    assert (other is not None) is found


def test_other_numbers_have_one_of_the_next_seeds():
    state, seeds = app_state(Settings(seed=2**32 - 2)), [2**32 - 2]
    for _ in range(3):
        (question,) = (each for each in questions_of(LESSONS, "positions", state) if each.name == "shuffle")
        state = with_other_numbers(LESSONS, "positions", state, question)
        seeds.append(state.settings.seed)
    assert all(1 <= (after - before) % 2**32 <= SEEDS_TO_TRY for before, after in pairwise(seeds)), seeds


@pytest.mark.parametrize(
    ("page", "choice", "asked", "hidden"),
    [
        ("attention", "head", "order", {"text": "of an output by up to ?", "meaning": "without ?"}),
        ("word2vec", "scene", "step", {"film": "the rest is still hidden", "analogy": "king ?, man ?"}),
    ],
)
def test_other_figures_are_masked_during_a_vote(page, choice, asked, hidden):
    teacher = Teacher(page)
    learner = Learner(teacher.code)
    for screen in (teacher.step("Ask"), learner.there()):
        for other, answer in hidden.items():
            figure = screen.set(**{f"{page}_{choice}": other}).learner.outputs.figure
            assert answer in " ".join(re.sub("<.*?>", " ", f"{figure.drawing} {figure.reading}").split())
            assert screen.learner.seat.refusal == ""
    teacher.step("Close").step("Reveal")
    for screen in (teacher, learner.there()):
        assert getattr(screen.state.choices, choice) == asked


def test_link_of_a_class_gives_back_its_state():
    for number in range(20):
        state = varied_state(number)
        assert state_of(LESSONS, link_of(state)) == state


def test_two_rooms_with_different_texts_do_not_cross():
    teachers = [Teacher("tokens", text=text) for text in ("first text of one", HOSTILE)]
    learners = [Learner(teacher.code) for teacher in teachers]
    for teacher in teachers:
        teacher.step("Ask")
    got = [received(learner.there()) for learner in learners]
    assert "first text of one" not in got[1]
    assert "onerror" not in got[0]
    assert learners[1].app_state.text == HOSTILE


def test_texts_of_a_result_are_escaped_and_bars_are_shares():
    question = Question("q", "?", (Option("<b>a"), Option("<b>b", "mb", "fb")), "")
    assert "<b>" not in results_html(question, {1: [1, 1]}, {}).replace("<b>✓ Correct answer</b>", "", 1)
    bars = re.findall(r"width:(\d+)%.*?(\d of \d)", results_html(question, {1: [3, 1]}, {}))
    assert bars == [("75", "3 of 4"), ("25", "1 of 4")]


@pytest.mark.parametrize(
    ("votes", "again"), [([3, 7], True), ([7, 3], True), ([2, 8], False), ([8, 2], False), ([], False)]
)
def test_second_vote_is_proposed_if_some_but_not_most_are_right(votes, again):
    assert should_vote_again(Question("q", "?", (Option("a"), Option("b", "mb", "fb")), ""), votes) is again


@pytest.mark.parametrize(
    ("counts", "first"),
    [
        ({}, ""),
        ({1: [3, 0, 0]}, ""),
        ({1: [0, 1, 0]}, "Most frequent wrong answer (1 of 1 vote): b"),
        ({1: [0, 4, 1], 2: [1, 1, 2]}, "Most frequent wrong answer (2 of 4 votes): c"),
        ({1: [1, 2, 2]}, "One of the most frequent wrong answers (2 of 5 votes): bc"),
    ],
)
def test_debrief_is_on_most_frequent_wrong_answer_of_last_vote(counts, first):
    wrong = (Option(name, f"m{name}", f"f{name}") for name in "bc")
    found = debrief(Question("q", "?", (Option("a"), *wrong), "Because."), counts)
    which, _, names = first.rpartition(" ")
    misconception = " Common misconception: “m{0}”." * (len(names) == 1)
    mistakes = [f"{which} {name}.{misconception.format(name)} f{name}" for name in names]
    assert found == [*mistakes, "Because."]


def test_counts_and_misconceptions_omit_the_vote_in_progress(teacher, learner, files):
    options = teacher.step("Ask").learner.seat.question.options
    wrong = next(number for number, option in enumerate(options) if option.misconception)
    learner.there().vote(wrong)
    teacher.step("Close").step("Reveal").step("Ask with other numbers")
    assert f'"room-code">{teacher.code}<' in received(teacher.press("Class"))
    assert '"room-joined">1 joined<' in received(teacher)
    rows = list(csv.DictReader(io.StringIO(files[f"class-{teacher.code}.csv"].decode())))
    assert {row["question"] for row in rows} == {"1"}
    assert [(row["first vote"], row["second vote"]) for row in rows] == [("01"[n == wrong], "") for n in range(4)]
    assert sum(row["correct"] == "correct" for row in rows) == 1
    assert f"{escape_markdown(options[wrong].misconception)} (1 of 1)" in received(teacher)


def test_misconception_with_other_numbers_adds_to_its_count(teacher, learner):
    for other in (False, True):
        options = teacher.step("Ask with other numbers" if other else "Ask").learner.seat.question.options
        (wrong,) = (n for n, option in enumerate(options) if option.misconception.startswith("D must equal V"))
        learner.there().vote(wrong)
        teacher.step("Close").step("Reveal")
    assert received(teacher.press("Class")).count("D must equal V (") == 1
    assert "D must equal V (2 of 2)" in received(teacher)


def test_host_stays_in_the_lesson_of_a_vote_and_sees_why(teacher):
    teacher.step("Ask").at.switch_page(LESSONS["combine"].path)
    assert "reveal the result before you go on." in "".join(teacher.there().warnings())
    assert teacher.learner.page == "lookup"


def test_class_that_has_ended_is_a_sentence_and_the_lesson_stays(teacher, learner):
    assert [each.proto.popover.label for each in teacher.press("Class").at.get("popover")] == ["End the class"]
    ended = teacher.press("End it, and delete its votes")
    assert "The class has ended: its room and all votes are deleted." in ended.warnings()
    learner.run()
    assert f"The class {teacher.code} has ended. You can go on here on your own." in learner.warnings()
    assert learner.learner.seat is None
    assert "room" not in learner.run().learner.address.query


def test_step_pressed_after_the_class_has_ended_does_nothing(teacher):
    teacher.button("Ask").click()
    teacher.learner.seat = None  # found at a look before the press
    assert "Ask" not in teacher.run().labels()


def test_codes_that_are_wrong_too_often_have_to_wait(monkeypatch):
    app, code = AppDriver().open(), Teacher().code
    seconds = [0.0]
    monkeypatch.setattr(room_seat, "monotonic", lambda: seconds[0])

    def warning_for(typed: str) -> str:
        app.at.query_params = {"room": typed}
        return "".join(app.run().warnings())

    for _ in range(MAX_WRONG_CODES):
        assert "There is no class with the code BBBB: it has ended" in warning_for("BBBB")
    assert "20 codes were wrong. Wait 60 seconds" in warning_for(code)
    seconds[0] = 59.4
    assert "Wait 1 second, then" in warning_for(code)
    seconds[0] = 61.0
    assert warning_for(code) == ""
    assert app.learner.seat.code == code
    assert "'<b>' is not the code of a class: a code has four letters, none of A, E, I, O, Q, U, V, Y" in warning_for(
        "<b>"
    )
    assert app.learner.seat is None  # it has left the class before


def test_press_of_join_without_a_code_gives_no_message():
    app = AppDriver().open().press("Class")
    app.learner.dialog = "class"
    assert app.press("Join").errors() == []


def test_unreachable_store_gives_a_message_and_the_lesson_works(teacher, learner, monkeypatch, rooms):
    teacher.step("Ask")
    learner.there()
    monkeypatch.setattr(rooms, "_try_after", float("inf"))
    monkeypatch.setattr(rooms, "_reason", AWAY)
    assert AWAY in learner.vote(0).words
    assert learner.learner.seat.own_votes == {}
    assert AWAY in teacher.step("Close").words
    assert any(AWAY in each for each in AppDriver().open("lookup").press("Class").press("Open a room").warnings())
    monkeypatch.setattr(rooms, "_try_after", 0.0)
    assert AWAY not in learner.vote(0).words
    assert learner.learner.seat.own_votes == {1: 0}


def test_teacher_reloads_and_a_forged_secret_makes_no_host(teacher):
    secret = teacher.learner.seat.secret
    for claim, hosting in (("x" * 43, False), (secret, True)):
        app = AppDriver().open("lookup", v=VERSION, room=teacher.code)
        app.learner.seat.claim, app.learner.seat.voter = claim, "f" * 32
        assert app.run().learner.seat.hosting is hosting
        assert ("Ask" in app.labels()) is hosting
        assert ("lead" in app.run().learner.address.query) is hosting
    assert secret not in urlencode(app.learner.address.query)
    copied = AppDriver().open("lookup", **teacher.learner.address.query | {"present": "1", "dim": "12"})
    copied.learner.seat.voter = "e" * 32
    copied.run()
    assert copied.learner.seat.following
    assert copied.app_state == teacher.app_state
    assert teacher.run().learner.seat.room.joined == 2  # those that were not a host


def test_tab_of_a_host_gives_back_both_links_of_any_length(teacher, monkeypatch):
    own = "\n".join(letter * MAX_ROOM_LINK_BYTES for letter in "ab")
    kept, render = {"code": teacher.code, "voter": "f" * 32, "claim": "", "own": own}, Mock()
    monkeypatch.setattr(room_browser, "_component", render)
    monkeypatch.setattr(room_browser, "sent_value", lambda *_: kept)
    seat = Member().open("lookup", **teacher.learner.address.query).learner.seat
    render.call_args.kwargs["on_kept_change"]()
    assert (seat.voter, "\n".join(seat.other_numbers)) == ("f" * 32, own)


def test_copy_of_the_teachers_address_leads_into_the_class(teacher):
    copied = AppDriver().open("lookup", **teacher.learner.address.query)
    copied.learner.seat.voter = "e" * 32
    assert copied.run().learner.address.query == {"room": teacher.code}


def test_part_renewed_by_itself_is_alone_in_its_container(teacher):
    def path_to_status(block: Block) -> list[Block]:
        for child in block.children.values():
            below = path_to_status(child) if isinstance(child, Block) else []
            if below or "room-status" in str(child.proto):
                return [block, *below]
        return []

    *_, strip, container, _ = path_to_status(teacher.at.main)
    assert len(strip.children) > len(container.children) == 1


@pytest.mark.parametrize("words", ["0 joined", "0 of 0 answered"])
def test_host_without_connection_has_the_reason_in_the_strip(teacher, words):
    if "answered" in words:
        teacher.step("Ask")
    status = f'<span class="on">{words}</span> <span class="off">trying to reconnect</span>'
    assert status in received(teacher)


def test_teacher_with_closed_screen_is_away_after_20_seconds(teacher, learner, monkeypatch):
    for seconds, status in ((19, "connected"), (21, "the teacher is away")):
        with monkeypatch.context() as ago:
            ago.setattr(store, "time", lambda seconds=seconds: time() - seconds)
            room_store().teacher_is_here(teacher.code, teacher.learner.seat.secret)
        assert f'<span class="on">{status}</span>' in received(learner.run())
    teacher.run()
    assert '<span class="on">connected</span>' in received(learner.run())


def test_second_machine_leads_the_class_and_the_first_follows(teacher, monkeypatch):
    invitation = room_store().invite(teacher.code, teacher.learner.seat.secret)
    with monkeypatch.context() as away:
        away.setattr(store.RoomStore, "accept", Mock(side_effect=Unavailable(AWAY)))
        other = Member().open("lookup", room=teacher.code, host=invitation)
        assert not other.learner.seat.hosting
    assert other.there().learner.seat.hosting  # the invitation is as good as before
    assert "host" not in other.learner.address.query
    other.set(row_dim=10)
    assert teacher.run().app_state.settings.dim == 10
    other.press("Ask")
    assert teacher.run().learner.seat.room.phase == Phase.ASK


def test_step_that_comes_too_late_is_refused_with_a_sentence(teacher):
    invitation = room_store().invite(teacher.code, teacher.learner.seat.secret)
    other = Member().open("lookup", room=teacher.code, host=invitation)
    teacher.step("Ask")
    assert OUT_OF_DATE in other.press("Ask").words
    assert OUT_OF_DATE not in other.press("Close").words
    assert OUT_OF_DATE in teacher.press("Close").words


def test_refusal_of_a_vote_goes_when_the_class_goes_on(teacher, learner, monkeypatch):
    teacher.step("Ask")
    learner.there()
    teacher.step("Close")
    learner.vote(0)
    monkeypatch.setattr(room_screen, "current", lambda: learner.learner)
    monkeypatch.setattr(st, "rerun", Mock())
    room_screen.tick()
    assert learner.learner.seat.refusal == "The vote is closed: this answer was not counted."
    teacher.step("Again")
    room_screen.tick()
    assert learner.learner.seat.refusal == ""


def test_one_who_explores_has_the_figure_of_the_present_question(teacher, learner):
    learner.press("Explore on my own")
    teacher.step("Ask")
    assert learner.run().is_masked
    teacher.step("Close").step("Reveal").step("Next").step("Ask")  # sooner than the learner's next look
    look(learner.learner)
    assert is_out_of_date(learner.learner)
    assert learner.run().learner.outputs.figure is None
    look(learner.learner)
    assert not is_out_of_date(learner.learner)
    look(learner.open("tokens").learner)
    assert not is_out_of_date(learner.learner)  # the question is of another page


def test_question_that_cannot_be_read_is_read_at_the_next_look(teacher, learner, monkeypatch):
    teacher.step("Ask")
    shape = learner.there().learner.seat.question
    teacher.step("Close").step("Reveal").step("Next").step("Ask")
    with monkeypatch.context() as away:
        away.setattr(store.RoomStore, "asked", Mock(side_effect=Unavailable(AWAY)))
        assert shape.prompt not in learner.there().words
        assert not is_out_of_date(learner.learner)  # it would be rendered at every look, in vain
    assert learner.run().learner.seat.question == teacher.learner.seat.question != shape


def test_bar_of_a_room_that_cannot_be_read_shows_why_once(teacher, monkeypatch):
    monkeypatch.setattr(store.RoomStore, "read", Mock(side_effect=Unavailable(AWAY)))
    found = received(Member().open("lookup", room=teacher.code))
    assert f'<span class="on">{AWAY}</span>' in found
    assert found.count(AWAY) == 1


def test_refusal_on_entering_a_room_is_shown(teacher, monkeypatch):
    invitation = room_store().invite(teacher.code, teacher.learner.seat.secret)
    room_store().accept(teacher.code, invitation)
    monkeypatch.setattr(store, "MAX_VOTERS", 0)
    for more, problem in ({"host": invitation}, "was used or replaced"), ({}, "0 are in this room, which is the limit"):
        member = Member().open("lookup", room=teacher.code, **more)
        if not more:
            member.learner.seat.voter = "1"
            member.run()
        assert any(problem in each for each in member.warnings())
        assert not member.learner.seat.hosting


def test_room_of_another_version_is_no_wrong_code(rooms):
    app = AppDriver().open(room=rooms.open("secret", "nowhere", f"v={VERSION}"))
    assert "is of another version of Embedding Lab: open a new one." in "".join(app.warnings())
    assert (app.learner.seat, app.learner.wrong_codes.count) == (None, 0)


def test_text_too_long_for_a_room_is_refused_and_kept(teacher, learner):
    for n_words, refusal in (
        (1_500, r"take \d,\d{3} bytes as a link; a room stores 3,000"),
        (5_000, "too many for a room"),
    ):
        text = " ".join(f"word{n}" for n in range(n_words))
        teacher.set(text=text)
        assert teacher.app_state.text == text
        assert re.search(refusal, teacher.words)
        assert learner.there().app_state.text != text
        assert not re.search(refusal, teacher.set(text="hello").words)  # it goes with its cause
        assert learner.there().app_state.text == "hello"


def test_question_of_another_version_is_none():
    assert question_of(LESSONS, Asked("nowhere", "x", f"v={VERSION}", 4)) == (None, False)
    assert question_of(LESSONS, Asked("lookup", "nothing", f"v={VERSION}", 4)) == (None, False)
