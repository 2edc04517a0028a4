"""The section on batches: the windows B by B, in order or shuffled, and the batch that the next lessons look up."""

import streamlit as st

from components.base.link import State
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.lessons.windows.ribbon import Ribbon
from components.text.windows import sliding_windows
from components.ui.blocks import show_table
from components.ui.state import bind_setting, bind_widget, change_settings
from components.ui.whole_number import ranged_number

MAX_WINDOWS = 8  # named of one batch
MAX_BATCHES = 4


def show_batches(state: State, ribbon: Ribbon) -> None:
    """Show the controls of the batches, the windows of the first ones, and the tensors of one batch."""
    settings, batches = state.settings, ribbon.batches
    left, middle, right = st.columns([1, 1, 2], vertical_alignment="bottom")
    left.toggle("Shuffle", help="A torch.Generator seeded with the seed of the settings.", **bind_setting("shuffle"))
    middle.toggle("Drop last", help="Leave out the last batch if it is short.", **bind_setting("drop_last"))
    with right:
        index = batch_field(settings, len(batches))
    st.code(
        f"DataLoader(windows, batch_size={settings.batch_size}, shuffle={settings.shuffle}, "
        f"drop_last={settings.drop_last}, generator=torch.Generator().manual_seed({settings.seed}))",
        wrap_lines=True,
    )
    first = max(0, min(index - MAX_BATCHES // 2, len(batches) - MAX_BATCHES))
    show_table(
        [
            {"batch": f"{number:,}", "windows": names(batch), "inputs": f"[{len(batch)}, {ribbon.T}]"}
            for number, batch in enumerate(batches[first : first + MAX_BATCHES], first)
        ]
    )
    inputs, targets = (side[batches[index]] for side in sliding_windows(ribbon.ids, ribbon.T, ribbon.stride))  # [B, T]
    for column, name, tensor in zip(st.columns(2), ("inputs", "targets"), (inputs, targets), strict=True):
        column.markdown(f"**{name}** of batch {index:,} `{list(tensor.shape)}` [B, T]")
        column.code(str(tensor), language=None, height=130 if len(tensor) > 4 else "content")
    dropped = f" {pluralize(len(ribbon.dropped), 'window')} dropped with the last batch." if ribbon.dropped else ""
    following = "use the IDs you typed" if settings.typed else f"look up the inputs of batch {index:,}"
    total = -(-ribbon.N // settings.batch_size)
    st.caption(
        f"{pluralize(ribbon.N, 'window')}, B = {settings.batch_size:,}: {len(batches):,} of {total:,} batches are used."
        f"{dropped} Shuffling changes the order of the windows, not that of the tokens in them. The next lessons "
        f"{following}."
    )


def names(windows: list[int]) -> str:
    """Return the numbers of windows, the first few by name.

    >>> names([2, 0, 1]), names(list(range(10)))
    ('2, 0, 1', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    more = len(windows) - MAX_WINDOWS
    return ", ".join(f"{window:,}" for window in windows[:MAX_WINDOWS]) + (f" and {more} more" if more > 0 else "")


def batch_field(settings: Settings, n_batches: int) -> int:
    """Render the field for the index of the batch that the lessons use; return the index."""
    last = n_batches - 1
    bound = bind_widget("batch", min(settings.batch, last), lambda index: change_settings(batch=index))
    return ranged_number("Batch", 0, last, **bound)
