from urllib.parse import parse_qs

import pytest
from lab import PAGES, Lab

from components.ui.lessons import LESSONS, neighbours


def links(block):
    return [link.proto for link in block.get("page_link")]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_lists_every_lesson_and_its_own_purpose(page):
    lab = Lab().open(page)
    listed = [link.label.removesuffix(" ✓") for link in links(lab.at.sidebar)]
    assert listed == [lesson.title for lesson in LESSONS.values()]
    assert LESSONS[page].purpose in lab.words
    assert len(lab.at.title) == 1


@pytest.mark.parametrize("page", PAGES)
def test_every_page_leads_to_the_one_before_and_the_one_after(page):
    labels = [link.label for link in links(Lab().open(page).at.main)]
    before, after = neighbours(page)
    wanted = [f"{way}: {lesson.title}" for way, lesson in (("Back", before), ("Next", after)) if lesson]
    assert labels[-len(wanted) :] == wanted


@pytest.mark.parametrize("page", ["home", "lookup"])
def test_every_link_carries_the_whole_state(page):
    lab = Lab().open(page, D=5).set(setting_seed=9, text="ein Text & mehr = ?#")
    carried = [{key: value[0] for key, value in parse_qs(link.query_string).items()} for link in links(lab.at)]
    assert len(carried) >= len(LESSONS)
    for query in carried:
        assert query == lab.at.query_params
        assert (query["dim"], query["seed"], query["text"]) == ("5", "9", "ein Text & mehr = ?#")


def test_lessons_that_were_opened_get_a_tick():
    lab = Lab().open("tokens").open("combine")
    ticked = [link.label for link in links(lab.at.sidebar) if "✓" in link.label]
    assert ticked == ["Tokens ✓", "Combine ✓"]


def test_every_lesson_has_a_page_and_every_page_a_lesson():
    assert list(LESSONS) == PAGES


@pytest.mark.parametrize("page", ["windows", "lookup", "positions", "combine"])
def test_every_chart_can_be_read_without_seeing_it(page):
    lab = Lab().open(page)
    assert lab.charts()
    for chart in lab.charts():
        assert len(chart.alt) > 20
        assert chart.alt in lab.words
