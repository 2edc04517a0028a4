from components.base import downloads, export, settings
from components.base.source import Needed, without_examples


def needed(*names: str, module=settings) -> Needed:
    found = Needed()
    found.add(names, module)
    return found


def test_needed_of_a_function_has_its_imports_and_definitions_in_order():
    found = needed("read_settings")
    assert found.packages == set()
    assert "import re\nfrom collections.abc import Mapping\n" in found.imports()
    source = found.source()
    exec(f"{found.imports()}\n{source}", variables := {"__name__": "alone"})
    assert variables["read_settings"](variables["Settings"](), {"V": "0"})[1] == [
        "V = 0 is below the limit of 1: using 1."
    ]
    assert source.index("MAX_TABLE_CELLS =") < source.index("class IntegerField") < source.index("class Settings")
    assert ">>>" not in source


def test_imports_of_python_come_before_those_of_other_packages():
    found = needed("Download", module=downloads)
    assert found.packages == {"pooch", "requests", "urllib3"}
    assert needed("as_npy", module=export).packages == {"numpy"}
    own, others = found.imports().split("\n\n")
    assert own.startswith("import errno\nimport os\n")
    assert others == "import pooch\nimport requests\nfrom urllib3.exceptions import ReadTimeoutError"


def test_without_examples_keeps_the_text_before_them():
    source = '''class A:
    """One.

    Two.

    >>> A()
    """

    def f(self):
        """Three.

        >>> 1
        1
        """

    def g(self):
        """Four."""
'''
    assert (
        without_examples(source)
        == '''class A:
    """One.

    Two.
    """

    def f(self):
        """Three."""

    def g(self):
        """Four."""'''
    )
