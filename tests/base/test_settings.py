import re

import pytest

from components.base.settings import Settings, read_settings


def test_read_settings_reduces_table_and_batch_until_they_fit():
    settings, (problem,) = read_settings(Settings(), {"V": "50257", "D": "768"})
    assert settings.dim == 333
    assert problem == (
        "With V = 50,257 and D = 768 the table that all lessons share would take 154.4 MB; the limit is 67.1 MB: "
        "using D = 333. For D = 768 lower V to 21,845."
    )
    assert "limit is 67.1 MB: using D = 1,016. For D" in read_settings(Settings(), {"V": "16500", "D": "1024"})[1][0]
    settings, (problem,) = read_settings(Settings(), {"V": "9", "D": "1024", "T": "1000", "B": "64"})
    assert (settings.batch_size, settings.context_length) == (1, 1_000)
    batch = "A batch of B = 64 × T = 1,000 × D = 1,024 has 65,536,000 elements; the limit is 1,048,576"
    assert problem == f"{batch}: using B = 1 and T = 1,000."
    assert read_settings(Settings(), {"V": "9", "D": "1024", "T": "512", "B": "2"})[1] == []


@pytest.mark.parametrize(
    ("vocab_size", "dim", "size"), [(50_257, 768, "154.4 MB"), (200_019, 1_024, "819.3 MB"), (16_385, 1_024, "67.1 MB")]
)
def test_settings_table_over_limit_is_refused_with_fitting_sizes(vocab_size, dim, size):
    with pytest.raises(ValueError, match=rf"would take {size}; the limit is 67.1 MB\. D can be") as caught:
        Settings(vocab_size=vocab_size, dim=dim)
    fitting_dim, fitting_vocab = (int(n.replace(",", "")) for n in re.findall(r"at most ([\d,]+)", str(caught.value)))
    for V, D in ((vocab_size, fitting_dim), (fitting_vocab, dim)):
        assert Settings(vocab_size=V, dim=D).dim == D
    for V, D in ((vocab_size, fitting_dim + 1), (fitting_vocab + 1, dim)):
        with pytest.raises(ValueError, match="the limit is"):
            Settings(vocab_size=V, dim=D)


def test_settings_batch_over_limit_is_refused_with_its_size():
    assert Settings(vocab_size=9, dim=64, context_length=1_024, batch_size=16).batch_size == 16
    with pytest.raises(ValueError, match="has 1,114,112 elements; the limit is 1,048,576"):
        Settings(vocab_size=9, dim=64, context_length=1_024, batch_size=17)
