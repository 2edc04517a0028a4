"""Shapes in signatures are checked while the tests run; jaxtyping's hook must come before the first import of core."""

from jaxtyping import install_import_hook

install_import_hook("components.core", "beartype.beartype")
