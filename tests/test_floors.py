"""The rules of the tree that neither ruff nor import-linter can assert; those of both are in pyproject.toml."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]
HEAVY = {"torch", "altair", "numpy", "pandas", "tiktoken", "gensim", "jupytext", "sqlalchemy"}
FILES = sorted((PROJECT / "components").rglob("*.py"))
PROGRAMS = [path for path in FILES if path.read_text("utf-8").startswith("# %%")]  # run as they are, never imported
SCREEN = re.compile(r"components\.(entry$|ui\b|lessons\.\w+\.page)")
MODULES = {
    ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in FILES
    if path not in PROGRAMS
}


def imports_of(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    return names


def test_only_screens_import_streamlit_and_of_it_nothing_private():
    for name, path in MODULES.items():
        found = {each for each in imports_of(path) if each.startswith("streamlit")}
        assert found <= ({"streamlit"} if SCREEN.match(name) else set()), name


def test_packages_import_from_those_below_them_alone():
    lint = Path(sys.executable).with_name("lint-imports")  # the layers are in pyproject.toml
    run = subprocess.run([lint, "--no-cache"], cwd=PROJECT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_programs_import_only_the_libraries_that_they_teach():
    for path in PROGRAMS:
        libraries = {name.split(".")[0] for name in imports_of(path)}
        assert libraries - sys.stdlib_module_names <= {"torch", "tiktoken", "gensim", "numpy", "regex"}, path


def test_files_that_the_documentation_names_exist():
    for document in (PROJECT / "README.md", *PROJECT.glob("docs/*.md")):
        text = document.read_text("utf-8")
        named = re.findall(r"`((?:bench|components|deploy|docs|pages|tests)/[\w/.-]*)`", text)
        linked = [document.parent / each for each in re.findall(r"\]\((?!http)([^)#]+)", text)]
        assert [str(path) for path in (*(PROJECT / each for each in named), *linked) if not path.exists()] == []


ABOVE = re.compile(rf"{SCREEN.pattern}|components($|\.(charts|figures|lessons)\b)")
BELOW_CHARTS = [name for name in MODULES if not ABOVE.match(name)]
IMPORT = """
import importlib, json, sys
for name in json.load(sys.stdin): importlib.import_module(name)
torch = sys.modules.get("torch")
print(json.dumps([torch and torch.get_num_threads(), *{name.split(".")[0] for name in sys.modules}]))
"""


def loaded_by(names: list[str]) -> list:
    """Return torch's threads and the packages loaded in a new process after these modules were imported."""
    variables = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    arguments = {"cwd": PROJECT, "env": variables, "input": json.dumps(names), "text": True, "timeout": 120}
    return json.loads(subprocess.check_output([sys.executable, "-c", IMPORT], **arguments))


def test_import_loads_only_the_libraries_that_modules_need():
    assert not HEAVY & {*loaded_by(["components.entry"])}
    threads, *below_charts = loaded_by(BELOW_CHARTS)
    assert not {"altair", "streamlit"} & {*below_charts}
    assert threads == 1
