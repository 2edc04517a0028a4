"""With GPT-2's table chosen, a program fetches the same rows by ranges, and prints what its page has."""

import re
from importlib import import_module

import numpy as np
import pytest

from tests.app_driver import CODE, AppDriver
from tests.gpt2_server import RangeHandler, fill_cache
from tests.programs.labels import differences, tensors_of
from tests.programs.run_programs import run_many

STATES = [
    {"position": "learned"},
    {"position": "sinusoidal", "layout": "halves", "scale": 1, "rows_in_use": 0, "row": 50},
    {"position": "learned", "ids": "2 3 5 1; 262 9 9 1"},
]


@pytest.mark.parametrize("lesson", ["lookup", "positions", "combine", "attention"])
def test_program_fetches_the_rows_of_its_page(gpt2, lesson):
    apps = [AppDriver().open(lesson, table="gpt2", head="text", **state).open_sections() for state in STATES]
    before = len(RangeHandler.requests)
    for app, ran in zip(apps, run_many([app.open_section(CODE).code()[-1] for app in apps]), strict=True):
        assert "Traceback" not in ran.printed, ran.printed
        assert differences(ran.printed, import_module(f"tests.programs.on_page.{lesson}").shown(app)) == []
        found = {name: array for name, array in tensors_of(app).items() if name in ran.values}
        assert found.keys() & {"ids", "sequence"}
        assert all(np.array_equal(ran.values[name], array) for name, array in found.items())
    assert before < len(RangeHandler.requests) < before + 200
    assert sum(count for _, count in RangeHandler.requests[before:]) < 20e6  # not the whole file


def test_program_of_gpt2s_heads_prints_the_shares_of_its_page(gpt2):
    fill_cache()
    app = AppDriver().open("attention", head="gpt2", text="The can of worms can be opened.").open_sections()
    (ran,) = run_many([app.open_section(CODE).code()[-1]])
    assert "Traceback" not in ran.printed, ran.printed
    (table,) = [table for table in app.tables() if "head" in table[0]]
    printed = re.findall(r"head (\d+): same token ([\d.]+), token before ([\d.]+), first token ([\d.]+)", ran.printed)
    assert printed == [tuple(row.values()) for row in table]
    assert np.allclose(ran.values["weights"], tensors_of(app)["weights"], atol=1e-6)
    most = max(table, key=lambda row: float(row["on earlier copies of the same token"]))
    assert f"Head {most['head']} puts most on" in app.words


def test_programs_without_network_are_not_offered_with_gpt2(gpt2):
    app = AppDriver().open("lookup", table="gpt2").press("Download")
    assert "Script" in app.labels()
    app.at.session_state.take_offline = True
    assert "Script" not in app.press("Download").labels()
    assert any("no program without network" in caption.value for caption in app.at.caption)
