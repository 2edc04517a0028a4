"""The rules of the tree: what each package may import, and that only Streamlit's public API is used."""

import ast
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
SCRIPTS = [*sorted((PROJECT / "pages").glob("*.py")), PROJECT / "app.py"]
HEAVY = {"torch", "altair", "numpy", "pandas", "tiktoken", "gensim", "jupytext"}
SEEDING = {"torch.manual_seed", "torch.seed", "torch.random.manual_seed", "random.seed", "np.random.seed", "seed"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = sorted((PROJECT / "components").rglob("*.py"))
PROGRAMS = [path for path in FILES if path.name.startswith("program") or path.parent.name in ("programs", "openings")]
PROGRAMS = [path for path in PROGRAMS if path.read_text("utf-8").startswith("# %%")]  # run as they are, never imported
PATHS = {module_name(path): path for path in FILES if path not in PROGRAMS}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in PATHS.items()}


def imports_of(tree: ast.AST) -> set[str]:
    """Return the full names of all imported modules; `from package import name` gives a module if there is one."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the floor"
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in PATHS else node.module for name in full}
    return names


def own_imports(name: str) -> set[str]:
    return {imported for imported in imports_of(TREES[name]) if imported.split(".")[0] == "components"}


def package_of(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def may_know_streamlit(name: str) -> bool:
    parts = name.split(".")
    page = parts[1:2] == ["lessons"] and len(parts) == 4 and (parts[3] == "page" or parts[3].startswith("page_"))
    return name == "components.entry" or parts[1:2] == ["ui"] or page


def root_of(node: ast.expr) -> str:
    """Return the name that a chain of attributes, calls and items begins with, such as `st` of `st.sidebar.x()[0]`."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_private(node: ast.AST) -> bool:
    """Return whether a node imports Streamlit in another way than as `st`, or reads or replaces what is not public."""
    code = ast.unparse(node)
    match node:
        case ast.Import() | ast.ImportFrom():
            return ("streamlit" in code and code != "import streamlit as st") or "unittest" in code
        case ast.Attribute(attr=attribute) if root_of(node) == "st":
            replaced = not isinstance(node.ctx, ast.Load) and ast.unparse(node.value) != "st.session_state"
            return attribute.startswith("_") or replaced
        case ast.Subscript():
            return ast.unparse(node.value) == "sys.modules"
        case ast.Call(func=ast.Name(id="getattr"), args=[first, attribute, *_]) if root_of(first) == "st":
            return not isinstance(attribute, ast.Constant) or attribute.value.startswith("_")
        case ast.Call(args=[first, *_]):
            changed = ast.unparse(node.func) in {"setattr", "delattr", "vars"} and root_of(first) == "st"
            return changed or ("import_module" in ast.unparse(node.func) and "streamlit" in ast.unparse(first))
    return False


def private_uses(tree: ast.AST) -> list[str]:
    """Return what a module imports, reads or replaces of Streamlit that is not public."""
    return [ast.unparse(node) for node in ast.walk(tree) if is_private(node)]


def late_imports(tree: ast.Module) -> list[str]:
    """Return the imports behind the first code of a module; blocks for type checkers are at the top as well."""
    at_top = itertools.takewhile(lambda node: not is_code(node), tree.body)
    top = {child for node in at_top for child in ast.walk(node)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) and node not in top]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in found]


def is_code(node: ast.stmt) -> bool:
    """Return whether a statement of a module is neither docstring nor import."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    checking = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return not (isinstance(node, ast.Import | ast.ImportFrom) or checking)


def calls_in(name: str) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)]


def imports_by_name(name: str) -> list[str]:
    """Return the calls that import a module by its name, unless this is the one module that may."""
    by_name = [call for call in calls_in(name) if call.startswith(("import_module(", "importlib.", "__import__("))]
    return [] if name == "components.ui.imports" else by_name


RULES = {  # what a module has that it must not have
    "imports streamlit, but is no screen": lambda name: (
        not may_know_streamlit(name) and [each for each in imports_of(TREES[name]) if "streamlit" in each]
    ),
    "private uses of streamlit": lambda name: private_uses(TREES[name]),
    "imports below the top": lambda name: late_imports(TREES[name]),
    "imports by name": imports_by_name,
    "seeds of the whole process": lambda name: [call for call in calls_in(name) if call.split("(")[0] in SEEDING],
}


@pytest.mark.parametrize("rule", RULES)
def test_modules_keep_the_rule(rule):
    assert {name: found for name in TREES if (found := RULES[rule](name))} == {}


def test_packages_import_from_those_below_them_alone():
    lint = Path(sys.executable).with_name("lint-imports")  # the layers are in pyproject.toml
    run = subprocess.run([lint, "--no-cache"], cwd=PROJECT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_modules_import_each_other_in_no_circle():
    waiting = {name: own_imports(name) & PATHS.keys() - {name} for name in PATHS}
    while free := [name for name, imported in waiting.items() if not imported & waiting.keys()]:
        for name in free:
            del waiting[name]
    assert waiting == {}


def test_programs_import_only_the_libraries_that_they_teach():
    for path in PROGRAMS:
        libraries = {name.split(".")[0] for name in imports_of(ast.parse(path.read_text("utf-8")))}
        assert libraries - sys.stdlib_module_names <= {"torch", "tiktoken", "gensim", "numpy", "regex"}, path


def test_page_files_only_call_the_entry():
    for path in SCRIPTS:
        tree = ast.parse(path.read_text("utf-8"))
        assert imports_of(tree) == {"components.entry"}
        assert len(tree.body) - isinstance(tree.body[0], ast.Expr) <= 2


PRIVATE = """st.session_state._state
st.write = print
st.sidebar.write().x._y
setattr(st, 'write', print)
getattr(st, name)
from streamlit import _main
import streamlit.runtime as runtime
from unittest import mock
import_module('streamlit.runtime')
sys.modules['streamlit.runtime']"""


def test_private_uses_finds_each_way_and_no_public_name():
    assert [line for line in PRIVATE.splitlines() if not private_uses(ast.parse(line))] == []
    public = "import streamlit as st\nst.session_state.x = st.session_state['y'] = 1\ngetattr(st, 'write')"
    assert private_uses(ast.parse(public)) == []


BELOW_UI = [name for name in PATHS if not may_know_streamlit(name)]
BELOW_CHARTS = [name for name in BELOW_UI if package_of(name) not in ("", "charts", "figures", "lessons")]
IMPORT_EACH = """
import importlib, json, sys
for names in json.load(sys.stdin):
    for name in names: importlib.import_module(name)
    torch = sys.modules.get("torch")
    print(json.dumps([torch and torch.get_num_threads(), *{name.split(".")[0] for name in sys.modules}]))
"""


def loaded_by(*groups: list[str]) -> list[list]:
    """Return torch's threads and the packages loaded in a new process after each group of modules was imported."""
    variables = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    arguments = {"cwd": PROJECT, "env": variables, "input": json.dumps(groups), "text": True, "timeout": 120}
    return [*map(json.loads, subprocess.check_output([sys.executable, "-c", IMPORT_EACH], **arguments).splitlines())]


def test_import_loads_only_the_libraries_that_modules_need_with_one_thread_of_torch():
    ((_, *entry),) = loaded_by(["components.entry"])
    assert not HEAVY & {*entry}
    (threads, *below_charts), (_, *below_ui) = loaded_by(BELOW_CHARTS, BELOW_UI)
    assert "streamlit" in entry
    assert not {"altair", "streamlit"} & {*below_charts}
    assert {"torch", "tiktoken", "gensim"} <= {*below_charts}
    assert "altair" in below_ui
    assert "streamlit" not in below_ui
    assert threads == 1


def test_components_set_threads_before_anything_imports_torch_unless_a_variable_does():
    assert imports_of(TREES["components"]) == {"os"}  # the package that every import of a module runs first
    code, environment = "import components, os; print(os.environ['OMP_NUM_THREADS'])", {"OMP_NUM_THREADS": "2"}
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=os.environ | environment, capture_output=True)
    assert run.stdout == b"2\n"
