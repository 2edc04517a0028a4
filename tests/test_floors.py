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
# From the ground up. A package imports from the floors below its own, and from itself.
FLOORS = [
    {"base"},
    {"text"},
    {"embedding"},
    {"training", "vectors", "failures"},
    {"questions", "programs"},
    {"charts"},
    {"ui"},
    {"lessons"},
    {"entry"},
]
FLOOR_OF = {name: number for number, names in enumerate(FLOORS) for name in names}
SCRIPTS = [*sorted((PROJECT / "pages").glob("*.py")), PROJECT / "app.py"]
HEAVY = {"torch", "altair", "numpy", "pandas", "tiktoken", "gensim", "nbformat"}
SEEDING = {"torch.manual_seed", "torch.seed", "torch.random.manual_seed", "random.seed", "np.random.seed", "seed"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_name(path): path for path in sorted((PROJECT / "components").rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in PATHS.items()}
each_module = pytest.mark.parametrize("name", TREES)


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


def may_import(name: str, imported: str) -> bool:
    """Return whether the floors allow one module of components to import another."""
    above, below = package_of(name), package_of(imported)
    if above == below == "lessons":
        return name.split(".")[2:3] == imported.split(".")[2:3]
    return above == below or FLOOR_OF[above] > FLOOR_OF[below]


def test_package_of_components_has_a_floor():
    assert {package_of(name) for name in PATHS if "." in name} == {*FLOOR_OF}


@each_module
def test_module_imports_from_the_floors_below(name):
    assert [imported for imported in sorted(own_imports(name)) if not may_import(name, imported)] == []


def test_modules_do_not_import_each_other_in_a_circle():
    waiting = {name: own_imports(name) & PATHS.keys() - {name} for name in PATHS}
    while free := [name for name, imported in waiting.items() if not imported & waiting.keys()]:
        for name in free:
            del waiting[name]
    assert waiting == {}


def may_know_streamlit(name: str) -> bool:
    parts = name.split(".")
    page = parts[1:2] == ["lessons"] and len(parts) == 4 and (parts[3] == "page" or parts[3].startswith("page_"))
    return name == "components.entry" or parts[1:2] == ["ui"] or page


@each_module
def test_module_imports_streamlit_only_if_it_is_a_screen(name):
    assert may_know_streamlit(name) or not any("streamlit" in imported for imported in imports_of(TREES[name]))


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


@each_module
def test_module_uses_nothing_private_of_streamlit(name):
    assert private_uses(TREES[name]) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_page_file_only_calls_the_entry(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert imports_of(tree) == {"components.entry"}
    assert len(tree.body) - isinstance(tree.body[0], ast.Expr) <= 2


@pytest.mark.parametrize(
    "code",
    [
        "import streamlit as st\nst.session_state._state",
        "import streamlit as st\nst.write = print",
        "import streamlit as st\nst.sidebar.write().x._y",
        "import streamlit as st\nsetattr(st, 'write', print)",
        "import streamlit as st\nname = 'x'\ngetattr(st, name)",
        "from streamlit import _main",
        "import streamlit.runtime as runtime",
        "from unittest import mock",
        "from importlib import import_module\nimport_module('streamlit.runtime')",
        "import sys\nsys.modules['streamlit.runtime']",
    ],
)
def test_private_uses_finds_each_way(code):
    assert private_uses(ast.parse(code))


def test_private_uses_of_public_names_is_empty():
    code = "import streamlit as st\nst.session_state.x = st.session_state['y'] = 1\ngetattr(st, 'write')"
    assert private_uses(ast.parse(code)) == []


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


@each_module
def test_module_imports_at_its_top(name):
    assert late_imports(TREES[name]) == []


def may_import_by_name(name: str) -> bool:
    """Return whether a module may import others while it runs: the entry, ui, and a package that loads its own lazily.

    A package does so that one of its modules can be imported without the libraries of the others. The reader of source
    code gets the modules that it reads by their names.
    """
    lazy_package = PATHS[name].name == "__init__.py" and "def __getattr__" in PATHS[name].read_text("utf-8")
    return name in ("components.entry", "components.base.source") or package_of(name) == "ui" or lazy_package


@each_module
def test_module_imports_by_name_only_if_it_may(name):
    calls = [ast.unparse(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)]
    by_name = [call for call in calls if call.startswith(("import_module(", "importlib.", "__import__("))]
    assert by_name == [] or may_import_by_name(name)
    if PATHS[name].name == "__init__.py":
        assert all(call.startswith("import_module(f'{__name__}.") for call in by_name)


@each_module
def test_module_does_not_seed_the_whole_process(name):
    calls = [node for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)]
    assert [ast.unparse(call) for call in calls if ast.unparse(call.func) in SEEDING] == []


def loaded_by(modules: list[str]) -> set[str]:
    """Return the packages that are loaded in a new process after these modules have been imported."""
    code = (
        "import importlib, json, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout))


BELOW_UI = [name for name in PATHS if not may_know_streamlit(name)]
BELOW_CHARTS = [name for name in PATHS if FLOOR_OF.get(package_of(name), 9) < FLOOR_OF["charts"]]


@pytest.mark.parametrize(
    ("modules", "loaded", "not_loaded"),
    [
        (["components.entry"], {"components", "streamlit"}, HEAVY),
        (BELOW_UI, {"torch", "altair", "tiktoken", "gensim"}, {"streamlit"}),
        (BELOW_CHARTS, {"torch", "tiktoken", "gensim"}, {"altair", "streamlit"}),
    ],
    ids=["entry", "below ui", "below charts"],
)
def test_import_loads_only_the_libraries_that_modules_need(modules, loaded, not_loaded):
    found = loaded_by(modules)
    assert loaded <= found
    assert not found & not_loaded


@pytest.mark.parametrize(("given", "threads"), [(None, "1"), ("2", "2")])
def test_torch_uses_one_thread_unless_a_variable_sets_more(given, threads):
    code = "import components.embedding.tables, torch; print(torch.get_num_threads())"
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    environment |= {"OMP_NUM_THREADS": given} if given else {}
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert run.stdout.strip() == threads


def test_components_set_threads_before_anything_imports_torch():
    assert imports_of(TREES["components"]) == {"os"}  # the package that every import of a module runs first
    for path in SCRIPTS:
        assert "torch" not in imports_of(ast.parse(path.read_text("utf-8")))
