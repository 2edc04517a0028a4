"""The rules of the tree: what each package may import, and that only Streamlit's public API is used."""

import ast
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
PUBLIC_STREAMLIT = {"streamlit", "streamlit.components.v2"}
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


def test_every_package_has_a_floor():
    assert {package_of(name) for name in PATHS if "." in name} == {*FLOOR_OF}


@each_module
def test_module_imports_from_the_floors_below(name):
    assert [imported for imported in sorted(own_imports(name)) if not may_import(name, imported)] == []


def test_rules_forbid_what_they_are_for():
    assert not may_import("components.base.link", "components.text.windows")
    assert not may_import("components.training.model", "components.vectors.load")
    assert not may_import("components.lessons.lookup.page", "components.lessons.tokens.page")
    assert not may_import("components.ui.frame", "components.lessons.tokens")
    assert may_import("components.lessons.lookup.page", "components.lessons.lookup.choices")
    assert may_import("components.lessons.lookup.page", "components.ui.frame")
    assert may_import("components.entry", "components.lessons.lookup")


def test_no_modules_import_each_other_in_a_circle():
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
def test_only_screens_import_streamlit_and_only_its_public_modules(name):
    found = {imported for imported in imports_of(TREES[name]) if imported.split(".")[0] == "streamlit"}
    assert found <= (PUBLIC_STREAMLIT if may_know_streamlit(name) else set())


def streamlit_names(tree: ast.AST) -> set[str]:
    """Return the names in a module that are bound to Streamlit or to something imported from it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names if "streamlit" in alias.name}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def root_of(node: ast.expr) -> str:
    """Return the name that a chain of attributes, calls and items begins with, such as `st` of `st.sidebar.x()[0]`."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_private(node: ast.AST, names: set[str]) -> bool:
    """Return whether a node imports, reads or replaces what is not public; `names` are those bound to Streamlit."""
    if isinstance(node, ast.ImportFrom):
        full = [f"{node.module}.{alias.name}" for alias in node.names]
        return any(name.startswith("unittest.mock") or ("streamlit." in name and "._" in name) for name in full)
    if isinstance(node, ast.Import):
        return any(alias.name.startswith("unittest.mock") for alias in node.names)
    if isinstance(node, ast.Attribute):
        replaced = not isinstance(node.ctx, ast.Load) and ast.unparse(node.value) != "st.session_state"
        return root_of(node) in names and (node.attr.startswith("_") or replaced)
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value) == "sys.modules"
    if not isinstance(node, ast.Call) or not node.args:
        return False
    called, first = ast.unparse(node.func), root_of(node.args[0])
    if called.endswith("import_module"):
        return "streamlit" in ast.unparse(node.args[0])
    if called == "getattr" and first in names:
        return not isinstance(node.args[1], ast.Constant) or str(node.args[1].value).startswith("_")
    return called in {"setattr", "delattr", "vars"} and first in names


def private_uses(tree: ast.AST) -> list[str]:
    """Return what a module imports, reads or replaces of Streamlit that is not public."""
    names = streamlit_names(tree)
    return [ast.unparse(node) for node in ast.walk(tree) if is_private(node, names)]


@each_module
def test_nothing_private_of_streamlit_is_imported_read_or_replaced(name):
    assert private_uses(TREES[name]) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_page_files_only_call_the_entry(path):
    tree = ast.parse(path.read_text("utf-8"))
    assert imports_of(tree) == {"components.entry"}
    assert len(tree.body) - isinstance(tree.body[0], ast.Expr) <= 2


@pytest.mark.parametrize(
    "code",
    [
        "import streamlit as st\nst._main",
        "import streamlit as st\nst.session_state._state",
        "import streamlit as st\nst.write = print",
        "import streamlit as st\nst.sidebar.write().x._y",
        "import streamlit as st\nsetattr(st, 'write', print)",
        "import streamlit as st\ngetattr(st, '_main')",
        "import streamlit as st\nname = 'x'\ngetattr(st, name)",
        "from streamlit import _main",
        "from unittest import mock",
        "from unittest.mock import patch",
        "from importlib import import_module\nimport_module('streamlit.runtime')",
        "import sys\nsys.modules['streamlit.runtime']",
    ],
)
def test_private_use_of_streamlit_is_found(code):
    assert private_uses(ast.parse(code))


def test_public_use_of_streamlit_is_allowed():
    code = "import streamlit as st\nst.session_state.x = st.session_state['y'] = 1\ngetattr(st, 'write')"
    assert private_uses(ast.parse(code)) == []


def late_imports(tree: ast.Module) -> list[str]:
    """Return the imports that are not at the top of a module; blocks for type checkers are exempt."""
    exempt = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            exempt.add(node)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exempt.update(node.body)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) and node not in exempt]
    first_code = next((node.lineno for node in tree.body if is_code(node)), sys.maxsize)
    found += [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno > first_code]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in found]


def is_code(node: ast.stmt) -> bool:
    """Return whether a statement of a module is neither docstring nor import."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return False
    checking = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return not (isinstance(node, ast.Import | ast.ImportFrom) or checking)


@each_module
def test_imports_are_at_the_top(name):
    assert late_imports(TREES[name]) == []


def may_import_by_name(name: str) -> bool:
    """Return whether a module may import others while it runs: the entry, ui, and a package that loads its own lazily.

    A package does so that one of its modules can be imported without the libraries of the others. The reader of source
    code gets the modules that it reads by their names.
    """
    lazy_package = PATHS[name].name == "__init__.py" and "def __getattr__" in PATHS[name].read_text("utf-8")
    return name in ("components.entry", "components.base.source") or package_of(name) == "ui" or lazy_package


@each_module
def test_modules_are_imported_by_name_in_few_modules(name):
    calls = [ast.unparse(node) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)]
    by_name = [call for call in calls if call.startswith(("import_module(", "importlib.", "__import__("))]
    assert by_name == [] or may_import_by_name(name)
    if PATHS[name].name == "__init__.py":
        assert all(call.startswith("import_module(f'{__name__}.") for call in by_name)


@each_module
def test_no_module_seeds_the_whole_process(name):
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


def test_the_entry_loads_no_heavy_library():
    loaded = loaded_by(["components.entry"])
    assert {"components", "streamlit"} <= loaded
    assert not loaded & HEAVY


def test_nothing_but_screens_loads_streamlit():
    loaded = loaded_by([name for name in PATHS if not may_know_streamlit(name)])
    assert {"torch", "altair", "tiktoken", "gensim"} <= loaded
    assert "streamlit" not in loaded


def test_nothing_below_the_charts_loads_altair():
    below = [name for name in PATHS if FLOOR_OF.get(package_of(name), 9) < FLOOR_OF["charts"]]
    assert not loaded_by(below) & {"altair", "streamlit"}


@pytest.mark.parametrize(("given", "threads"), [(None, "1"), ("2", "2")])
def test_torch_uses_one_thread_unless_a_variable_says_otherwise(given, threads):
    code = "import components.embedding.tables, torch; print(torch.get_num_threads())"
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    environment |= {"OMP_NUM_THREADS": given} if given else {}
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert run.stdout.strip() == threads


def test_threads_are_set_before_anything_imports_torch():
    assert imports_of(TREES["components"]) == {"os"}  # the package that every import of a module runs first
    for path in SCRIPTS:
        assert "torch" not in imports_of(ast.parse(path.read_text("utf-8")))
