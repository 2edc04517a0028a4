"""The choices of a lesson survive every way through the pages, and each learner has settings of their own."""

import pytest
from playwright.sync_api import Page, expect

from .page_actions import (
    at_rest,
    drawn,
    entry,
    follow,
    in_address,
    main_of,
    set_three,
    text_area,
    three_are_set,
    type_number,
    type_text,
    visit,
)

CHOICES = {
    "combine": {"step": "2", "b": "1", "t": "2", "d": "3"},
    "lookup": {"input": "sequence", "dtype": "int32", "column": "1"},
    "windows": {"shuffle": "1", "drop_last": "1"},
    "positions": {"wave": "2", "shuffle_seed": "3"},
    "tokens": {"word": "2", "piece": "3", "search": "bank"},
}


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
    """Return what the controls of the page show, in their order."""
    at_rest(page)
    controls = "[role=radio], [role=switch], [role=slider], input, textarea"
    state = "e => [e.ariaLabel, e.ariaChecked, e.ariaValueText, e.checked, e.value, e.innerText].join(' ')"
    return main_of(page).locator(controls).evaluate_all(f"all => all.map({state})")


def test_two_learners_do_not_see_each_other(new_learner, server):
    first, second = new_learner(), new_learner()
    visit(first, server, "lookup")
    visit(second, server, "lookup")
    set_three(first)
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
