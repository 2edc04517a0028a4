import pytest

from components.base.field_types import field_types_of
from components.base.presets import PRESETS
from components.base.settings import Settings
from tests.app_driver import AppDriver
from tests.states import app_state

TOO_LARGE = "With V = 50,257 and D = 1,024 the table that all lessons share would take 205.9 MB; the limit is 67.1 MB"
FITTING = "D can be at most 333 with this V, V at most 16,384 with this D"


@pytest.mark.parametrize(
    ("name", "value", "warnings"),
    [
        ("exact_vocab_size", 10**15, ["V = 1,000,000,000,000,000 is outside its limits: enter 1 to 200,019."]),
        ("exact_dim", None, []),
        ("exact_vocab_size", 12.7, ["V = '12.7' is not a whole number from 1 to 200,019."]),
        ("exact_seed", 1e300, ["seed = '10000000000000000525…' is outside its limits: enter 0 to 4,294,967,295."]),
        ("row_dim", 1024, [f"{TOO_LARGE}. {FITTING}."]),
    ],
)
def test_invalid_value_is_named_once_and_the_last_valid_stays(name, value, warnings):
    app = AppDriver().open("lookup").open_panel("settings")
    before, setting = app.state, name.partition("_")[2]
    controls = [f"{area}_{setting}" for area in ("exact", "all", "row") if app.widgets(f"{area}_{setting}")]
    values = [app.widget(each).value for each in controls]
    app.set(**{name: value})
    assert app.warnings() == warnings
    assert app.state == before
    assert [app.widget(each).value for each in controls] == values
    assert not app.run().warnings()


@pytest.mark.parametrize(
    ("name", "step", "between", "nearest"), [("vocab_size", 6, 7_000, 5_000), ("dim", 8, 17, 16), ("seed", 9, 500, 200)]
)
def test_controls_of_one_setting_follow_each_other(name, step, between, nearest):
    app = AppDriver().open("lookup").open_panel("settings").set(**{f"row_{name}": step})
    assert app.widget(f"exact_{name}").value == step
    app.set(**{f"exact_{name}": between})
    slider = app.widget(f"row_{name}")
    assert (slider.value, slider.format_func(nearest)) == (nearest, f"{between:,}")
    assert getattr(app.state.settings, name) == between


def test_every_setting_of_number_or_name_has_a_panel_control():
    app = AppDriver().open("lookup", position="sinusoidal").open_panel("settings")
    elsewhere = {"ids", "batch", "shuffle", "drop_last"}  # the panel of the text, and Windows
    names = field_types_of(Settings).keys() - elsewhere
    missing = {name for name in names if not app.widgets(f"all_{name}")}
    assert not missing, "name them in SLIDERS, FIELDS or CHOICES of components/ui/settings_controls.py"


def test_layout_is_shown_with_sinusoidal_positions_only():
    app = AppDriver().open("positions", position="learned")
    assert not app.open_panel("settings").widgets("all_layout")
    app.set(row_position="sinusoidal", all_layout="halves")
    assert (app.widget("all_position").value, app.widget("all_layout").value) == ("sinusoidal", "halves")
    assert app.set(all_position="learned").widget("row_position").value == "learned"


def test_preset_is_recognized_and_a_change_makes_it_custom():
    app = AppDriver().open("lookup", text="mine", row=3).set(preset="Toy table")
    assert app.app_state == app_state(PRESETS["Toy table"].settings, "mine", row=3)
    note = f"{PRESETS['Toy table'].note} Token embedding table: 6 × 3 × 4 bytes = **72 bytes** (limit 67.1 MB)"
    assert note in app.words
    assert app.set(exact_dim=4).widget("preset").value == "Custom"
    assert app.set(exact_dim=3).widget("preset").value == "Toy table"
    assert "6 × 1,024 × 4 bytes = **24.6 kB** (limit" in app.set(exact_dim=1_024).words


def test_field_with_only_one_number_is_left_out():
    app = AppDriver().open("combine", T=1, D=2, d=0, text="a b c").open_sections()
    fields = [field.label for field in app.at.number_input]
    assert "Column d, 0 to 1" in fields
    assert not any("Position t" in label for label in fields)
    refused = app.set(combine_d=0.5).warnings()
    assert refused == ["d = '0.5' is not a whole number from 0 to 1,024."]
    assert app.state.choices.d == app.widget("combine_d").value != 0.5
    assert type(app.set(combine_d=1).state.choices.d) is int
