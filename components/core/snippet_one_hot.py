"""The programs of the one-hot lesson: product and lookup, what they cost, and the gradient of both."""

from itertools import chain

from components.core.limits import MAX_LAB_CELLS, MAX_ONE_HOT_CELLS
from components.core.link import State
from components.core.snippet import MAX_INLINE, Ids, Snippet, journey_batch
from components.core.snippet_literals import ids_literal, source_of
from components.core.snippet_tables import token_table

ROWS, COLUMNS = 8, 16
FUNCTIONAL = "from torch import nn\nfrom torch.nn import functional as F\n"


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson; none where the page has no batch.

    >>> [snippet.name for snippet in snippets(State(), range(9))]
    ['product', 'costs', 'gradients']
    """
    batch = journey_batch(state, token_ids)
    if batch is None:
        return []
    settings = state.settings
    V, D = settings.vocab_size, settings.dim
    ids = [*chain(*batch)][: min(MAX_INLINE, max(1, MAX_ONE_HOT_CELLS // V))]
    some = "" if len(ids) == len(batch) * len(batch[0]) else f" Only the first {len(ids):,} IDs of the batch."
    table = token_table(settings).replace("from torch import nn\n", FUNCTIONAL)
    table += f"{source_of(state)}\n{ids_literal(ids, 'ids = torch.tensor(', ')')}  # [N]\n"
    columns = max(1, min(COLUMNS, D, MAX_LAB_CELLS // V))
    return [
        Snippet(
            "product",
            "The product and the lookup",
            "A one-hot row times the table picks a row of it. A linear layer does the same with its weight transposed."
            + some,
            table + "W = token_table.weight.detach()  # [V, D]\n"
            "linear = nn.Linear(V, D, bias=False)\n"
            "linear.weight.data = W.T  # [D, V]\n\n"
            "hot = F.one_hot(ids, num_classes=V).float()  # [N, V]\n"
            "product, looked_up, by_linear = hot @ W, W[ids], linear(hot).detach()  # each [N, D]\n"
            f"print(product.shape)\nprint(product[:{ROWS}, :{COLUMNS}])\nprint(looked_up[:{ROWS}, :{COLUMNS}])\n"
            'print(f"largest difference {(product - looked_up).abs().max():.2e}")\n'
            "print(torch.equal(by_linear, looked_up))\n",
        ),
        Snippet(
            "costs",
            "What both cost",
            "The product multiplies every number of the table by 0 or 1, once for each ID. The lookup copies N rows, "
            "and multiplies nothing." + some,
            f"N, V, D = {len(ids)}, {V}, {D}\n"
            'print(f"multiplications {N * V * D:,} against 0")\n'
            'print(f"additions {N * (V - 1) * D:,} against 0")\n'
            "float32, int64 = 4, 8  # bytes\n"
            "product, lookup = (N * V + V * D) * float32, N * D * float32 + N * int64\n"
            'print(f"bytes read {product:,} against {lookup:,}")\n',
        ),
        Snippet(
            "gradients",
            "The gradients are equal",
            "Both ways send the same gradient to the table: a row gets the sum of what arrives at all places of its "
            "ID, and rows that were not asked for get exactly 0." + some,
            table + f"W = token_table.weight.detach()[:, :{columns}].clone().requires_grad_()  # [V, {columns}]\n"
            f"draw = torch.Generator().manual_seed({settings.seed})\n"
            f"upstream = torch.randn(len(ids), {columns}, generator=draw)  # made up, [N, {columns}]\n\n"
            "(lookup,) = torch.autograd.grad(F.embedding(ids, W), W, upstream)\n"
            "hot = F.one_hot(ids, num_classes=V).float()  # [N, V]\n"
            "(product,) = torch.autograd.grad(hot @ W, W, upstream)\n"
            'print(f"largest difference {(lookup - product).abs().max():.0e}")\n'
            'print(f"rows with a gradient {(lookup != 0).any(dim=1).sum()} of {V}")\n'
            f"print(lookup[ids.unique()[:{ROWS}]])\n",
        ),
    ]
