"""Check the shapes in signatures while the tests run; jaxtyping's hook must come before the first import of them.

Programs are not imported: importing one runs it.
"""

from importlib.util import find_spec

from jaxtyping import install_import_hook

import components  # noqa: F401  sets OMP_NUM_THREADS=1, which torch reads when a test imports it

install_import_hook(
    ["components.text", "components.embedding", "components.training", "components.vectors", "components.failures"],
    "beartype.beartype",
)

collect_ignore_glob = [
    "components/lessons/*/program*.py",
    "components/programs/openings/*",
    "components/failures/programs/*",
]
# Of the browser tests and of those of deploy/, with one browser for both; the tests of the subject need no browser.
pytest_plugins = ["tests.e2e.fixtures"] if find_spec("playwright") else []

LONG = ("tests/e2e/", "deploy/", "tests/programs/")


def pytest_configure(config):
    config.option.loadscopereorder = False  # workers take the files in the order below, not those of most tests first


def pytest_collection_modifyitems(items):
    """Run long files first: then both workers end together."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
