"""Settings, text and choices: kept on every way through the pages, and each learner's own."""

import re

import pytest
from playwright.sync_api import Page, expect

from .learner import (
    at_rest,
    drawn,
    entry,
    follow,
    in_address,
    no_traceback,
    open_expander,
    set_three,
    sidebar_link,
    text_area,
    three_are_set,
    type_number,
    type_text,
    visit,
)

TOY = "vocab_size=6&dim=3&seed=123&ids=2+3+5+1"
CHOICES = {
    "combine": {"step": "2", "b": "1", "t": "2", "d": "3"},
    "lookup": {"input": "sequence", "dtype": "int32", "column": "1"},
    "windows": {"shuffle": "1", "drop_last": "1"},
    "positions": {"wave": "2", "shuffle_seed": "3"},
    "tokens": {"word": "2", "piece": "3", "search": "bank"},
}


def test_settings_and_text_survive_every_way_through_the_pages(page, server):
    visit(page, server)
    set_three(page)
    type_text(page, "one two three four five six seven")
    in_address(page, text="one two three four five six seven")
    follow(page, "tokens")
    three_are_set(page)
    page.get_by_role("link", name=re.compile("^Next")).click()
    drawn(page, "windows")
    three_are_set(page)
    page.get_by_role("link", name=re.compile("^Back")).click()
    drawn(page, "tokens")
    three_are_set(page)
    page.reload()
    drawn(page, "tokens")
    three_are_set(page)
    expect(text_area(page)).to_have_value("one two three four five six seven")


@pytest.mark.parametrize("lesson", CHOICES)
def test_choices_of_a_page_survive_page_change_back_and_reload(page, server, lesson):
    visit(page, server, lesson, "&".join(f"{name}={value}" for name, value in CHOICES[lesson].items()))
    in_address(page, **CHOICES[lesson])
    before = shown_choices(page)
    follow(page, "reproduce")
    page.go_back()
    drawn(page, lesson)
    in_address(page, **CHOICES[lesson])
    assert shown_choices(page) == before
    follow(page, "reproduce")
    follow(page, lesson)
    in_address(page, **CHOICES[lesson])
    assert shown_choices(page) == before
    page.reload()
    drawn(page, lesson)
    assert shown_choices(page) == before


def shown_choices(page: Page) -> list[str]:
    """Return what the controls of the page stand at, in their order."""
    at_rest(page)
    controls = "[role=radio], [role=switch], [role=slider], input, textarea"
    state = "e => [e.ariaLabel, e.ariaChecked, e.ariaValueText, e.checked, e.value, e.innerText].join(' ')"
    return page.get_by_test_id("stMain").locator(controls).evaluate_all(f"all => all.map({state})")


def test_a_link_opens_on_a_server_that_has_just_started(page, fresh_server):
    visit(page, fresh_server, "lookup", TOY)
    open_row = page.get_by_test_id("stMain")
    expect(open_row).to_contain_text("The first is row 2 of the table and begins with 1.2753, -0.2010, -0.1606.")
    expect(open_row).to_contain_text("W[0, 0] = 0.3374")
    expect(entry(page, "V")).to_have_value("6")
    no_traceback(page)


def test_two_learners_do_not_see_each_other(new_learner, server):
    first, second = new_learner(), new_learner()
    visit(first, server, "lookup")
    visit(second, server, "lookup")
    set_three(first)
    open_expander(first, "Input")
    type_text(first, "only mine and nobody else's")
    in_address(first, text="only mine and nobody else's")
    type_number(second, "T", 3)
    in_address(second, context_length="3")
    expect(entry(second, "V")).to_have_value("50257")
    expect(second.locator("body")).not_to_contain_text("only mine")
    follow(second, "tokens")
    expect(text_area(second)).not_to_have_value("only mine and nobody else's")
    expect(entry(first, "T")).to_have_value("4")
    three_are_set(first)


@pytest.mark.parametrize("press", [100, 0], ids=["click", "tap"])
def test_text_typed_just_before_a_click_on_a_link_is_kept(page, server, press):
    visit(page, server)
    type_number(page, "V", 3_000)
    for number, lesson in enumerate(("tokens", "home", "tokens")):
        typed = f"typed and then clicked, try number {number}"
        text_area(page).fill(typed)
        sidebar_link(page, lesson).click(delay=press)  # milliseconds between press and release
        in_address(page, text=typed)
        expect(text_area(page)).to_have_value(typed)
        if press == 0:  # a tap may send the text after the change of page, which then has to be asked for again
            sidebar_link(page, lesson).click(delay=100)
        drawn(page, lesson)
        expect(text_area(page)).to_have_value(typed)
        expect(entry(page, "V")).to_have_value("3000")
