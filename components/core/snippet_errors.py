"""The programs of the error lab: the experiment that is chosen, with the learner's numbers in it, and its repair."""

import ast
import textwrap

from components.core.failures import FAILURES
from components.core.kinds import Whole
from components.core.link import State
from components.core.snippet import Ids, Snippet


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the chosen experiment and its repair; nothing where its numbers are out of bounds.

    >>> print(snippets(State(), [])[0].code)
    import torch
    from torch import nn
    <BLANKLINE>
    try:
        V, D = 6, 3
        draw = torch.Generator().manual_seed(123)
        W = torch.randn(V, D, generator=draw)
        token_table = nn.Embedding.from_pretrained(W)
        ids = torch.tensor([[0, 5, 6]])
        print(token_table(ids))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    <BLANKLINE>
    """
    failure = FAILURES[state.choices.experiment]
    values = {}
    for name, parameter in failure.parameters.items():
        value = state.settings.seed if name == "seed" else getattr(state.choices, f"lab_{name}")
        kind = parameter.kind
        values[name] = min(max(value, kind.low), kind.high) if isinstance(kind, Whole) else value
    try:
        case = failure.case(**failure.with_defaults(values))
    except ValueError:
        return []
    return [
        Snippet(
            "experiment",
            "The experiment",
            "The program of this page. Whatever it raises is caught, and printed with its type and its message; where "
            "nothing is raised, the last line prints what comes out.",
            caught(case.code),
        ),
        Snippet("repair", "The repair", "The same program repaired; it raises nothing.", with_print(case.repair)),
    ]


def with_print(code: str) -> str:
    """Return a program that prints the value of its last line.

    >>> with_print("x = 1\\nx + 1\\n")
    'x = 1\\nprint(x + 1)\\n'
    """
    lines, last = code.splitlines(), ast.parse(code).body[-1].lineno - 1
    return "\n".join([*lines[:last], f"print({lines[last]}", *lines[last + 1 :]]) + ")\n"


def caught(code: str) -> str:
    """Return a program that prints what it raises, or else the value of its last line.

    >>> print(caught("import math\\n\\nmath.sqrt(-1)\\n"), end="")
    import math
    <BLANKLINE>
    try:
        print(math.sqrt(-1))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    """
    lines = with_print(code).splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    rest = textwrap.indent("\n".join(line for line in lines if line not in imports).strip("\n"), "    ")
    head = "\n".join(imports) + "\n\n" if imports else ""
    return f'{head}try:\n{rest}\nexcept Exception as error:\n    print(f"{{type(error).__name__}}: {{error}}")\n'
