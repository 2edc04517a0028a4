"""The shared settings: in the row of controls, in the panel of all settings, and from inside a lesson."""

import re

import pytest
from driver import WITH_SETTINGS, AppDriver

from components.base.presets import PRESETS
from components.base.settings import Settings

UNITS = {"bytes": 1, "kB": 10**3, "MB": 10**6}


def panel_note(app):
    return next(caption.value for caption in app.at.caption if "Token table: " in caption.value)


@pytest.mark.parametrize(("V", "D"), [(6, 3), (1, 1), (500, 20), (50_257, 256), (200_019, 64)])
def test_panel_shows_v_times_d_times_four_bytes(V, D):
    text = panel_note(AppDriver().open(V=V, D=D).open_panel("settings"))
    rows, columns, size, unit = re.search(r"([\d,]+) × ([\d,]+) × 4 bytes = \*\*([\d.]+) (\w+)\*\*", text).groups()
    assert (int(rows.replace(",", "")), int(columns.replace(",", ""))) == (V, D)
    assert float(size) * UNITS[unit] == pytest.approx(V * D * 4, abs=0.051 * UNITS[unit] * (unit != "bytes"))


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("exact_vocab_size", 0, "V = 0"),
        ("exact_vocab_size", -5, "V = -5"),
        ("exact_vocab_size", 10**15, "V = 1,000,000,000,000,000"),
        ("exact_dim", 0, "D = 0"),
        ("all_batch_size", 0, "B = 0"),
        ("all_context_length", 5000, "T = 5,000"),
        ("all_stride", 0, "stride = 0"),
        ("exact_seed", -1, "seed = -1"),
        ("exact_seed", 2**32, "seed = 4,294,967,296"),
    ],
)
def test_an_invalid_value_is_named_once_and_the_last_valid_stays(name, value, label):
    app = AppDriver().open("lookup")
    before = app.state
    app.set(**{name: value})
    (sentence,) = app.warnings()
    assert label in sentence
    assert app.state == before
    assert app.widget(name).value == getattr(Settings(), name.partition("_")[2])
    assert not app.run().warnings()


@pytest.mark.parametrize("name", ["exact_dim", "all_dim", "row_dim"])
def test_a_table_above_the_limit_is_rejected_with_its_size(name):
    app = AppDriver().open("combine").open_panel("settings").set(**{name: 1024})
    (sentence,) = app.warnings()
    for part in ("V = 50,257", "D = 1,024", "205.9 MB", "67.1 MB"):
        assert part in sentence
    assert app.state.settings == Settings()
    assert [app.widget(f"{area}_dim").value for area in ("exact", "all", "row")] == [16, 16, 16]


def test_a_batch_above_the_limit_is_rejected_with_its_numbers():
    app = AppDriver().open("reproduce", V=100, D=1024, T=32, B=32).set(all_batch_size=33)
    (sentence,) = app.warnings()
    assert "B = 33" in sentence
    assert app.widget("all_batch_size").value == 32


def test_an_emptied_field_shows_the_last_valid_value():
    app = AppDriver().open("lookup", D=5).set(exact_dim=None)
    assert app.widget("exact_dim").value == app.state.settings.dim == 5


@pytest.mark.parametrize(
    ("name", "step", "between", "nearest"), [("vocab_size", 6, 7_000, 5_000), ("dim", 8, 17, 16), ("seed", 9, 500, 200)]
)
def test_row_slider_and_exact_field_follow_each_other(name, step, between, nearest):
    app = AppDriver().open("lookup").open_panel("settings").set(**{f"row_{name}": step})
    assert app.widget(f"exact_{name}").value == app.widget(f"all_{name}").value == step
    app.set(**{f"exact_{name}": between})
    assert app.widget(f"row_{name}").value == app.widget(f"all_{name}").value == nearest
    assert getattr(app.state.settings, name) == between


def test_one_setting_in_row_and_panel_has_the_same_value():
    app = AppDriver().open("positions").set(row_position="sinusoidal", row_layout="halves").open_panel("settings")
    assert app.widget("all_position").value == "sinusoidal"
    assert app.widget("all_layout").value == "halves"
    assert app.set(all_position="learned").widget("row_position").value == "learned"


def test_settings_are_the_same_on_every_page():
    app = AppDriver().open().set(exact_dim=5, exact_seed=9, all_position="sinusoidal", all_scale=True)
    for page in WITH_SETTINGS:
        app.open(page).open_panel("settings")
        names = ("exact_dim", "exact_seed", "all_position", "all_scale")
        assert [app.widget(name).value for name in names] == [5, 9, "sinusoidal", True]


def test_a_preset_is_recognized_and_a_change_makes_it_custom():
    app = AppDriver().open("lookup").set(preset="Toy table")
    assert app.state.settings == PRESETS["Toy table"].settings
    assert PRESETS["Toy table"].note in panel_note(app)
    app.set(exact_dim=4)
    assert app.widget("preset").value == "Custom"
    assert app.set(exact_dim=3).widget("preset").value == "Toy table"


def test_a_setting_changed_in_the_lesson_updates_the_frame():
    app = AppDriver().open("lookup", V=6, ids="2 41").open_panel("settings")
    app.press("Set V to 42")
    assert app.widget("exact_vocab_size").value == 42
    assert app.widget("row_vocab_size").value == 32  # the largest step below 42
    assert not app.errors()


def test_a_lesson_s_own_control_changes_nothing_in_the_frame():
    app = AppDriver().open("lookup")
    before = app.learner.shown_by_frame
    app.set(lookup_input="single", lookup_rows_in_use=False, lookup_row=24)
    assert app.state.choices.input == "single"
    assert app.learner.shown_by_frame == before
    assert app.set(row_dim=4).learner.shown_by_frame != before


@pytest.mark.parametrize(("name", "value"), [("setting_shuffle", True), ("setting_drop_last", True), ("batch", 1)])
def test_choices_of_windows_reach_the_next_lessons(name, value):
    app = AppDriver().open("windows").set(**{name: value})
    assert app.widget(name).value == value
    chosen = app.state.settings
    assert chosen != Settings()
    assert app.open("lookup").state.settings == chosen
