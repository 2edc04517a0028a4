import ast

from components.programs.notebook import as_script
from components.programs.story import Chapter, tell
from components.text.windows import sliding_windows

LINK = "https://example.org/"


def windows_of(ids, length):
    """Cut windows."""
    # %% Windows
    # One sentence, and
    # its second line.
    #
    # print('not code')
    inputs, targets = sliding_windows(ids, length, 1)
    print(inputs, targets)


def again(inputs, length):
    """Print what an earlier story has assigned."""
    # %% Again
    print(inputs.shape, length)


def test_tell_has_each_value_import_and_function_once():
    values = {"ids": [1, 2, 3], "length": 1, "text": "x", "unused": 5}
    chapters = [Chapter("A", "a.", (windows_of,), values), Chapter("B", "b.", (windows_of, again), values)]
    script = as_script(tell(chapters), LINK)
    assert script.count("def sliding_windows(") == script.count("import torch\n") == 1
    assert script.count("# %% Windows") == script.count("length = 1") == 1
    assert "unused" not in script
    assert "inputs = " not in script  # a variable of the first story, and no value
    assert ">>>" not in script
    exec(compile(script, "script", "exec"), {})


def test_as_script_keeps_prose_and_title_as_comments():
    script = as_script(tell([Chapter("T", "import os\nprint(2)", (windows_of,), {"ids": [1, 2], "length": 1})]), LINK)
    *_, story = script.split("# %% ")
    assert story.startswith("Windows\n# One sentence, and its second line.\n#\n# print('not code')\ninputs, ")
    assert script.startswith(
        "# %% [markdown]\n# # T\n# import os\n# print(2)\n#\n# From Embedding Lab, with your values"
    )
    assert "print(2)" not in ast.unparse(ast.parse(script))
