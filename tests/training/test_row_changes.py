import pytest

from components.training import row_changes as reasons
from components.training.config import TrainingConfig
from components.training.row_changes import row_reasons
from components.training.training_text import PAD, training_text
from tests.training.trainings import trained, usual_config


@pytest.mark.parametrize(
    ("optimizer", "options", "has_pads", "expected"),
    [
        ("sgd", {}, True, "MASKED UNCHANGED UNCHANGED"),
        ("sgd", {}, False, "UNCHANGED UNCHANGED UNCHANGED"),
        ("sgd", {"padding_idx": False}, True, "LOOKED_UP UNCHANGED UNCHANGED"),
        ("sgd", {"tied": True}, True, "OUTPUT OUTPUT OUTPUT"),
        ("momentum", {}, True, "MASKED UNCHANGED OPTIMIZER_STATE"),
        ("adam", {}, True, "MASKED UNCHANGED OPTIMIZER_STATE"),
        ("adamw", {}, True, "MASKED OPTIMIZER_STATE OPTIMIZER_STATE"),
        ("adamw", {"padding_idx": False}, False, "OPTIMIZER_STATE OPTIMIZER_STATE OPTIMIZER_STATE"),
    ],
)
def test_each_row_has_its_reason(optimizer, options, has_pads, expected):
    config = usual_config(optimizer, **options)
    row_of_pad, spare_row, others = (getattr(reasons, name) for name in expected.split())
    training = trained(config, 17)
    while bool((training.batch == PAD).any()) is not has_pads:
        training.step()
        assert len(training.losses) < 99
    found, in_batch = row_reasons(training), set(training.batch.flatten().tolist())
    of_tokens = [reasons.LOOKED_UP if row in in_batch else others for row in range(1, 9)]
    assert found == [row_of_pad, *of_tokens, *[spare_row] * 3]
    assert not in_batch >= {*range(1, 9)}
    has_gradient = training.gradient.norm(dim=1).ne(0).tolist()
    assert has_gradient == [reason in (reasons.LOOKED_UP, reasons.OUTPUT) for reason in found]
    assert training.distances[-3:].eq(0).tolist() == [spare_row == reasons.UNCHANGED] * 3
    assert training.table[PAD].any() == (config.tied or not config.padding_idx)


def test_gradient_of_underflowing_norm_is_through_output_layer():
    config = TrainingConfig(dim=64, seed=2, batch_size=1, tied=True, position="none", learning_rate=10.0)
    found = row_reasons(trained(config, 1, training_text([10, 11] * 3, 1, 1)))
    assert reasons.OUTPUT in found
    assert reasons.OPTIMIZER_STATE not in found
