"""All lessons as one program: no lesson changes what another one needs."""

import ast

import pytest

from components.base.program_text import names_bound
from components.programs.story import tell
from tests.programs.program_states import STATES
from tests.programs.test_programs import chapter
from tests.states import WITH_PROGRAMS

NAMES = [name for name in STATES if not name.startswith("experiment")]


def values_of(program):
    """Return the values in the first cell of a program."""
    found = {}
    exec(program.values, found)
    return {name: value for name, value in found.items() if name != "__builtins__"}


@pytest.mark.parametrize("name", NAMES)
def test_each_lesson_has_its_own_values_in_the_journey(name):
    chapters = [each for page in WITH_PROGRAMS if (each := chapter(page, STATES[name]))]
    journey = values_of(tell(chapters)) if chapters else {}
    for each in chapters:
        assert values_of(tell([each])).items() <= journey.items(), each.title


@pytest.mark.parametrize("name", NAMES)
def test_no_variable_has_the_name_of_a_function(name):
    chapters = [each for page in WITH_PROGRAMS if (each := chapter(page, STATES[name]))]
    if chapters:
        program = tell(chapters)
        variables = {*values_of(program)}
        variables |= names_bound("\n".join(cell.code for part in program.chapters for cell in part.cells))
        definitions = ast.parse(f"{program.imports}\n{program.functions}").body
        names = {alias.asname or alias.name for node in definitions for alias in getattr(node, "names", [])}
        names |= {node.name for node in definitions if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not variables & names
