"""Every page opens with every preset, at every limit, and leaves what sessions share as it was."""

import pytest
import torch
from driver import PAGES, WITH_SETTINGS, AppDriver

from components.base.presets import PRESETS
from components.ui.tables import tables

WITH_BATCH = ["lookup", "positions", "combine"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_page_opens_with_every_preset(preset):
    app = AppDriver().open().set(preset=preset)
    assert app.state.settings == PRESETS[preset].settings
    for page in PAGES:
        app.open(page)
        assert not app.warnings()
        if page in WITH_BATCH:
            assert not app.errors()
            assert app.charts()


@pytest.mark.parametrize(
    ("position", "layout"),
    [("none", "halves"), ("learned", "halves"), ("sinusoidal", "interleaved"), ("sinusoidal", "halves")],
)
@pytest.mark.parametrize(("V", "D", "scale"), [(1, 1, 0), (1, 2, 1), (5, 1, 1), (9, 7, 0), (50_257, 17, 1)])
def test_batch_pages_open_with_every_position_and_size(position, layout, V, D, scale):
    app = AppDriver().open("lookup", V=V, D=D, position=position, layout=layout, scale=scale, ids="0 0 0; 0 0 0")
    for page in WITH_BATCH:
        app.open(page)
        assert not app.errors()
        assert not app.warnings()


@pytest.mark.parametrize("query", [{"V": 1, "D": 1, "T": 1, "B": 1}, {"V": 200_019, "D": 1}, {"T": 1024, "B": 64}])
def test_every_page_opens_at_the_limits(query):
    app = AppDriver().open(**query)
    for page in PAGES[1:]:
        app.open(page)


@pytest.mark.parametrize("position", ["none", "learned", "sinusoidal"])
@pytest.mark.parametrize("T", [1, 2])
@pytest.mark.parametrize("D", [1, 2])
@pytest.mark.parametrize(("V", "ids"), [(1, "0"), (2, "1 1"), (3, "0;2"), (60, ""), (50_257, "")])
def test_every_page_opens_at_the_smallest_sizes(V, ids, D, T, position):
    query = {"V": V, "D": D, "T": T, "B": 1, "position": position, "tokenizer": "words", "text": "a b a", "ids": ids}
    app = AppDriver().open(**query)
    for page in PAGES[1:]:
        app.open(page)


@pytest.mark.parametrize("query", [{"position": "learned"}, {"position": "sinusoidal", "layout": "halves"}])
def test_combine_opens_at_every_step(query):
    app = AppDriver().open("combine", D=7, scale=1, **query)
    steps = len(app.widget("combine_step").options)
    assert steps > 2
    for step in range(steps):
        app.set(combine_step=step)
        assert app.state.choices.step == step


@pytest.mark.parametrize("page", PAGES)
def test_no_page_draws_from_the_global_random_state(page):
    before = torch.get_rng_state()
    app = AppDriver().open(page, seed=4, shuffle=1, ran=1, repaired=1)
    if page in WITH_SETTINGS:
        app.set(exact_seed=5)
        assert app.state.settings.seed == 5
    assert app.state.settings.shuffle
    assert torch.equal(torch.get_rng_state(), before)


def test_shared_tables_are_never_changed():
    app = AppDriver().open(seed=77, scale=1)
    shared = tables(app.state.settings)
    before = shared.token.weight.detach().clone()
    for page in PAGES[1:]:
        app.open(page)
    app.open("combine").set(combine_spread="D^-0.5", all_position="sinusoidal", all_scale=False)
    assert tables(app.state.settings).token is shared.token
    assert torch.equal(shared.token.weight, before)
