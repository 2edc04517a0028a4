"""Turn a function into the text of a program: its body with branches chosen, and the values of its arguments.

A story is a function whose parameters are values of the learner or variables of an earlier story, and whose body is
divided into cells by comments that begin with `# %%`. An `if` of the body whose condition depends on the values alone
is replaced by the branch that these values choose.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pprint import pformat
from types import ModuleType
from typing import Any

from components.base.settings import SYMBOLS
from components.base.source import Needed, free_names, parse

WIDTH = 100
COMMENT_OF = {name: f"  # {symbol}" for symbol, name in SYMBOLS.items()}
COMMENT_OF |= {"ranks": "  # the tokens of GPT-2 that can occur in the text, with their IDs"}
Story = Callable[..., None]
Values = Mapping[str, Any]


@cache
def _parsed(function: Story) -> tuple[list[str], ast.FunctionDef]:
    source = textwrap.dedent(inspect.getsource(function))
    return source.splitlines(), parse(source).body[0]


def body(function: Story, values: Values) -> str:
    """Return the body of a function behind its docstring, with the branches that `values` choose.

    >>> body(module_of, {})
    'return inspect.getmodule(function)'
    """
    lines, node = _parsed(function)
    docstring, *statements = node.body
    return textwrap.dedent("\n".join(_chosen(statements, lines, docstring.end_lineno, values)))


def _chosen(statements: Sequence[ast.stmt], lines: list[str], first: int, values: Values) -> list[str]:
    """Return the lines of some statements, from the line with index `first` on, with the branches chosen."""
    found: list[str] = []
    for node in statements:
        found += lines[first : node.lineno - 1]
        first = node.end_lineno
        if not isinstance(node, ast.If) or not values.keys() >= set(free_names(node.test)):
            found += lines[node.lineno - 1 : node.end_lineno]
            continue
        if eval(compile(ast.Expression(node.test), "<condition>", "eval"), dict(values)):
            block, start = node.body, node.test.end_lineno
        else:
            block = node.orelse
            start = block[0].lineno - 1 if block else 0
            if block and not lines[start].lstrip().startswith("elif "):
                while lines[start - 1].strip() != "else:":
                    start -= 1
        if block:
            indent = " " * (block[0].col_offset - node.col_offset)
            found += [line.removeprefix(indent) for line in _chosen(block, lines, start, values)]
    return found


def names_read(code: str, function: Story) -> tuple[list[str], list[str]]:
    """Return the arguments that code from a function's body reads, and the other names that it does not bind.

    >>> names_read("len(_parsed(function))", body)
    (['function'], ['_parsed'])
    """
    arguments = {argument.arg for argument in _parsed(function)[1].args.args}
    names = free_names(parse(code))
    return [name for name in names if name in arguments], [name for name in names if name not in arguments]


def names_bound(code: str) -> set[str]:
    """Return the variables that code assigns; those of a comprehension do not remain.

    >>> sorted(names_bound("x = y = [n for n in z]"))
    ['x', 'y']
    """
    nodes = list(ast.walk(parse(code)))
    targets = [node.target for node in nodes if isinstance(node, ast.comprehension)]
    inner = {id(node) for target in targets for node in ast.walk(target)}
    names = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in inner]
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


def module_of(function: Story) -> ModuleType:
    """Return the module that defines a function."""
    return inspect.getmodule(function)


def assignment(name: str, value: Any) -> str:
    """Return the lines that assign a value of the learner to a name; a text only ever as a literal.

    >>> print(assignment("vocab_size", 50257) + assignment("text", 'say "hi"'), end="")
    vocab_size = 50_257  # V
    text = 'say "hi"'
    """
    literal = f"{value:_}" if type(value) is int and value >= 10_000 else pformat(value, width=WIDTH - 4, compact=True)
    line = f"{name} = {literal}"
    if len(line) <= WIDTH and "\n" not in line:
        return f"{line}{COMMENT_OF.get(name, '')}\n"
    if isinstance(value, str):
        parts = [f"    {part.strip()}" for part in literal.strip("()").splitlines()]
        return "\n".join([f"{name} = (", *parts, ")\n"])
    if isinstance(value, dict):
        lines = [""]
        for item in (f"{key!r}: {each!r}," for key, each in value.items()):
            if len(lines[-1]) + len(item) > WIDTH - 4:
                lines.append("")
            lines[-1] += f" {item}"
        return "\n".join([f"{name} = {{{COMMENT_OF.get(name, '')}", *(f"   {line}" for line in lines), "}\n"])
    return f"{name} = [\n{textwrap.indent(literal[1:-1].replace(chr(10) + ' ', chr(10)), '    ')}\n]\n"


def program_text(function: Callable[..., Any], values: Values) -> str:
    """Return a function as a program: imports, what it needs, the values of its arguments, and its body.

    Branches are chosen as in `body`. The last line may return a value: it becomes an expression.

    >>> print(program_text(module_of, {"function": 1}), end="")
    import inspect
    <BLANKLINE>
    function = 1
    inspect.getmodule(function)
    """
    lines = body(function, values).strip("\n").splitlines()
    last = max((n for n, line in enumerate(lines) if line.startswith("return ")), default=None)
    if last is not None:
        lines[last] = lines[last].removeprefix("return ")
    code = "\n".join(lines)
    arguments, names = names_read(code, function)
    needed = Needed()
    needed.add(names, module_of(function))
    ordered = [name for name in inspect.signature(function).parameters if name in arguments]
    assignments = "".join(assignment(name, values[name]) for name in ordered)
    definitions = f"\n{needed.source()}\n" if needed.definitions else ""
    return "\n\n".join(filter(None, (needed.imports(), definitions, f"{assignments}{code}\n")))
