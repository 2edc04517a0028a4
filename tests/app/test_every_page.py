import pytest
import torch
from lab import PAGES, WITH_SETTINGS, Lab

from components.core.presets import PRESETS
from components.ui.tables import tables

WITH_BATCH = ["lookup", "positions", "combine"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_page_opens_with_every_preset(preset):
    lab = Lab().open().set(preset=preset)
    assert lab.state.settings == PRESETS[preset].settings
    for page in PAGES:
        lab.open(page)
        assert not lab.warnings()
        if page in WITH_BATCH:
            assert not lab.errors()
            assert lab.charts()


@pytest.mark.parametrize(
    ("position", "layout"),
    [("none", "halves"), ("learned", "halves"), ("sinusoidal", "interleaved"), ("sinusoidal", "halves")],
)
@pytest.mark.parametrize(("V", "D", "scale"), [(1, 1, 0), (1, 2, 1), (5, 1, 1), (9, 7, 0), (50_257, 17, 1)])
def test_pages_with_a_batch_open_with_every_kind_of_position_and_every_size(position, layout, V, D, scale):
    lab = Lab().open("lookup", V=V, D=D, position=position, layout=layout, scale=scale, ids="0 0 0; 0 0 0")
    for page in WITH_BATCH:
        lab.open(page)
        assert not lab.errors()
        assert not lab.warnings()


@pytest.mark.parametrize("query", [{"V": 1, "D": 1, "T": 1, "B": 1}, {"V": 200_019, "D": 1}, {"T": 1024, "B": 64}])
def test_every_page_opens_at_the_limits(query):
    lab = Lab().open(**query)
    for page in PAGES[1:]:
        lab.open(page)


@pytest.mark.parametrize("position", ["none", "learned", "sinusoidal"])
@pytest.mark.parametrize("T", [1, 2])
@pytest.mark.parametrize("D", [1, 2])
@pytest.mark.parametrize(("V", "ids"), [(1, "0"), (2, "1 1"), (3, "0;2"), (60, ""), (50_257, "")])
def test_every_page_opens_at_the_smallest_sizes(V, ids, D, T, position):
    query = {"V": V, "D": D, "T": T, "B": 1, "position": position, "tokenizer": "words", "text": "a b a", "ids": ids}
    lab = Lab().open(**query)
    for page in PAGES[1:]:
        lab.open(page)


@pytest.mark.parametrize("query", [{"position": "learned"}, {"position": "sinusoidal", "layout": "halves"}])
def test_every_step_of_the_walk_opens(query):
    lab = Lab().open("combine", D=7, scale=1, **query)
    for step in range(len(lab.widget("steps_here").options)):
        lab.set(steps_here=step)
        assert lab.state.choices.step == step


@pytest.mark.parametrize("page", PAGES)
def test_no_page_draws_from_the_process_wide_random_state(page):
    before = torch.get_rng_state()
    lab = Lab().open(page, seed=4, shuffle=1, ran=1, repaired=1)
    if page in WITH_SETTINGS:
        lab.set(setting_seed=5)
    assert lab.state.choices.shuffle
    assert torch.equal(torch.get_rng_state(), before)


def test_the_tables_that_sessions_share_are_read_and_never_changed():
    lab = Lab().open(seed=77, scale=1)
    shared = tables(lab.state.settings)
    before = shared.token.weight.detach().clone()
    for page in PAGES[1:]:
        lab.open(page)
    lab.open("combine").set(choice_spread="D^-0.5", setting_position="sinusoidal", setting_scale=False)
    assert tables(lab.state.settings).token is shared.token
    assert torch.equal(shared.token.weight, before)
