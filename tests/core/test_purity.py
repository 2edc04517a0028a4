import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
CORE = [f"components.core.{path.stem}" for path in sorted((PROJECT / "components/core").glob("[a-z]*.py"))]
CHARTS = [f"components.charts.{path.stem}" for path in sorted((PROJECT / "components/charts").glob("[a-z]*.py"))]
LIGHT = ["choices", "ids", "kinds", "limits", "link", "presets", "settings", "shapes", "text", "vocabulary"]


def packages_loaded_by(modules: list[str]) -> set[str]:
    code = (
        "import importlib, json, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout))


def imported_by(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_core_and_charts_load_no_streamlit():
    loaded = packages_loaded_by(CORE + CHARTS)
    assert "streamlit" not in loaded
    assert {"torch", "altair", "tiktoken"} <= loaded


def test_core_loads_no_altair():
    assert not packages_loaded_by(CORE) & {"altair", "streamlit"}


def test_what_a_page_needs_for_its_first_paint_loads_neither_torch_nor_altair():
    loaded = packages_loaded_by([f"components.core.{name}" for name in LIGHT])
    assert "components" in loaded
    assert not loaded & {"torch", "altair", "streamlit", "tiktoken", "numpy", "pandas"}


def test_the_frame_of_every_page_loads_none_of_the_heavy_libraries():
    assert not packages_loaded_by(["components.ui.frame"]) & {
        "torch",
        "altair",
        "numpy",
        "tiktoken",
        "gensim",
        "nbformat",
    }


@pytest.mark.parametrize("path", sorted((PROJECT / "components/core").glob("*.py")), ids=lambda path: path.stem)
def test_core_looks_at_nothing_above_it(path):
    imports = imported_by(path.read_text("utf-8"))
    assert all(name.startswith("components.core.") for name in imports if name.startswith("components"))


def test_torch_computes_in_one_thread_unless_told_otherwise():
    code = "import components.core.embeddings, torch; print(torch.get_num_threads())"
    for told, threads in ((None, "1"), ("2", "2")):
        environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        environment |= {"OMP_NUM_THREADS": told} if told else {}
        run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True)
        assert run.stdout.strip() == threads


@pytest.mark.parametrize("path", sorted(PROJECT.glob("pages/*.py")), ids=lambda path: path.stem)
def test_no_page_imports_torch_before_the_number_of_threads_is_set(path):
    assert "torch" not in imported_by(path.read_text("utf-8"))


@pytest.mark.parametrize("path", sorted(PROJECT.glob("pages/*.py")), ids=lambda path: path.stem)
def test_no_page_imports_what_takes_long_before_its_title_is_drawn(path):
    lesson = ast.parse(path.read_text("utf-8"))
    lesson.body = [part for part in lesson.body if not isinstance(part, ast.With)]
    above = {name.partition(".")[0] for name in imported_by(ast.unparse(lesson))} - sys.stdlib_module_names
    assert above <= {"streamlit", "components"}
    assert "from components.ui.frame import frame" in ast.unparse(lesson)
    assert ast.unparse(lesson).count("components") == 1


@pytest.mark.parametrize("folder", ["core", "charts"])
def test_no_module_seeds_the_whole_process(folder):
    calls = [
        f"{path.name}:{node.lineno}"
        for path in (PROJECT / "components" / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"torch.manual_seed", "torch.seed", "random.seed"}
    ]
    assert calls == []
