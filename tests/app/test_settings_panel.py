import re

import pytest
from lab import WITH_SETTINGS, Lab

from components.core.presets import PRESETS
from components.core.settings import Settings

UNITS = {"bytes": 1, "kB": 10**3, "MB": 10**6}


def panel(lab):
    return "\n".join(caption.value for caption in lab.at.sidebar.caption)


@pytest.mark.parametrize(("V", "D"), [(6, 3), (1, 1), (500, 20), (50_257, 256), (200_019, 64)])
def test_the_memory_line_is_v_times_d_times_four_bytes(V, D):
    text = panel(Lab().open(V=V, D=D))
    rows, columns, size, unit = re.search(r"([\d,]+) × ([\d,]+) × 4 bytes = \*\*([\d.]+) (\w+)\*\*", text).groups()
    assert (int(rows.replace(",", "")), int(columns.replace(",", ""))) == (V, D)
    assert float(size) * UNITS[unit] == pytest.approx(V * D * 4, abs=0.051 * UNITS[unit] * (unit != "bytes"))


@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("vocab_size", 0, "V = 0"),
        ("vocab_size", -5, "V = -5"),
        ("vocab_size", 10**15, "V = 1,000,000,000,000,000"),
        ("dim", 0, "D = 0"),
        ("batch_size", 0, "B = 0"),
        ("context_length", 5000, "T = 5,000"),
        ("stride", 0, "stride = 0"),
        ("seed", -1, "seed = -1"),
        ("seed", 2**32, "seed = 4,294,967,296"),
    ],
)
def test_a_value_that_cannot_work_is_named_and_the_last_valid_one_stays(key, value, label):
    lab = Lab().open("lookup")
    before = lab.state
    lab.set(**{f"setting_{key}": value})
    (sentence,) = lab.warnings()
    assert label in sentence
    assert lab.state == before
    assert lab.widget(f"setting_{key}").value == getattr(Settings(), key)
    assert not lab.run().warnings()


@pytest.mark.parametrize("key", ["setting_dim", "slider_dim"])
def test_a_table_above_the_limit_is_refused_with_its_size(key):
    lab = Lab().open("combine").set(**{key: 1024})
    (sentence,) = lab.warnings()
    for part in ("V = 50,257", "D = 1,024", "205.9 MB", "67.1 MB"):
        assert part in sentence
    assert lab.state.settings == Settings()
    assert lab.widget("setting_dim").value == lab.widget("slider_dim").value == 16


def test_a_batch_above_the_limit_is_refused_with_its_numbers():
    lab = Lab().open("reproduce", V=100, D=1024, T=32, B=32).set(setting_batch_size=33)
    (sentence,) = lab.warnings()
    assert "B = 33" in sentence
    assert lab.widget("setting_batch_size").value == 32


def test_an_emptied_entry_shows_the_last_valid_value_again():
    lab = Lab().open("lookup", D=5).set(setting_dim=None)
    assert lab.widget("setting_dim").value == lab.state.settings.dim == 5


@pytest.mark.parametrize(("name", "step", "between", "nearest"), [("vocab_size", 6, 7_000, 5_000), ("dim", 8, 17, 16)])
def test_slider_and_entry_follow_each_other(name, step, between, nearest):
    lab = Lab().open().set(**{f"slider_{name}": step})
    assert lab.widget(f"setting_{name}").value == step
    lab.set(**{f"setting_{name}": between})
    assert lab.widget(f"slider_{name}").value == nearest
    assert getattr(lab.state.settings, name) == between


@pytest.mark.parametrize("page", WITH_SETTINGS)
def test_settings_are_the_same_on_every_page(page):
    lab = Lab().open().set(setting_dim=5, setting_seed=9, setting_position="sinusoidal", setting_scale=True)
    lab.open(page).run()
    shown = [lab.widget(f"setting_{name}").value for name in ("dim", "seed", "position", "scale")]
    assert shown == [5, 9, "sinusoidal", True]


def test_the_layout_is_asked_for_only_where_it_matters():
    lab = Lab().open()
    keys = [getattr(element, "key", None) for element in lab.at.sidebar]
    assert "setting_layout" not in keys
    lab.set(setting_position="sinusoidal", setting_layout="halves")
    assert lab.state.settings.layout == "halves"


def test_a_preset_is_recognised_and_a_change_makes_the_settings_the_learner_s_own():
    lab = Lab().open("lookup").set(preset="Toy table")
    assert lab.state.settings == PRESETS["Toy table"].settings
    assert PRESETS["Toy table"].note in panel(lab)
    lab.set(setting_dim=4)
    assert lab.widget("preset").value not in PRESETS
    assert lab.set(setting_dim=3).widget("preset").value == "Toy table"
