"""One-hot: the product that picks a row, and why nobody computes it."""

import streamlit as st

from components.ui.frame import frame

ROWS, COLUMNS = 8, 16
BOUND = 3.0


def compare(state, ids, table):
    """Draw both results, and say how far apart they are."""
    V, D = table.shape
    ways = both_ways(ids, table)
    n = min(len(ids), ROWS)
    names, keys = [label(state, i) for i in ids[:n].tolist()], [str(i) for i in range(n)]
    left, right = st.columns(2, gap="medium")
    for column, name, result, heading in (
        (left, "one_hot(ids) @ W", ways.product, f"The product: [{len(ids)}, {V:,}] @ [{V:,}, {D}]"),
        (right, "W[ids]", ways.looked_up, "The lookup"),
    ):
        with column:
            shape_of(name, result.shape, "token", "[N, D]", heading)
            part = result[:n, :COLUMNS].numpy()
            show(
                heatmap(part, names, keys, BOUND, "result[{row}, {column}]"),
                f"{n} of {len(ids)} rows, {part.shape[1]} of {D} columns; the first begins with {part[0, 0]:.4f}.",
            )
    difference = ways.largest_difference
    same = "equal to the bit" if difference == 0 else f"at most {difference:.2e} apart, the error of float32"
    linear = "the same, to the bit" if ways.linear_is_equal else "the same within that error"
    st.success(
        f"Both results are **{same}**: every sum has one number of the row times 1, and zeros. nn.Linear({V:,}, {D}, "
        f"bias=False) gives {linear}; its weight is kept transposed, [D, V] = [{D}, {V:,}].",
        icon=":material/equal:",
    )


def both_results(ids, settings):
    """Return the one-hot rows and both results, for files."""
    ways = both_ways(ids, shared_token_table(settings.vocab_size, settings.dim, settings.seed).weight.detach())
    named = {"one_hot": (ways.hot, "nv"), "product": (ways.product, "nd"), "lookup": (ways.looked_up, "nd")}
    return {name: Named(tensor.numpy(), tuple(letters)) for name, (tensor, letters) in named.items()}


def count(n_ids, V, D):
    """Count what both ways take, as formulas with the numbers in."""
    st.header("What it costs", anchor=False)
    took = costs(n_ids, V, D)
    table_of(
        [
            {
                "": "multiplications",
                "one-hot product": f"N × V × D = {n_ids} × {V:,} × {D} = {took.multiplications:,}",
                "lookup": "0",
            },
            {
                "": "additions",
                "one-hot product": f"N × (V − 1) × D = {took.additions:,}",
                "lookup": "0",
            },
            {
                "": "bytes read",
                "one-hot product": f"(N × V + V × D) × 4 = {readable_bytes(took.product_bytes)}",
                "lookup": f"N × D × 4 + N × 8 = {readable_bytes(took.lookup_bytes)}",
            },
        ]
    )


def learn(ids, table, seed):
    """Show that both ways send the same gradient to the table."""
    st.header("The gradients are equal", anchor=False)
    V = len(table)
    columns = max(1, min(COLUMNS, table.shape[1], MAX_LAB_CELLS // V))
    upstream = seeded(seed)
    part = table[:, :columns]
    both = gradients(ids, part, part.new_empty(len(ids), columns).normal_(generator=upstream))
    used = sorted(set(ids.tolist()))
    touched = int(both.lookup.abs().sum(dim=1).gt(0).sum())
    same = "equal to the bit" if both.largest_difference == 0 else f"at most {both.largest_difference:.0e} apart"
    rows = used[:ROWS]
    names = [f"row {row:,}" for row in rows]
    show(
        heatmap(both.lookup[rows].numpy(), names, [str(row) for row in rows], BOUND, "gradient[{row}, {column}]"),
        f"The gradient of W for a made-up gradient of the result: {touched:,} of {V:,} rows get one, those of the "
        f"{len(used):,} IDs in use; all others get exactly 0. Lookup and product are {same}.",
    )
    st.caption("A row whose ID stands several times gets the sum of what arrives at all of its places.")


def pitfalls(state):
    """Lead to what goes wrong with one-hot rows."""
    st.header("What goes wrong", anchor=False)
    with st.container(horizontal=True):
        offer_experiment(state, "one_hot_without_num_classes", "A batch without the largest ID", **SMALL)
        offer_experiment(state, "one_hot_integers", "Whole numbers times the table", **SMALL)


SMALL = {"V": 6, "D": 3, "T": 4}


def lesson(state):
    """Tell the lesson from top to bottom."""
    settings = state.settings
    V, D = settings.vocab_size, settings.dim
    input_panel(state)
    batch = journey_batch(state)
    if batch is not None:
        most = max(1, MAX_ONE_HOT_CELLS // V)
        ids = batch.flatten()[:most]
        if len(ids) < batch.numel():
            st.caption(
                f"The first {len(ids):,} of {batch.numel():,} IDs: one-hot rows are V long, and more would not fit."
            )
        predict_first()
        table = shared_token_table(V, D, settings.seed).weight.detach()
        compare(state, ids, table)
        offer(lambda: both_results(ids, settings))
        count(len(ids), V, D)
        stopwatch(len(ids), D)
        learn(ids, table, settings.seed)
    pitfalls(state)
    st.markdown(
        "**What to notice.** A one-hot step is how a lookup is explained, not how it is done: no model multiplies by "
        "zeros to copy a row. That both are one and the same function is why the table can be trained like any layer."
    )


with frame("one_hot") as state:
    from components.charts.heatmap import heatmap
    from components.core.embeddings import seeded
    from components.core.limits import MAX_LAB_CELLS, MAX_ONE_HOT_CELLS, readable_bytes
    from components.core.one_hot import both_ways, costs, gradients
    from components.core.tensors import Named
    from components.ui.batch import input_panel, journey_batch, label
    from components.ui.blocks import shape_of, show, table_of
    from components.ui.checks import predict_first
    from components.ui.lab import offer_experiment
    from components.ui.offers import offer
    from components.ui.stopwatch import stopwatch
    from components.ui.tables import shared_token_table

    lesson(state)
