"""The numbers that a page shows, and the tensors that it offers, read from the page itself."""

import re

import numpy as np
import pyarrow as pa

from components.base.export import NamedArray
from components.base.link import AppState, to_query
from components.ui.download_registry import registered
from tests.app_driver import AppDriver, as_read

DECIMAL = re.compile(r"(?<![\w.])[-−]?\d+\.\d+(?:e[+-]?\d+)?(?!\.?\w)")


def open_page(page: str, state: AppState) -> AppDriver:
    """Return a session that has opened a link to a page."""
    return AppDriver().open(page, **to_query(state, page))


def tensors_of(app: AppDriver) -> dict[str, np.ndarray]:
    """Return the tensors that the page offers for download, by name: those that its own calls have made."""
    return {name: found.array for name, found in registered(app.learner).items() if isinstance(found, NamedArray)}


def numbers_of(app: AppDriver) -> np.ndarray:
    """Return all numbers of the page: of its texts, its charts and its tensors, sorted."""
    texts = [as_read(str(getattr(element.proto, "body", ""))) for element in app.at.main]
    texts += [code.value for code in app.at.code]
    found = [float(number.replace("−", "-")) for text in texts for number in DECIMAL.findall(text)]
    for chart in app.charts():
        for data in chart.datasets:
            for column in pa.ipc.open_stream(data.data.data).read_all().columns:
                if pa.types.is_floating(column.type):
                    found += [number for number in column.to_pylist() if number is not None]
    for array in tensors_of(app).values():
        found += array.ravel().astype(float).tolist()
    return np.unique(found)


def not_shown(printed: str, shown: np.ndarray) -> list[str]:
    """Return the decimals in what a program printed that are not among the numbers shown, to the printed digits."""
    missing = []
    for text in dict.fromkeys(DECIMAL.findall(printed)):
        mantissa, _, exponent = text.partition("e")
        digit = 10.0 ** (int(exponent or 0) - len(mantissa.split(".")[1]))
        number = float(text)
        near = shown[np.searchsorted(shown, [number - 0.51 * digit, number + 0.51 * digit]).clip(0, len(shown) - 1)]
        if not np.any(np.abs(near - number) <= 0.51 * digit):
            missing.append(text)
    return missing
