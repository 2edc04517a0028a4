from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from components.base.settings import POSITIONS
from components.embedding.positions import sinusoidal_positions
from components.embedding.tables import seeded_generator
from components.lessons.training.choices import OPTIMIZERS
from components.training.config import TrainingConfig
from components.training.model import NextToken
from components.training.optimizers import USUAL_RATES, optimizer_step
from components.training.recorded import RecordedTraining
from components.training.row_changes import (
    LOOKED_UP,
    MASKED,
    OPTIMIZER_STATE,
    OUTPUT,
    UNCHANGED,
    next_token,
    row_changes,
)
from components.training.training_text import PAD, TrainingText, training_text
from components.ui.tables import shared_token_table

DECAY = 0.1
SMALL = settings(max_examples=25)


def made_up(n_tokens: int = 62, kinds: int = 8, T: int = 4, stride: int = 4) -> TrainingText:
    """A text of random tokens; with these defaults its last window has 2 pads."""
    ids = 10 + torch.randint(kinds, (n_tokens,), generator=seeded_generator(n_tokens)).numpy()
    return training_text(ids, T, stride)


def usual(optimizer: str, **rest: object) -> TrainingConfig:
    decay = DECAY if optimizer == "adamw" else 0.0
    return TrainingConfig(
        **{"dim": 6, "optimizer": optimizer, "learning_rate": USUAL_RATES[optimizer], "weight_decay": decay, **rest}
    )


def trained(text: TrainingText, recipe: TrainingConfig, steps: int) -> RecordedTraining:
    training = RecordedTraining(text, recipe)
    for _ in range(steps):
        training.step()
    return training


def torch_optimizer(name: str, parameters: list[torch.Tensor], rate: float, decay: float) -> torch.optim.Optimizer:
    classes: dict[str, Callable] = {
        "sgd": lambda: torch.optim.SGD(parameters, lr=rate),
        "momentum": lambda: torch.optim.SGD(parameters, lr=rate, momentum=0.9),
        "adam": lambda: torch.optim.Adam(parameters, lr=rate),
        "adamw": lambda: torch.optim.AdamW(parameters, lr=rate, weight_decay=decay),
    }
    return classes[name]()


def plain_layers(V: int, T: int, recipe: TrainingConfig) -> tuple[nn.Embedding, nn.Embedding, nn.Linear]:
    with torch.random.fork_rng():
        torch.manual_seed(recipe.seed)
        token = nn.Embedding(V, recipe.dim, padding_idx=0 if recipe.padding_idx else None)
        return token, nn.Embedding(T, recipe.dim), nn.Linear(recipe.dim, V, bias=False)


def plain_losses(text: TrainingText, recipe: TrainingConfig, steps: int) -> list[float]:
    """The same training, written with torch's modules and torch's optimizers."""
    N, T = text.inputs.shape
    token, learned, output = plain_layers(text.vocab_size, T, recipe)
    if recipe.tied:
        output.weight = token.weight
    layers = [token, output] + ([learned] if recipe.position == "learned" else [])
    parameters = list(dict.fromkeys(p for layer in layers for p in layer.parameters()))
    optimizer = torch_optimizer(recipe.optimizer, parameters, recipe.learning_rate, recipe.weight_decay)
    fixed = sinusoidal_positions(T, recipe.dim, recipe.layout)
    order, losses = torch.Generator().manual_seed(recipe.seed), []
    while True:
        for windows in torch.randperm(N, generator=order).split(recipe.batch_size):
            if len(losses) == steps:
                return losses
            x = token(text.inputs[windows])
            if recipe.position == "learned":
                x = x + learned(torch.arange(T))
            elif recipe.position == "sinusoidal":
                x = x + fixed
            loss = F.cross_entropy(output(x).flatten(0, 1), text.targets[windows].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())


TEXTS = st.tuples(st.lists(st.integers(10, 16), min_size=5, max_size=40), st.integers(1, 5), st.integers(1, 5))


def windows_of(ids: list[int], T: int, stride: int) -> TrainingText:
    return training_text([10, 11, *ids], T, stride)


def recipes(**fixed: object) -> st.SearchStrategy[TrainingConfig]:
    free = {
        "dim": st.integers(2, 5),
        "seed": st.integers(0, 999),
        "batch_size": st.integers(1, 3),
        "position": st.sampled_from(POSITIONS),
        "learning_rate": st.just(0.05),
        "weight_decay": st.just(DECAY),
        "optimizer": st.sampled_from(OPTIMIZERS),
        "tied": st.booleans(),
        "padding_idx": st.booleans(),
    }
    return st.builds(TrainingConfig, **(free | {name: st.just(value) for name, value in fixed.items()}))


@pytest.mark.parametrize("seed", [0, 1, 123, 2**32 - 1])
@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize(("V", "D", "T"), [(3, 2, 1), (21, 16, 4), (40, 7, 5), (1_003, 64, 16)])
def test_the_start_weights_are_those_of_torch_to_the_bit(V, D, T, padding_idx, seed):
    recipe = TrainingConfig(D, seed, padding_idx=padding_idx)
    model = NextToken(V, T, recipe)
    token, learned, output = plain_layers(V, T, recipe)
    assert torch.equal(model.token.weight, token.weight)
    assert torch.equal(model.position, learned.weight)
    assert torch.equal(model.output, output.weight)


@pytest.mark.parametrize("position", POSITIONS)
def test_the_output_layer_begins_the_same_whichever_positions_are_used(position):
    wanted = NextToken(9, 4, TrainingConfig(5)).output
    assert torch.equal(NextToken(9, 4, TrainingConfig(5, position=position)).output, wanted)


def test_tied_the_output_layer_is_the_token_table():
    model = NextToken(9, 4, TrainingConfig(5, tied=True, position="none"))
    assert model.output is model.token.weight
    assert [tuple(weight.shape) for weight in model.parameters()] == [(9, 5)]


def test_training_leaves_the_random_state_of_the_process_as_it_is():
    before = torch.get_rng_state()
    trained(made_up(), TrainingConfig(), 20)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("padding_idx", [False, True])
def test_loss_and_gradient_are_those_worked_by_hand(tied, padding_idx):
    inputs, targets = torch.tensor([[1, 0]]), torch.tensor([[2, 0]])
    text = TrainingText(inputs, targets, (-1, 7, 8), (0, 1, 1), {(1, 2): 1, (0, 0): 1}, np.array([1, 2]))
    training = trained(text, TrainingConfig(dim=2, batch_size=1, tied=tied, padding_idx=padding_idx), 1)
    start = training.initial_model
    W, P, output = (t.detach().double().numpy() for t in (start.token.weight, start.position, start.output))
    X = W[[1, 0]] + P
    shares = np.exp(X @ output.T)
    shares /= shares.sum(axis=1, keepdims=True)
    slopes = (shares - np.eye(3)[[2, 0]]) / 2
    wanted = np.zeros((3, 2))
    wanted[1] = slopes[0] @ output
    if not padding_idx:
        wanted[0] = slopes[1] @ output
    if tied:
        wanted += slopes.T @ X
    assert training.losses == pytest.approx([-np.log([shares[0, 2], shares[1, 0]]).mean()], rel=1e-6)
    assert training.gradient.numpy() == pytest.approx(wanted, rel=1e-5, abs=1e-7)
    assert np.abs(wanted[1:]).max() > 0.01


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("padding_idx", [True, False])
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_plain_torch_loop_has_the_same_losses_to_the_bit(optimizer, tied, padding_idx, position):
    text = made_up()
    recipe = usual(optimizer, tied=tied, padding_idx=padding_idx, position=position, batch_size=3)
    assert trained(text, recipe, 30).losses == plain_losses(text, recipe, 30)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_rule_moves_as_its_class_in_torch_to_the_bit(name):
    draw = seeded_generator(5)
    ours = [torch.randn(shape, generator=draw) for shape in ((7, 3), (4,))]
    theirs = [nn.Parameter(weight.clone()) for weight in ours]
    step, optimizer = optimizer_step(name, ours, 0.03, 0.2), torch_optimizer(name, theirs, 0.03, 0.2)
    for _ in range(20):
        gradients = [torch.randn(weight.shape, generator=draw) for weight in ours]
        step(gradients)
        for weight, gradient in zip(theirs, gradients, strict=True):
            weight.grad = gradient
        optimizer.step()
        assert all(map(torch.equal, ours, theirs))


def test_decay_is_for_adamw_alone_and_another_name_is_refused():
    for name in OPTIMIZERS:
        with_decay, without = torch.ones(3), torch.ones(3)
        optimizer_step(name, [with_decay], 0.1, 0.5)([torch.ones(3)])
        optimizer_step(name, [without], 0.1, 0.0)([torch.ones(3)])
        assert torch.equal(with_decay, without) is (name != "adamw")
    with pytest.raises(KeyError):
        optimizer_step("rmsprop", [], 0.1)


@given(TEXTS, recipes(tied=False))
@SMALL
def test_untied_a_row_outside_the_batch_has_a_gradient_of_exactly_0(text, recipe):
    training = RecordedTraining(windows_of(*text), recipe)
    for _ in range(6):
        training.step()
        outside = ~torch.isin(torch.arange(training.text.vocab_size), training.batch)
        assert not training.gradient[outside].any()
        assert training.gradient.any()


@given(TEXTS, recipes(tied=False, optimizer="sgd"))
@SMALL
def test_untied_sgd_leaves_rows_outside_the_batch_as_they_are(text, recipe):
    training = RecordedTraining(windows_of(*text), recipe)
    for _ in range(6):
        before = training.table.clone()
        training.step()
        outside = ~torch.isin(torch.arange(training.text.vocab_size), training.batch)
        assert torch.equal(training.table[outside], before[outside])
        assert torch.equal(training.previous_table, before)
        assert not torch.equal(training.table, before)


@given(TEXTS, recipes(tied=True))
@SMALL
def test_tied_every_row_has_a_gradient(text, recipe):
    training = RecordedTraining(windows_of(*text), recipe)
    for _ in range(4):
        training.step()
        assert training.gradient.ne(0).any(dim=1).all()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_padding_idx_keeps_the_pad_row_at_zero_though_pads_are_in_the_batch(optimizer):
    training = RecordedTraining(made_up(), usual(optimizer))
    for _ in range(40):
        training.step()
        assert not training.table[PAD].any()
    assert training.seen[PAD]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_tied_the_pad_row_moves_in_spite_of_padding_idx(optimizer):
    training = trained(made_up(), usual(optimizer, tied=True), 1)
    assert not training.initial_model.token.weight[PAD].any()
    assert training.table[PAD].any()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_without_padding_idx_pads_in_the_batch_move_their_row(optimizer):
    training = RecordedTraining(made_up(), usual(optimizer, padding_idx=False))
    assert training.table[PAD].any()
    while not training.seen[PAD]:
        assert not training.gradient[PAD].any()
        training.step()
        assert len(training.losses) <= 8  # an epoch
    assert training.gradient[PAD].any()
    assert not torch.equal(training.table[PAD], training.previous_table[PAD])


@given(TEXTS, recipes(tied=False, padding_idx=False), st.sampled_from(["momentum", "adam"]))
@SMALL
def test_momentum_and_adam_move_rows_of_earlier_batches_but_none_that_was_in_no_batch(text, recipe, optimizer):
    training = RecordedTraining(windows_of(*text), replace(recipe, optimizer=optimizer))
    start = training.table.clone()
    for _ in range(6):
        earlier = training.seen.clone()
        training.step()
        earlier[training.batch.flatten()] = False
        moves = (training.table != training.previous_table).any(dim=1)
        assert moves[earlier].all()
        assert torch.equal(training.table[~training.seen], start[~training.seen])


def test_rows_of_earlier_batches_are_among_those_that_momentum_moves():
    found = row_changes(trained(made_up(), usual("momentum"), 3))
    assert sum(reason == OPTIMIZER_STATE for reason in found.reasons) >= 2


@given(TEXTS, recipes(tied=False, padding_idx=False, optimizer="adamw"))
@SMALL
def test_adamw_shrinks_rows_that_were_in_no_batch_by_learning_rate_times_decay(text, recipe):
    training, rest = RecordedTraining(windows_of(*text), recipe), 1 - recipe.learning_rate * recipe.weight_decay
    start = training.table.clone()
    for step in range(1, 9):
        training.step()
        never = ~training.seen
        assert never[-3:].all()
        assert torch.allclose(training.table[never], training.previous_table[never] * rest, rtol=1e-6, atol=0)
        assert torch.allclose(training.table[never], start[never] * rest**step, rtol=1e-5, atol=0)


@pytest.mark.parametrize("recipe", [TrainingConfig(), usual("adamw", tied=True, dim=64, batch_size=8)])
def test_the_same_seed_gives_the_same_losses_to_the_bit_in_threads_and_in_slices(recipe):
    text, steps = made_up(400, kinds=60), 300
    wanted = trained(text, recipe, steps)
    both, together = [RecordedTraining(text, recipe) for _ in range(2)], Barrier(2)

    def run(training: RecordedTraining) -> None:
        together.wait()
        for _ in range(steps):
            training.step()

    threads = [Thread(target=run, args=(training,)) for training in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sliced = RecordedTraining(text, recipe)
    for upto in (1, 1, 8, 9, 150, steps):
        sliced.advance(upto, seconds=60.0)
        assert len(sliced.losses) == upto
    moments = RecordedTraining(text, recipe)
    while len(moments.losses) < steps:
        moments.advance(steps, seconds=0.001)
    for training in (*both, sliced, moments):
        assert training.losses == wanted.losses
        assert torch.equal(training.table, wanted.table)


def test_another_seed_gives_other_losses():
    assert trained(made_up(), TrainingConfig(seed=1), 3).losses != trained(made_up(), TrainingConfig(seed=2), 3).losses


def test_without_time_no_step_is_taken():
    training = RecordedTraining(made_up(), TrainingConfig())
    training.advance(100, seconds=0.0)
    assert training.losses == []


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("optimizer", ["sgd", "momentum"])
def test_a_loss_that_explodes_stops_the_training(optimizer, tied):
    training = RecordedTraining(made_up(), TrainingConfig(optimizer=optimizer, tied=tied, learning_rate=1e6))
    training.advance(1_000, seconds=60.0)
    assert training.diverged
    assert not np.isfinite(training.losses[-1])
    assert np.isfinite(training.losses[:-1]).all()
    losses, table, steps = [*training.losses], training.table.clone(), [*training.snapshots.steps]
    training.step()
    training.advance(2_000, seconds=60.0)
    assert np.array_equal(training.losses, losses, equal_nan=True)
    assert torch.equal(training.table, table)
    assert training.snapshots.steps == steps


def test_what_sessions_share_never_changes():
    text, recipe = made_up(), usual("adamw", tied=True)
    inputs, targets = text.inputs.clone(), text.targets.clone()
    shared = shared_token_table(text.vocab_size, recipe.dim, recipe.seed).weight.detach()
    before = shared.clone()
    training = trained(text, recipe, 40)
    fresh = NextToken(text.vocab_size, 4, recipe)
    assert all(map(torch.equal, training.initial_model.parameters(), fresh.parameters()))
    assert not torch.equal(training.table, training.initial_model.token.weight)
    assert torch.equal(shared_token_table(text.vocab_size, recipe.dim, recipe.seed).weight, before)
    assert torch.equal(text.inputs, inputs)
    assert torch.equal(text.targets, targets)


def test_every_window_is_in_one_batch_of_an_epoch():
    text = made_up()
    training, seen = RecordedTraining(text, TrainingConfig(batch_size=3)), []
    for _ in range(6):
        training.step()
        seen += training.batch.tolist()
    assert len(training.batch) == 1  # 16 windows by 3
    assert sorted(seen) == sorted(text.inputs.tolist())


def step_until(training: RecordedTraining, pads: bool) -> RecordedTraining:
    training.step()
    while bool((training.batch == PAD).any()) is not pads:
        training.step()
        assert len(training.losses) < 99
    return training


@pytest.mark.parametrize(
    ("recipe", "pads", "row_of_pad", "spare_row", "outside"),
    [
        (usual("sgd"), True, MASKED, UNCHANGED, UNCHANGED),
        (usual("sgd"), False, UNCHANGED, UNCHANGED, UNCHANGED),
        (usual("sgd", padding_idx=False), True, LOOKED_UP, UNCHANGED, UNCHANGED),
        (usual("sgd", tied=True), True, OUTPUT, OUTPUT, OUTPUT),
        (usual("sgd", tied=True), False, OUTPUT, OUTPUT, OUTPUT),
        (usual("momentum"), True, MASKED, UNCHANGED, OPTIMIZER_STATE),
        (usual("adam"), True, MASKED, UNCHANGED, OPTIMIZER_STATE),
        (usual("adamw"), True, MASKED, OPTIMIZER_STATE, OPTIMIZER_STATE),
        (usual("adamw", padding_idx=False), False, OPTIMIZER_STATE, OPTIMIZER_STATE, OPTIMIZER_STATE),
    ],
)
def test_every_row_has_the_reason_why_it_moved(recipe, pads, row_of_pad, spare_row, outside):
    training = RecordedTraining(made_up(), recipe)
    for _ in range(16):
        training.step()
    found = row_changes(step_until(training, pads))
    assert found.reasons[PAD] == row_of_pad
    assert found.reasons[-3:] == (spare_row,) * 3
    for row in range(1, 9):
        assert found.reasons[row] == (LOOKED_UP if row in training.batch else outside)
    assert not torch.isin(torch.arange(1, 9), training.batch).all()


def test_lengths_and_distances_are_those_of_the_rows():
    training = trained(made_up(), usual("adam"), 5)
    found = row_changes(training)
    now, start = training.table.numpy(), training.initial_model.token.weight.detach().numpy()
    assert found.distance.numpy() == pytest.approx(np.sqrt(((now - start) ** 2).sum(axis=1)), rel=1e-5)
    assert found.gradient.numpy() == pytest.approx(np.linalg.norm(training.gradient.numpy(), axis=1), rel=1e-5)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("place", [0, 3])
def test_the_next_token_is_the_softmax_over_row_and_place(position, tied, place):
    model = trained(made_up(), TrainingConfig(position=position, tied=tied, layout="halves"), 9).model
    vector = model.token.weight[2].detach().double().numpy()
    if position == "learned":
        vector = vector + model.position[place].detach().double().numpy()
    elif position == "sinusoidal":
        rates = 10_000.0 ** (-np.arange(0, 16, 2) / 16)
        vector = vector + np.concatenate([np.sin(place * rates), np.cos(place * rates)])
    logits = model.output.detach().double().numpy() @ vector
    shares = np.exp(logits - logits.max())
    assert next_token(model, 2, place).numpy() == pytest.approx(shares / shares.sum(), rel=1e-4)


def test_the_loss_over_the_text_is_that_of_all_its_places_at_once():
    training = trained(made_up(), TrainingConfig(), 7)
    logits = training.model(training.text.inputs).detach()
    assert training.text_loss() == pytest.approx(F.cross_entropy(logits.flatten(0, 1), training.text.targets.flatten()))
    before = training.text_loss()
    training.step()
    assert training.text_loss() != before


def test_the_loss_over_a_long_text_is_taken_in_parts(monkeypatch):
    training = trained(made_up(), TrainingConfig(), 7)
    whole = training.text_loss()
    monkeypatch.setattr("components.training.model.MAX_LOGITS", 1)
    training.step()
    training._text_loss = (-1, 0.0)
    parts = training.text_loss()
    assert parts != whole
    logits = training.model(training.text.inputs).detach()
    assert parts == pytest.approx(F.cross_entropy(logits.flatten(0, 1), training.text.targets.flatten()).item())


def test_weights_out_of_range_are_told_before_the_loss_has_seen_them():
    training = trained(made_up(), TrainingConfig(), 3)
    assert training.finite
    training.table[0, 0] = torch.inf
    assert not training.finite


def test_a_training_counts_at_least_the_memory_of_its_tables():
    training = trained(made_up(), usual("adam"), 5)
    held = 4 * training.table.nbytes + training.snapshots.nbytes
    assert held < training.nbytes < 50 * held


def test_sgd_never_moves_a_row_without_a_gradient():
    text = training_text([10, 11] * 3, 1, 1)
    recipe = TrainingConfig(dim=64, seed=2, batch_size=1, tied=True, position="none", learning_rate=10.0)
    assert OPTIMIZER_STATE not in row_changes(trained(text, recipe, 1)).reasons
