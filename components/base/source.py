"""Read the definitions that code needs to run from the modules of this project: functions, classes and constants."""

import ast
import builtins
import inspect
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from threading import Lock
from types import ModuleType

PROJECT = "components"
_parsing = Lock()


def parse(code: str) -> ast.Module:
    """Return the syntax tree of a program; one thread at a time.

    Python before 3.11.8 and 3.12.1 counts the depth of the trees of all threads together, and then raises SystemError:
    python/cpython#106905.

    >>> parse("x = 1").body[0].targets[0].id
    'x'
    """
    with _parsing:
        return ast.parse(code)


@dataclass
class Needed:
    """What code needs to run: import statements for modules, names imported from modules, definitions in order."""

    modules: set[str] = field(default_factory=set)
    names: dict[str, set[str]] = field(default_factory=dict)
    definitions: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, names: Sequence[str], module: ModuleType) -> None:
        """Add what the names mean that are global in a module, each definition after those that it needs."""
        for name in names:
            match _bindings(module).get(name):
                case ast.Import(names=[alias]):
                    self.modules.add(_imported(alias))
                case ast.ImportFrom(module=source) if source.split(".")[0] == PROJECT:
                    self.add([name], import_module(source))
                case ast.ImportFrom(module=source, names=aliases):
                    alias = next(alias for alias in aliases if name == (alias.asname or alias.name))
                    self.names.setdefault(source, set()).add(_imported(alias))
                case ast.stmt() as node if (module.__name__, name) not in self.definitions:
                    self.definitions[module.__name__, name] = ""  # a function may call itself
                    self.add(free_names(node), module)
                    del self.definitions[module.__name__, name]
                    self.definitions[module.__name__, name] = without_examples(_segment(module, node))

    @property
    def packages(self) -> set[str]:
        """The packages that are imported, apart from Python's own."""
        return {name.split()[0].split(".")[0] for name in {*self.modules, *self.names}} - sys.stdlib_module_names

    def imports(self) -> str:
        """Return the import statements, those of Python's own modules first.

        >>> print(Needed(modules={"torch", "math"}, names={"collections.abc": {"Sequence"}}).imports())
        import math
        from collections.abc import Sequence
        <BLANKLINE>
        import torch
        """
        lines = [f"import {name}" for name in sorted(self.modules)]
        lines += [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(self.names.items())]
        own = [line for line in lines if line.split()[1].split(".")[0] in sys.stdlib_module_names]
        return "\n\n".join("\n".join(group) for group in (own, [line for line in lines if line not in own]) if group)

    def source(self) -> str:
        """Return the definitions: constants, then functions and classes; a constant that calls one comes after it."""
        constants, others, later = [], [], set()
        for (_, name), code in self.definitions.items():
            if not code.startswith(("def ", "class ", "@")) and later.isdisjoint(free_names(parse(code))):
                constants.append(code)
            else:
                others.append(code)
                later.add(name)
        return "\n\n\n".join(filter(None, ["\n".join(dict.fromkeys(constants)), *others]))


def _imported(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


@cache
def _lines(module: ModuleType) -> list[str]:
    return inspect.getsource(module).splitlines()


@cache
def _bindings(module: ModuleType) -> dict[str, ast.stmt]:
    """Return the statement that binds each global name of a module."""
    found: dict[str, ast.stmt] = {}
    for node in parse("\n".join(_lines(module))).body:
        match node:
            case ast.Import() | ast.ImportFrom():
                found |= {alias.asname or alias.name.split(".")[0]: node for alias in node.names}
            case ast.FunctionDef() | ast.ClassDef():
                found[node.name] = node
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {
                    name.id: node
                    for target in targets
                    for name in ast.walk(target)
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
                }
    return found


def _segment(module: ModuleType, node: ast.stmt) -> str:
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(_lines(module)[first - 1 : node.end_lineno])


def free_names(tree: ast.AST) -> list[str]:
    """Return the names that code reads and does not bind itself, in order of appearance.

    >>> free_names(parse("x = len(y) + z"))
    ['y', 'z']
    """
    nodes = list(ast.walk(tree))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    read = [node.id for node in sorted(names, key=lambda node: (node.lineno, node.col_offset))]
    return [name for name in dict.fromkeys(read) if name not in bound and not hasattr(builtins, name)]


def without_examples(source: str) -> str:
    """Return source code without the examples in its docstrings.

    >>> source = 'def f(x):\\n    \\'\\'\\'Return x.\\n\\n    >' + '>> f(1)\\n    1\\n    \\'\\'\\'\\n    return x'
    >>> print(without_examples(source))
    def f(x):
        '''Return x.'''
        return x
    """
    lines = source.splitlines()
    for node in reversed([*ast.walk(parse(source))]):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not ast.get_docstring(node):
            continue
        text = node.body[0]
        shown = lines[text.lineno - 1 : text.end_lineno]
        example = next((n for n, line in enumerate(shown) if line.lstrip().startswith(">>>")), None)
        if example is None:
            continue
        shown = shown[:example]
        while not shown[-1].strip():
            shown.pop()
        quotes = shown[0].strip()[:3]
        shown = [shown[0] + quotes] if len(shown) == 1 else [*shown, " " * text.col_offset + quotes]
        lines[text.lineno - 1 : text.end_lineno] = shown
    return "\n".join(lines)
