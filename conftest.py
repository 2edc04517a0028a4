"""Check the shapes in signatures while the tests run; jaxtyping's hook must come before the first import of them."""

from jaxtyping import install_import_hook

import components  # noqa: F401  sets OMP_NUM_THREADS=1, which torch reads when a test imports it

install_import_hook(
    ["components.text", "components.embedding", "components.training", "components.vectors", "components.failures"],
    "beartype.beartype",
)
